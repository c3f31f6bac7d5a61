// Near-duplicates: the pairs of one collection whose cosine reaches a high score, exactly, with little memory.
//
// For texts whose weights are those of their terms over the length of the text, which need not be kept by text. Terms
// are taken from the rarest on. What is left of a text after its first terms has a length of its own; where that is
// below the score asked for, two texts that share none of the first terms cannot reach it (Cauchy and Schwarz). So only
// the first terms of each text have lists, and what the lists cannot see is bounded by the product of the lengths that
// are left (docs/design/join.md).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "join.hpp"
#include "parallel.hpp"

namespace likewise::join {

// Text i has ids[indptr[i]..indptr[i + 1]), ascending, with weights scale[id] / lengths[i]; the sum of their squares is
// 1, or 0.
struct ScaledRows {
    std::span<const std::int64_t> indptr;
    std::span<const std::int32_t> ids;
    std::span<const double> scale;    // by id, 0 or more
    std::span<const double> lengths;  // by text, above 0

    std::int64_t size() const { return static_cast<std::int64_t>(lengths.size()); }
};

// What join() gives for Mode::above in a self-join of the same texts. min_score is above 0.
Result near_pairs(const ScaledRows& rows, double min_score, int threads, Control& control);

// The lists of some texts of a collection that does not fit the memory: their pairs among themselves, and with others.
class NearLists {
public:
    // `texts` says by id in how many texts of the whole collection it is, or more. The rows must outlive this.
    NearLists(const ScaledRows& rows, std::span<const double> texts, double min_score);
    ~NearLists();

    // The pairs of some texts, and the text that comes next.
    struct Some {
        Result pairs;
        std::int64_t next = 0;
    };
    // Those of the texts from `first` on: once `most` pairs are found each thread ends the text it is at, so that no
    // more are held than that and what texts at work find.
    Some among_themselves(std::int64_t first, std::int64_t most, int threads, Control& control) const;
    // Left are the texts of the lists, right the others, which have the same scale; in the order of the others, from
    // `first` on.
    Some with(const ScaledRows& others, std::int64_t first, std::int64_t most, int threads, Control& control) const;

private:
    class Near;
    std::unique_ptr<const Near> near_;
};

}  // namespace likewise::join
