#include "cluster.hpp"

#include <nanobind/nanobind.h>

#include "arrays.hpp"

namespace nb = nanobind;
using namespace likewise;

void bind_cluster(nb::module_& m) {
    using Grouping =
        std::vector<std::int64_t> (*)(std::int64_t, std::span<const std::int64_t>, std::span<const std::int64_t>);
    auto bind = [&](const char* name, Grouping grouping) {
        m.def(
            name,
            [grouping](std::int64_t n, View<std::int64_t> left, View<std::int64_t> right) {
                std::vector<std::int64_t> labels;
                {
                    nb::gil_scoped_release release;
                    labels = grouping(n, span_of(left), span_of(right));
                }
                return to_numpy(std::move(labels));
            },
            nb::arg("n"), nb::arg("left"), nb::arg("right"));
    };
    bind("components", components);
    bind("complete_linkage", complete_linkage);
}
