// What fits to given numbers: the least point of a parabola, and the nearest values that never fall.
#pragma once

#include <span>
#include <vector>

namespace likewise::fit {

// The least point of x * curve * x / 2 - goal * x where all of x but the last are 0 or more: from `start`, one
// coordinate at a time, until a round of all moves none of them, or after so many rounds. `curve` is a matrix row by
// row, definite.
std::vector<double> least(std::span<const double> curve, std::span<const double> goal, std::span<const double> start,
                          int rounds);

// The nearest values that never fall, each as important as its weight: neighbours that do fall take their mean.
std::vector<double> rising(std::span<const double> values, std::span<const double> weights);

}  // namespace likewise::fit
