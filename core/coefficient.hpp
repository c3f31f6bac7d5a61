// Resemblance coefficients: the size of what is common over a mean of the two sizes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace likewise {

struct Coefficient {
    enum class Kind { mean, jaccard, coverage, common };  // common: no mean at all, the bare size of what is common
    Kind kind = Kind::mean;
    double p = -1;  // exponent of the generalised mean; -inf is the smaller, +inf the larger, 0 the geometric mean

    // a, b: soft cardinalities of the two texts; common: that of their intersection. 0 where a text has no substance.
    double operator()(double common, double a, double b) const {
        if (!(a > 0) || !(b > 0)) return 0;
        common = std::max(common, 0.0);
        return common / denominator(common, a, b);
    }

    double denominator(double common, double a, double b) const {
        if (kind == Kind::jaccard) return a + b - common;
        if (kind == Kind::coverage) return b;
        if (kind == Kind::common) return 1;
        return mean(a, b, p);
    }

    // The generalised mean of two positive numbers. Written with the ratio of the two, so that no power overflows, and
    // with expm1/log1p, so that it is smooth where p passes 0.
    static double mean(double a, double b, double p) {
        if (p == -1) return 2 * a * b / (a + b);
        if (p == 0) return std::sqrt(a) * std::sqrt(b);
        if (p == 1) return (a + b) / 2;
        double base = p > 0 ? std::max(a, b) : std::min(a, b);
        double other = p > 0 ? std::min(a, b) : std::max(a, b);
        if (std::isinf(p) || other == base) return base;
        return base * std::exp(std::log1p(std::expm1(p * std::log(other / base)) / 2) / p);
    }
};

}  // namespace likewise
