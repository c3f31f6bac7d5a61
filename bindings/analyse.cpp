#include "analyse.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "checks.hpp"
#include "hash.hpp"
#include "run.hpp"
#include "term_counts.hpp"
#include "unicode.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;
using namespace likewise::analyse;

namespace {

nb::builtin_exception not_a_str(std::size_t place, nb::handle text) {
    std::string name = nb::cast<std::string>(text.type().attr("__name__"));
    return nb::type_error(("text " + std::to_string(place) + " is a " + name + ", not a str").c_str());
}

std::string_view term_of(nb::handle term) {
    std::string_view found;
    if (!nb::try_cast(term, found)) throw nb::type_error("terms must be str that UTF-8 can hold");
    return found;
}

// Python strings as one UTF-8 buffer plus offsets. A lone surrogate, which UTF-8 cannot hold, becomes "?": like the
// surrogate it is one character and separates words.
nb::tuple pack(nb::sequence texts) {
    std::vector<std::uint8_t> bytes;
    std::vector<std::int64_t> offsets{0};
    std::size_t size = nb::len(texts);
    offsets.reserve(size + 1);
    for (std::size_t i = 0; i < size; ++i) {
        nb::object text = texts[i];
        if (!PyUnicode_Check(text.ptr())) throw not_a_str(i, text);
        Py_ssize_t length;
        const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
        nb::object encoded;
        if (!data) {
            PyErr_Clear();
            encoded = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace"));
            if (!encoded.is_valid()) throw nb::python_error();
            char* replaced;
            if (PyBytes_AsStringAndSize(encoded.ptr(), &replaced, &length)) throw nb::python_error();
            data = replaced;
        }
        bytes.insert(bytes.end(), data, data + length);
        offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    return nb::make_tuple(to_numpy(std::move(bytes)), to_numpy(std::move(offsets)));
}

nb::list strings(const StringTable& table, std::int32_t from, std::int32_t end = INT32_MAX) {
    nb::list out;
    end = std::min(end, table.size());
    for (std::int32_t i = from; i < end; ++i) out.append(nb::str(table[i].data(), table[i].size()));
    return out;
}

// The place of each text among the distinct ones: `known` maps text to place and takes up new ones.
nb::ndarray<nb::numpy, std::int64_t> factorise(nb::list texts, nb::dict known) {
    std::vector<std::int64_t> places;
    places.reserve(nb::len(texts));
    // Often the same objects come again and again: where one was seen, its place is found without asking the
    // dictionary, which has to look at the object, at its own entry and at the number. A newer object takes the slot of
    // an older.
    struct Seen {
        PyObject* text = nullptr;
        std::int64_t place = 0;
    };
    int bits = std::min(18, static_cast<int>(std::bit_width(2 * nb::len(texts))));
    std::vector<Seen> seen(std::size_t{1} << bits);
    // Asking the dictionary may run a method of the text that changes the list, so each is looked up and held. What was
    // seen is not: that would read and write a place of memory for each text.
    for (std::size_t i = 0; i < nb::len(texts); ++i) {
        PyObject* object = PyList_GetItem(texts.ptr(), static_cast<Py_ssize_t>(i));
        Seen& slot = seen[reinterpret_cast<std::uintptr_t>(object) * 0x9e3779b97f4a7c15u >> (64 - bits)];
        if (slot.text == object) {
            places.push_back(slot.place);
            continue;
        }
        nb::object text = nb::borrow(object);
        if (!PyUnicode_Check(text.ptr())) throw not_a_str(places.size(), text);
        PyObject* place = PyDict_GetItemWithError(known.ptr(), text.ptr());
        if (place) {
            places.push_back(PyLong_AsLongLong(place));
        } else if (!PyErr_Occurred()) {
            places.push_back(static_cast<std::int64_t>(PyDict_Size(known.ptr())));
            nb::object number = nb::steal(PyLong_FromLongLong(places.back()));
            PyDict_SetItem(known.ptr(), text.ptr(), number.ptr());
        }
        if (PyErr_Occurred()) throw nb::python_error();
        slot = {text.ptr(), places.back()};
    }
    return to_numpy(std::move(places));
}

// Texts in a buffer, by offsets, or by where each begins and ends.
Buffer buffer_of(const View<std::uint8_t>& bytes, const View<std::int64_t>& offsets,
                 const std::optional<View<std::int64_t>>& ends) {
    std::span<const std::int64_t> starts = span_of(offsets);
    std::string_view whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!ends) {
        check_offsets("offsets", starts, bytes.size());
        return {whole, starts.first(starts.size() - 1), starts.subspan(1)};
    }
    check_same_size("ends", span_of(*ends), "offsets", starts);
    for (std::size_t i = 0; i < starts.size(); ++i)
        check(starts[i] >= 0 && starts[i] <= span_of(*ends)[i] && span_of(*ends)[i] <= std::ssize(whole),
              "offsets and ends must be places in bytes, and none ends before it begins");
    return {whole, starts, span_of(*ends)};
}

Tokens tokenise(Vocabulary& self, View<std::uint8_t> bytes, View<std::int64_t> offsets, bool chains, bool bigrams,
                bool spans, int threads, std::optional<View<std::int64_t>> ends, bool lower) {
    constexpr std::size_t kSmall = 1 << 16;  // bytes that are not worth a thread
    Buffer texts = buffer_of(bytes, offsets, ends);
    TokeniseOptions options{chains, bigrams, spans, lower};
    if (bytes.size() < kSmall) {
        Control control;
        return self.tokenise(texts, options, 1, control);
    }
    Tokens out;
    run(nb::none(), [&](Control& control) { out = self.tokenise(texts, options, threads, control); });
    return out;
}

void resolve_words(Vocabulary& self, nb::list terms) {
    std::vector<nb::object> held;  // so that the views stay valid
    std::vector<std::optional<std::string_view>> views;
    for (nb::handle term : terms) {
        held.push_back(nb::borrow(term));
        if (term.is_none())
            views.emplace_back();
        else
            views.emplace_back(term_of(term));
    }
    self.resolve_words(views);
}

void resolve_others(Vocabulary& self, nb::list terms) {
    std::vector<std::string_view> views;
    for (nb::handle term : terms) views.push_back(term_of(term));
    self.resolve_others(views);
}

// Numbers the distinct texts of several buffers, in the order in which they come.
class TextNumbers {
public:
    // The number of each text, -1 for one that says nothing. The buffer is not copied, and must stay.
    nb::ndarray<nb::numpy, std::int64_t> add(View<std::uint8_t> bytes, View<std::int64_t> starts,
                                             View<std::int64_t> ends) {
        Buffer texts = buffer_of(bytes, starts, ends);
        held_.push_back(bytes);
        std::vector<std::int64_t> numbers(static_cast<std::size_t>(texts.size()));
        run(nb::none(), [&](Control&) {
            for (std::int64_t i = 0; i < texts.size(); ++i) {
                stop_if_asked();
                numbers[i] = is_blank(texts[i]) ? -1 : number_of(texts[i]);
            }
        });
        return to_numpy(std::move(numbers));
    }

private:
    std::int64_t number_of(std::string_view text) {
        if (texts_.size() * 2 >= slots_.size()) grow();
        std::size_t at = slot_of(text, hash_bytes(text));
        if (!slots_[at].number) {
            texts_.push_back(text);
            slots_[at] = {hash_bytes(text), static_cast<std::int64_t>(texts_.size())};
        }
        return slots_[at].number - 1;
    }
    std::size_t slot_of(std::string_view text, std::uint64_t hash) const {
        std::size_t at = hash & (slots_.size() - 1);
        while (slots_[at].number && (slots_[at].hash != hash || texts_[slots_[at].number - 1] != text))
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    void grow() {
        std::vector<Slot> before(std::max<std::size_t>(64, slots_.size() * 2));
        before.swap(slots_);
        for (const Slot& slot : before) {
            std::size_t at = slot.hash & (slots_.size() - 1);
            while (slot.number && slots_[at].number) at = (at + 1) & (slots_.size() - 1);
            if (slot.number) slots_[at] = slot;
        }
    }

    struct Slot {
        std::uint64_t hash = 0;
        std::int64_t number = 0;  // from 1
    };
    std::vector<Slot> slots_;
    std::vector<std::string_view> texts_;
    std::vector<View<std::uint8_t>> held_;
};

template <class T>
nb::ndarray<nb::numpy, T> taken(Growing<T>& values) {
    std::size_t size = values.size();
    T* data = values.release();
    nb::capsule owner(data ? static_cast<void*>(data) : static_cast<void*>(std::malloc(1)),
                      [](void* pointer) noexcept { std::free(pointer); });
    return nb::ndarray<nb::numpy, T>(data, {size}, owner);
}

void bind_counter(nb::module_& m) {
    nb::class_<TermCounter>(m, "TermCounter", "The terms of texts, a row for each, and how many texts have each.")
        .def(nb::init<bool>(), "counts"_a)
        .def(
            "add",
            [](TermCounter& self, const Vocabulary& vocabulary, const Tokens& tokens, View<std::int64_t> repeats) {
                check_same_size("repeats", span_of(repeats), "texts",
                                std::span(tokens.indptr).first(tokens.indptr.size() - 1));
                check_range("repeats", span_of(repeats), INT64_MAX);
                run(nb::none(), [&](Control&) { self.add(vocabulary, tokens, span_of(repeats)); });
            },
            "vocabulary"_a, "tokens"_a, "repeats"_a)
        .def(
            "take",
            [](TermCounter& self) {
                nb::object rows =
                    nb::make_tuple(to_numpy(std::exchange(self.indptr, {0})), taken(self.ids), taken(self.counts));
                nb::object totals =
                    nb::make_tuple(self.texts, self.words, to_numpy(std::move(self.document_frequencies)),
                                   to_numpy(std::move(self.occurrences)));
                return nb::make_tuple(rows, totals);
            },
            "(indptr, ids, counts) and (texts, words, document_frequencies, occurrences); nothing is left.");
    nb::class_<TextNumbers>(m, "TextNumbers", "Numbers of distinct texts, in the order in which they come.")
        .def(nb::init<>())
        .def("add", &TextNumbers::add, "bytes"_a, "starts"_a, "ends"_a);
}

void bind_vocabulary(nb::module_& m) {
    nb::class_<Vocabulary>(m, "Vocabulary")
        .def(nb::init<>())
        .def("tokenise", &tokenise, "bytes"_a, "offsets"_a, "chains"_a = false, "bigrams"_a = false, "spans"_a = false,
             "threads"_a = 0, "ends"_a.none() = nb::none(), "lower"_a = false)
        .def("pending_words", [](const Vocabulary& self) { return strings(self.words(), self.resolved_words()); })
        .def("pending_others",
             [](const Vocabulary& self) {
                 nb::list out;
                 for (std::int32_t i = self.resolved_words(); i < self.words().size(); ++i)
                     if (!is_ascii(self.words()[i]))
                         out.append(nb::str(self.words()[i].data(), self.words()[i].size()));
                 return out;
             })
        .def("pending_chains", [](const Vocabulary& self) { return strings(self.chains(), self.resolved_chains()); })
        .def("resolve_words", &resolve_words, "terms"_a)
        .def("resolve_others", &resolve_others, "terms"_a)
        .def("resolve_chains", &Vocabulary::resolve_chains, "stopped"_a)
        .def(
            "terms_of",
            [](const Vocabulary& self, const Tokens& tokens, bool positions) {
                Terms out = self.terms_of(tokens, positions);
                return nb::make_tuple(to_numpy(std::move(out.indptr)), to_numpy(std::move(out.terms)),
                                      to_numpy(std::move(out.tokens)));
            },
            "tokens"_a, "positions"_a = false)
        .def(
            "intern_terms",
            [](Vocabulary& self, nb::sequence terms) {
                std::vector<std::int32_t> ids;
                for (nb::handle term : terms) ids.push_back(self.intern_term(term_of(term)));
                return to_numpy(std::move(ids));
            },
            "terms"_a)
        .def(
            "find_term", [](const Vocabulary& self, std::string_view term) { return self.terms().find(term); },
            "term"_a)
        .def(
            "term",
            [](const Vocabulary& self, std::int32_t id) {
                check_place("term", id, self.terms().size());
                return nb::str(self.terms()[id].data(), self.terms()[id].size());
            },
            "id"_a)
        .def(
            "terms",
            [](const Vocabulary& self, std::int32_t first, std::int32_t end) {
                check(first >= 0, "first must not be below 0");
                return strings(self.terms(), first, end);
            },
            "first"_a = 0, "end"_a = INT32_MAX, "All terms, or those from first to before end.")
        .def(
            "reserve_terms",
            [](Vocabulary& self, std::int64_t count) {
                check(count >= 0 && count <= INT32_MAX, "count must be a number of terms");
                self.reserve_terms(static_cast<std::size_t>(count));
            },
            "count"_a)
        .def("forget_words", &Vocabulary::forget_words)
        .def_prop_ro("word_count", [](const Vocabulary& self) { return self.words().size(); })
        .def("__len__", [](const Vocabulary& self) { return self.terms().size(); });
}

}  // namespace

void bind_analyse(nb::module_& m) {
    m.attr("unicode_version") = unicode_version;
    m.def("pack", &pack, "texts"_a);
    m.def("factorise", &factorise, "texts"_a, "known"_a);

    nb::class_<Tokens>(m, "Tokens")
        .def_prop_ro(
            "indptr", [](const Tokens& self) { return copy_to_numpy(self.indptr); }, nb::rv_policy::move)
        .def_prop_ro(
            "words", [](const Tokens& self) { return copy_to_numpy(self.words); }, nb::rv_policy::move)
        .def_prop_ro(
            "char_starts", [](const Tokens& self) { return copy_to_numpy(self.char_starts); }, nb::rv_policy::move)
        .def_prop_ro(
            "char_ends", [](const Tokens& self) { return copy_to_numpy(self.char_ends); }, nb::rv_policy::move);
    bind_vocabulary(m);
    bind_counter(m);
    m.def(
        "count_rows",
        [](View<std::int64_t> indptr, View<std::int32_t> ids) {
            check_offsets("indptr", span_of(indptr), ids.size());
            Counts out = count_rows(span_of(indptr), span_of(ids));
            return nb::make_tuple(to_numpy(std::move(out.indptr)), to_numpy(std::move(out.ids)),
                                  to_numpy(std::move(out.counts)));
        },
        "indptr"_a, "ids"_a);
}
