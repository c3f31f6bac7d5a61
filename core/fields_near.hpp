// What one value of a field can score, at most, with every value of the other side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fields.hpp"
#include "join_block.hpp"
#include "join_index.hpp"

namespace likewise::fields {

// Right values are called by their *place*: the position in the index, or the place after all for values without
// features and for null, which add nothing.
struct Near {
    struct Group {
        float most;            // no value of the group scores more
        std::int32_t end;      // in order
        std::int64_t records;  // how many have a value of the group
    };
    std::int32_t value = -1;            // the left value
    double score = 0;                   // scores below it were not told apart with care
    std::vector<std::uint16_t> bounds;  // place -> upper bound (upper.hpp), and some 0 behind the last
    std::vector<std::int32_t> order;    // the most promising places, in groups, the best first
    std::vector<Group> groups;
    float rest = 0;  // no other place scores more

    float bound_after(std::size_t group) const { return group < groups.size() ? groups[group].most : rest; }
};

// The right side of a field: by place, how many records have it.
struct Places {
    std::vector<std::int32_t> of;       // right record -> place
    std::vector<std::int64_t> records;  // place -> records; none for the place after all

    explicit Places(const Field& field);
};

// Works values out; one per thread and field.
class NearMaker {
public:
    NearMaker(const Field& field, const Places& places);
    // Records are wanted that score `score` or more: lists that make little of that may be left out.
    void make(std::int32_t value, double score, Near& near);

private:
    void score_all(std::int32_t value, Near& near);
    std::uint16_t listed_above(const Near& near);
    void put_in_order(Near& near);

    const Field& field_;
    const Places& places_;
    join::BlockSearch search_;
    join::Row row_;
    std::vector<std::int64_t> texts_;  // all right values, for a scorer without lists
    std::vector<double> scores_;
    std::vector<std::uint16_t> sample_;
    std::vector<join::Hit> hits_;
    std::vector<std::int32_t> listed_, next_;  // places in any order; group -> where its next goes
};

}  // namespace likewise::fields
