#include "assign.hpp"

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "checks.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;
using namespace likewise::assignment;

void bind_assign(nb::module_& m) {
    m.def(
        "assign",
        [](View<std::int64_t> indptr, View<std::int64_t> rights, View<double> weights, std::int64_t right_size,
           nb::object progress) {
            check_count("right_size", right_size);
            check_same_size("weights", span_of(weights), "rights", span_of(rights));
            check_offsets("indptr", span_of(indptr), rights.size());
            check_range("rights", span_of(rights), right_size);
            check_weights("weights", span_of(weights));
            Candidates candidates{span_of(indptr), span_of(rights), span_of(weights)};
            Assignment result;
            run(progress, [&](Control& control) { result = assign(candidates, right_size, control); });
            return nb::make_tuple(to_numpy(std::move(result.match)), to_numpy(std::move(result.left_dual)),
                                  to_numpy(std::move(result.right_dual)));
        },
        "indptr"_a, "rights"_a, "weights"_a, "right_size"_a, "progress"_a = nb::none());
}
