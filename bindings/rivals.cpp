#include "rivals.hpp"

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "checks.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;

void bind_rivals(nb::module_& m) {
    m.def(
        "ranks",
        [](View<std::int64_t> record, View<double> strength, std::int64_t size, std::int64_t count) {
            check_number<std::int64_t>("size", size, 0, std::int64_t{1} << 40);
            check_number<std::int64_t>("count", count, 1, 100);
            check_same_size("record", span_of(record), "strength", span_of(strength));
            check_range("record", span_of(record), size);
            check_scores("strength", span_of(strength));
            std::vector<std::int64_t> result;
            {
                nb::gil_scoped_release release;
                result = rivals::ranks(span_of(record), span_of(strength), size, count);
            }
            return to_numpy(std::move(result));
        },
        "record"_a, "strength"_a, "size"_a, "count"_a);
    m.def(
        "take_once",
        [](View<std::int64_t> order, View<std::int64_t> left, View<std::int64_t> right, std::int64_t lefts,
           std::int64_t rights) {
            check_count("lefts", lefts);
            check_count("rights", rights);
            check_same_size("left", span_of(left), "right", span_of(right));
            check_range("order", span_of(order), static_cast<std::int64_t>(left.size()));
            check_range("left", span_of(left), lefts);
            check_range("right", span_of(right), rights);
            std::vector<std::uint8_t> taken;
            {
                nb::gil_scoped_release release;
                taken = rivals::take_once(span_of(order), span_of(left), span_of(right), lefts, rights);
            }
            return to_numpy(std::move(taken));
        },
        "order"_a, "left"_a, "right"_a, "lefts"_a, "rights"_a);
}
