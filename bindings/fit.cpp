#include "fit.hpp"

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "checks.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;

void bind_fit(nb::module_& m) {
    m.def(
        "least",
        [](View<double> curve, View<double> goal, View<double> start, int rounds) {
            check_same_size("goal", span_of(goal), "start", span_of(start));
            check(curve.size() == goal.size() * goal.size(), "curve must have a row and a column for each of goal");
            check_scores("curve", span_of(curve));
            check_scores("goal", span_of(goal));
            check_scores("start", span_of(start));
            check_number("rounds", rounds, 0, 10'000);
            return to_numpy(fit::least(span_of(curve), span_of(goal), span_of(start), rounds));
        },
        "curve"_a, "goal"_a, "start"_a, "rounds"_a);
    m.def(
        "rising",
        [](View<double> values, View<double> weights) {
            check_same_size("values", span_of(values), "weights", span_of(weights));
            check_scores("values", span_of(values));
            check_scores("weights", span_of(weights));
            return to_numpy(fit::rising(span_of(values), span_of(weights)));
        },
        "values"_a, "weights"_a);
}
