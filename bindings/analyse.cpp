#include "analyse.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <mutex>

#include "arrays.hpp"
#include "run.hpp"
#include "unicode.hpp"

namespace nb = nanobind;
using namespace likewise;

namespace {

// Python strings as one UTF-8 buffer plus offsets. A lone surrogate, which UTF-8 cannot hold, becomes "?": like the
// surrogate it is one character and separates words.
nb::tuple pack(nb::sequence texts) {
    std::vector<char> bytes;
    std::vector<std::int64_t> offsets{0};
    std::size_t size = nb::len(texts);
    offsets.reserve(size + 1);
    for (std::size_t i = 0; i < size; ++i) {
        nb::object text = texts[i];
        if (!PyUnicode_Check(text.ptr())) {
            throw nb::type_error(("text " + std::to_string(i) + " is a " +
                                  std::string(nb::cast<std::string>(text.type().attr("__name__"))) + ", not a str")
                                     .c_str());
        }
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
    std::vector<std::uint8_t> raw(bytes.begin(), bytes.end());
    return nb::make_tuple(to_numpy(std::move(raw)), to_numpy(std::move(offsets)));
}

Buffer buffer_of(const View<std::uint8_t>& bytes, const View<std::int64_t>& offsets) {
    return {{reinterpret_cast<const char*>(bytes.data()), bytes.size()}, span_of(offsets)};
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
    for (nb::handle text : texts) {
        Seen& slot = seen[reinterpret_cast<std::uintptr_t>(text.ptr()) * 0x9e3779b97f4a7c15u >> (64 - bits)];
        if (slot.text == text.ptr()) {
            places.push_back(slot.place);
            continue;
        }
        if (!PyUnicode_Check(text.ptr()))
            throw nb::type_error(("text " + std::to_string(places.size()) + " is a " +
                                  nb::cast<std::string>(text.type().attr("__name__")) + ", not a str")
                                     .c_str());
        PyObject* place = PyDict_GetItemWithError(known.ptr(), text.ptr());
        if (place) {
            places.push_back(PyLong_AsLongLong(place));
        } else {
            auto next = static_cast<std::int64_t>(PyDict_Size(known.ptr()));
            nb::object number = nb::steal(PyLong_FromLongLong(next));
            if (PyErr_Occurred() || PyDict_SetItem(known.ptr(), text.ptr(), number.ptr())) throw nb::python_error();
            places.push_back(next);
        }
        slot = {text.ptr(), places.back()};
    }
    return to_numpy(std::move(places));
}

}  // namespace

void bind_analyse(nb::module_& m) {
    m.attr("unicode_version") = unicode_version;
    m.def("pack", &pack, nb::arg("texts"));
    m.def("factorise", &factorise, nb::arg("texts"), nb::arg("known"));

    nb::class_<Tokens>(m, "Tokens")
        .def_prop_ro(
            "indptr", [](Tokens& t) { return to_numpy(std::vector(t.indptr)); }, nb::rv_policy::move)
        .def_prop_ro(
            "words", [](Tokens& t) { return to_numpy(std::vector(t.words)); }, nb::rv_policy::move)
        .def_prop_ro(
            "byte_starts", [](Tokens& t) { return to_numpy(std::vector(t.byte_starts)); }, nb::rv_policy::move)
        .def_prop_ro(
            "byte_ends", [](Tokens& t) { return to_numpy(std::vector(t.byte_ends)); }, nb::rv_policy::move)
        .def_prop_ro(
            "char_starts", [](Tokens& t) { return to_numpy(std::vector(t.char_starts)); }, nb::rv_policy::move)
        .def_prop_ro("char_ends", [](Tokens& t) { return to_numpy(std::vector(t.char_ends)); }, nb::rv_policy::move);

    nb::class_<Vocabulary>(m, "Vocabulary")
        .def(nb::init<>())
        .def(
            "tokenise",
            [](Vocabulary& self, View<std::uint8_t> bytes, View<std::int64_t> offsets, bool chains, bool unspaced,
               bool spans, int threads) {
                Buffer texts = buffer_of(bytes, offsets);
                TokeniseOptions options{chains, unspaced, spans};
                Tokens out;
                if (texts.bytes.size() < (1 << 16)) {  // not worth a thread
                    Control control;
                    out = self.tokenise(texts, options, 1, control);
                } else {
                    self.busy = true;
                    try {
                        run(nb::none(),
                            [&](Control& control) { out = self.tokenise(texts, options, threads, control); });
                    } catch (...) {
                        self.busy = false;
                        throw;
                    }
                    self.busy = false;
                }
                return out;
            },
            nb::arg("bytes"), nb::arg("offsets"), nb::arg("chains") = false, nb::arg("unspaced") = false,
            nb::arg("spans") = false, nb::arg("threads") = 0)
        .def("pending_words", [](Vocabulary& v) { return strings(v.words(), v.resolved_words()); })
        .def("pending_chains", [](Vocabulary& v) { return strings(v.chains(), v.resolved_chains()); })
        .def(
            "resolve_words",
            [](Vocabulary& v, nb::list terms) {
                for (nb::handle term : terms) {
                    if (term.is_none()) {
                        v.drop_word();
                    } else {
                        v.resolve_word(nb::cast<std::string_view>(term));
                    }
                }
            },
            nb::arg("terms"))
        .def(
            "resolve_chains",
            [](Vocabulary& v, const std::vector<bool>& stopped) {
                for (bool one : stopped) v.resolve_chain(one);
            },
            nb::arg("stopped"))
        .def(
            "terms_of",
            [](Vocabulary& v, const Tokens& tokens, bool positions) {
                Terms out = v.terms_of(tokens, positions);
                return nb::make_tuple(to_numpy(std::move(out.indptr)), to_numpy(std::move(out.terms)),
                                      to_numpy(std::move(out.tokens)));
            },
            nb::arg("tokens"), nb::arg("positions") = false)
        .def("intern_terms",
             [](Vocabulary& v, nb::sequence terms) {
                 std::vector<std::int32_t> ids;
                 for (nb::handle term : terms) ids.push_back(v.intern_term(nb::cast<std::string_view>(term)));
                 return to_numpy(std::move(ids));
             })
        .def("find_term", [](Vocabulary& v, std::string_view term) { return v.terms().find(term); })
        .def("term",
             [](Vocabulary& v, std::int32_t id) {
                 if (id < 0 || id >= v.terms().size()) throw nb::index_error("no such term");
                 return nb::str(v.terms()[id].data(), v.terms()[id].size());
             })
        .def("terms", [](Vocabulary& v) { return strings(v.terms(), 0); })
        .def("__len__", [](Vocabulary& v) { return v.terms().size(); });

    m.def(
        "count_rows",
        [](View<std::int64_t> indptr, View<std::int32_t> ids) {
            Counts out = count_rows(span_of(indptr), span_of(ids));
            return nb::make_tuple(to_numpy(std::move(out.indptr)), to_numpy(std::move(out.ids)),
                                  to_numpy(std::move(out.counts)));
        },
        nb::arg("indptr"), nb::arg("ids"));
}
