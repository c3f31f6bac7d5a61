#include "assign.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include "arrays.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace likewise;

void bind_assign(nb::module_& m) {
    m.def(
        "assign",
        [](View<std::int64_t> indptr, View<std::int64_t> rights, View<double> weights, std::int64_t right_size,
           nb::object progress) {
            Candidates candidates{span_of(indptr), span_of(rights), span_of(weights)};
            Assignment result;
            run(progress, [&](Control& control) { result = assign(candidates, right_size, control); });
            return nb::make_tuple(to_numpy(std::move(result.match)), to_numpy(std::move(result.left_dual)),
                                  to_numpy(std::move(result.right_dual)));
        },
        nb::arg("indptr"), nb::arg("rights"), nb::arg("weights"), nb::arg("right_size"),
        nb::arg("progress") = nb::none());
}
