// Core views that keep the NumPy arrays they look at.
#pragma once

#include <string_view>

#include "arrays.hpp"
#include "coefficient.hpp"
#include "dot.hpp"
#include "phrases.hpp"

namespace likewise {

// By the words that likewise.measure.coefficient gives.
inline Coefficient coefficient_of(std::string_view kind, double p) {
    if (kind == "jaccard") return {Coefficient::Kind::jaccard, p};
    if (kind == "coverage") return {Coefficient::Kind::coverage, p};
    if (kind == "common") return {Coefficient::Kind::common, p};
    return {Coefficient::Kind::mean, p};
}

struct OwnedRows {
    View<std::int64_t> indptr;
    View<std::int32_t> ids;
    View<double> weights;
    Rows rows;

    OwnedRows(View<std::int64_t> indptr, View<std::int32_t> ids, View<double> weights)
        : indptr(indptr), ids(ids), weights(weights), rows{span_of(indptr), span_of(ids), span_of(weights)} {}
};

struct OwnedPhrases {
    View<std::int64_t> indptr;
    View<std::int32_t> phrases;
    View<std::int64_t> positions;
    PhraseRows rows;

    OwnedPhrases(View<std::int64_t> indptr, View<std::int32_t> phrases, View<std::int64_t> positions)
        : indptr(indptr),
          phrases(phrases),
          positions(positions),
          rows{span_of(indptr), span_of(phrases), span_of(positions)} {}
};

}  // namespace likewise
