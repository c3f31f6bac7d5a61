#include "cluster.hpp"

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "checks.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;

void bind_cluster(nb::module_& m) {
    using Grouping =
        std::vector<std::int64_t> (*)(std::int64_t, std::span<const std::int64_t>, std::span<const std::int64_t>);
    auto bind = [&](const char* name, Grouping grouping) {
        m.def(
            name,
            [grouping](std::int64_t n, View<std::int64_t> left, View<std::int64_t> right) {
                check_count("n", n);
                check_same_size("left", span_of(left), "right", span_of(right));
                check_range("left", span_of(left), n);
                check_range("right", span_of(right), n);
                std::vector<std::int64_t> labels;
                {
                    nb::gil_scoped_release release;
                    labels = grouping(n, span_of(left), span_of(right));
                }
                return to_numpy(std::move(labels));
            },
            "n"_a, "left"_a, "right"_a);
    };
    bind("components", cluster::components);
    bind("complete_linkage", cluster::complete_linkage);
}
