#include "fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace likewise::fit {

std::vector<double> least(std::span<const double> curve, std::span<const double> goal, std::span<const double> start,
                          int rounds) {
    constexpr double still = 1e-9;
    std::vector<double> found(start.begin(), start.end());
    const std::size_t size = found.size();
    for (int round = 0; round < rounds; ++round) {
        double moved = 0.0;
        for (std::size_t place = 0; place < size; ++place) {
            const double* row = curve.data() + place * size;
            double slope = 0.0;
            for (std::size_t other = 0; other < size; ++other) slope += row[other] * found[other];
            double value = found[place] + (goal[place] - slope) / row[place];
            if (value < 0.0 && place + 1 < size) value = 0.0;
            moved = std::max(moved, std::abs(value - found[place]));
            found[place] = value;
        }
        if (moved < still) break;
    }
    return found;
}

std::vector<double> rising(std::span<const double> values, std::span<const double> weights) {
    struct Run {
        double value, weight;
        std::size_t length;
    };
    std::vector<Run> runs;
    for (std::size_t place = 0; place < values.size(); ++place) {
        runs.push_back({values[place], weights[place], 1});
        while (runs.size() > 1 && runs[runs.size() - 2].value > runs.back().value) {
            const Run last = runs.back();
            runs.pop_back();
            Run& before = runs.back();
            const double weight = before.weight + last.weight;
            before = {(before.value * before.weight + last.value * last.weight) / weight, weight,
                      before.length + last.length};
        }
    }
    std::vector<double> found;
    found.reserve(values.size());
    for (const Run& run : runs) found.insert(found.end(), run.length, run.value);
    return found;
}

}  // namespace likewise::fit
