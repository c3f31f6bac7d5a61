#include "tagger.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "checks.hpp"
#include "penn.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;

namespace {

// Byte offsets of tokens become character offsets in one walk.
std::vector<std::tuple<std::int64_t, std::int64_t>> spans(std::string_view text) {
    std::vector<penn::Token> tokens;
    penn::tokenise(text, 0, text.size(), tokens);
    std::vector<std::tuple<std::int64_t, std::int64_t>> out;
    std::size_t byte = 0;
    std::int64_t character = 0;
    const auto walk = [&](std::size_t to) {
        for (; byte < to; ++byte) character += (static_cast<std::uint8_t>(text[byte]) & 0xC0) != 0x80;
        return character;
    };
    for (const auto& token : tokens) {
        const std::int64_t start = walk(token.start);
        out.emplace_back(start, walk(token.end));
    }
    return out;
}

}  // namespace

void bind_tagger(nb::module_& m) {
    m.def("penn_spans", &spans, "text"_a, "Character spans of the Penn-style tokens of a sentence.");
    m.def("penn_flags", [](std::string_view word) { return penn::flags_of(word); }, "word"_a);

    nb::class_<TaggerModel>(m, "TaggerModel")
        .def(
            "__init__",
            [](TaggerModel* self, nb::bytes weights) {
                new (self) TaggerModel(std::string_view(weights.c_str(), weights.size()));
            },
            "weights"_a)
        .def_prop_ro("tags",
                     [](const TaggerModel& model) {
                         return std::vector<std::string>(model.names().begin(), model.names().end());
                     })
        .def_static(
            "train",
            [](const std::vector<std::string>& words, const std::vector<int>& tags,
               const std::vector<std::int64_t>& offsets, const std::vector<std::string>& names, int epochs,
               std::uint64_t seed, int dictionary_count, double dictionary_share, int smallest_weight) {
                check_same_size("tags", tags, "words", words);
                check_number("names", static_cast<std::int64_t>(names.size()), std::int64_t{1},
                             std::int64_t{kMostTags});
                check_range("tags", std::span<const int>(tags), static_cast<std::int64_t>(names.size()));
                check_offsets("offsets", std::span<const std::int64_t>(offsets), words.size());
                check_number("epochs", epochs, 0, kMostEpochs);
                for (const std::string& name : names) check(name.size() < 256, "names must be shorter than 256 bytes");
                std::vector<std::uint8_t> numbers(tags.begin(), tags.end());
                std::string made;
                {
                    nb::gil_scoped_release release;
                    made = TaggerModel::train(words, numbers, offsets, names,
                                              {epochs, seed, dictionary_count, dictionary_share, smallest_weight});
                }
                return nb::bytes(made.data(), made.size());
            },
            "words"_a, "tags"_a, "offsets"_a, "names"_a, "epochs"_a, "seed"_a, "dictionary_count"_a,
            "dictionary_share"_a, "smallest_weight"_a);

    nb::class_<Tagger>(m, "Tagger")
        .def(nb::init<const TaggerModel&>(), "model"_a, nb::keep_alive<1, 2>())
        .def(
            "tag",
            [](Tagger& tagger, const std::vector<std::string>& words) {
                tagger.forget(200'000);
                std::vector<std::uint32_t> ids;
                ids.reserve(words.size());
                for (const auto& word : words) ids.push_back(tagger.intern(word));
                std::vector<std::uint8_t> tags(ids.size());
                tagger.tag(ids, tags.data());
                return std::vector<int>(tags.begin(), tags.end());
            },
            "words"_a, "Tag numbers of the words of a sentence.");
}
