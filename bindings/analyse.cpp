#include "analyse.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "checks.hpp"
#include "run.hpp"
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

nb::list strings(const StringTable& table, std::int32_t from) {
    nb::list out;
    for (std::int32_t i = from; i < table.size(); ++i) out.append(nb::str(table[i].data(), table[i].size()));
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
    // Asking the dictionary may run a method of the text that changes the list, so each is looked up and held.
    for (std::size_t i = 0; i < nb::len(texts); ++i) {
        nb::object text = nb::borrow(PyList_GetItem(texts.ptr(), static_cast<Py_ssize_t>(i)));
        Seen& slot = seen[reinterpret_cast<std::uintptr_t>(text.ptr()) * 0x9e3779b97f4a7c15u >> (64 - bits)];
        if (slot.text == text.ptr()) {
            places.push_back(slot.place);
            continue;
        }
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

Tokens tokenise(Vocabulary& self, View<std::uint8_t> bytes, View<std::int64_t> offsets, bool chains, bool bigrams,
                bool spans, int threads) {
    constexpr std::size_t kSmall = 1 << 16;  // bytes that are not worth a thread
    check_offsets("offsets", span_of(offsets), bytes.size());
    Buffer texts{{reinterpret_cast<const char*>(bytes.data()), bytes.size()}, span_of(offsets)};
    TokeniseOptions options{chains, bigrams, spans};
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
            views.emplace_back(nb::cast<std::string_view>(term));
    }
    self.resolve_words(views);
}

void bind_vocabulary(nb::module_& m) {
    nb::class_<Vocabulary>(m, "Vocabulary")
        .def(nb::init<>())
        .def("tokenise", &tokenise, "bytes"_a, "offsets"_a, "chains"_a = false, "bigrams"_a = false, "spans"_a = false,
             "threads"_a = 0)
        .def("pending_words", [](const Vocabulary& self) { return strings(self.words(), self.resolved_words()); })
        .def("pending_chains", [](const Vocabulary& self) { return strings(self.chains(), self.resolved_chains()); })
        .def("resolve_words", &resolve_words, "terms"_a)
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
                for (nb::handle term : terms) ids.push_back(self.intern_term(nb::cast<std::string_view>(term)));
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
        .def("terms", [](const Vocabulary& self) { return strings(self.terms(), 0); })
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
