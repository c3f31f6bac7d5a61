// Upper bounds of scores in 16 bits: floats without their sign and their last bits, rounded up. Their order is that of
// the floats.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace likewise::upper {

inline constexpr int kCut = 15;

inline constexpr std::uint32_t kLeast = 16;  // what is above 0 stands apart from it

inline constexpr std::uint16_t kNone = 0x7F800000u >> kCut;  // of infinity

inline std::uint16_t code(float bound) {
    std::uint32_t rounded = (std::bit_cast<std::uint32_t>(bound) + ((1u << kCut) - 1)) >> kCut;
    return static_cast<std::uint16_t>(bound > 0 ? std::max(rounded, kLeast) : 0);
}

// Of a code that stands for no number, or none that is finite, infinity.
inline float value(std::uint16_t code) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(std::min(code, kNone)) << kCut);
}

// Of an accumulator that bounds `bound`: one that is at its end bounds nothing.
inline std::uint16_t code(std::uint16_t sum, float bound) {
    std::uint16_t found = code(bound);
    return sum == 65535 ? kNone : found;
}

}  // namespace likewise::upper
