// What a full anchor holds beyond the n-gram: nothing, the nearest entities, or the rest of a relative
// clause.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "mine.hpp"

namespace likewise::mine {

// Token ranges of the batch. entity: before, after, nothing. relative: what the clause modifies, the clause left of the
// n-gram, the clause right of it.
struct Attachment {
    std::array<std::pair<std::int64_t, std::int64_t>, 3> parts{};
};

class AnchorFinder {
public:
    AnchorFinder(const Batch& batch, const TagKinds& kinds, const Shape& shape);

    // Looks at a sentence; false when no n-gram of it can have an anchor of this type.
    bool enter(std::int64_t begin, std::int64_t end);
    // The attachment of the n-gram that begins at `at` with a variable part of `length` tokens; false when there is
    // none.
    bool attach(std::int64_t at, int length, Attachment& out) const;

private:
    struct Clause {
        std::pair<std::int64_t, std::int64_t> head;  // the entity or date
        std::int64_t wh, end;                        // the Wh word, the end of the clause (excluded)
    };
    bool is(std::int64_t token, std::uint16_t what) const { return (word_[batch_->ids[token]] & what) != 0; }
    bool proper(std::int64_t token) const { return (kinds_->kind[batch_->tags[token]] & TagKinds::proper) != 0; }
    std::int64_t date_start(std::int64_t begin, std::int64_t last) const;
    void find_clauses(std::int64_t begin, std::int64_t end);

    const Batch* batch_;
    const TagKinds* kinds_;
    Shape shape_;
    std::vector<std::uint16_t> word_;  // by word of the vocabulary
    std::int64_t begin_ = 0, end_ = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> before_;  // nearest entity that begins before this token
    std::vector<std::pair<std::int64_t, std::int64_t>> after_;   // nearest entity that ends after this token
    std::vector<Clause> clauses_;
};

}  // namespace likewise::mine
