// Core views that keep the NumPy arrays they look at.
#pragma once

#include "arrays.hpp"
#include "checks.hpp"
#include "dot.hpp"

namespace likewise {

struct OwnedRows {
    View<std::int64_t> indptr;
    View<std::int32_t> ids;
    View<double> weights;
    Rows rows;

    OwnedRows(View<std::int64_t> indptr_, View<std::int32_t> ids_, View<double> weights_)
        : indptr(std::move(indptr_)),
          ids(std::move(ids_)),
          weights(std::move(weights_)),
          rows{span_of(indptr), span_of(ids), span_of(weights)} {
        check_rows(rows);
    }
};

}  // namespace likewise
