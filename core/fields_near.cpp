#include "fields_near.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "upper.hpp"

namespace likewise::fields {

namespace {

// Bounds that differ only in these bits are one group: five per cent of their value.
constexpr int kGroupBits = 4;
// Lists may be left out as long as the bounds of a field are too high by this part of the score, less a third.
constexpr double kLoose = 0.4;

// No bound of the group is above it.
float most_of(std::size_t group) {
    return upper::value(static_cast<std::uint16_t>((group << kGroupBits) | ((1u << kGroupBits) - 1)));
}

join::Need need_of(const Field& field) {
    const SpectraScorer* spectra = field.bound ? nullptr : field.scorer->family().spectra;
    return {field.index->family == join::Index::Family::product, spectra ? spectra->coefficient : Coefficient{}};
}

}  // namespace

Places::Places(const Field& field) {
    const join::Index& index = *field.index;
    auto none = static_cast<std::int32_t>(index.texts.size());
    records.assign(index.texts.size() + 1, 0);
    of.reserve(field.right.size());
    for (std::int32_t value : field.right) {
        std::int32_t position = value < 0 ? -1 : index.positions[value];
        of.push_back(position < 0 ? none : position);
        if (position >= 0) ++records[position];
    }
}

NearMaker::NearMaker(const Field& field, const Places& places)
    : field_(field), places_(places), search_(*field.index, need_of(field), true), hits_(join::Index::kBlock) {}

void NearMaker::make(std::int32_t value, double score, Near& near) {
    const join::Index& index = *field_.index;
    near.value = value;
    near.score = score;
    near.bounds.resize(index.texts.size() + 1 + 64, 0);
    if (index.family == join::Index::Family::any) {
        score_all(value, near);
    } else {
        if (field_.bound)
            row_.load(index, *field_.bound, value);
        else if (const auto* spectra = field_.scorer->family().spectra)
            row_.load(index, *spectra, value);
        else
            row_.load(index, *field_.scorer->family().dot, value);
        row_.order();
        row_.rewind(index);
        for (std::size_t block = 0; block < index.blocks.size(); ++block)
            search_.bounds(row_, static_cast<std::int64_t>(block), kLoose * score,
                           near.bounds.data() + index.blocks[block].first);
    }
    put_in_order(near);
}

void NearMaker::score_all(std::int32_t value, Near& near) {
    auto size = static_cast<std::size_t>(field_.scorer->right_size());
    if (texts_.empty()) {
        texts_.resize(size);
        std::iota(texts_.begin(), texts_.end(), 0);
        scores_.resize(size);
    }
    field_.scorer->scores(value, texts_, scores_.data());
    for (std::size_t text = 0; text < size; ++text) near.bounds[text] = upper::code(join::round_up(scores_[text]));
}

// Places above the limit are listed: about one in sixteen. Where more are needed, looking at all records is no more
// work.
std::uint16_t NearMaker::listed_above(const Near& near) {
    constexpr std::size_t kSample = 512, kListed = 16;
    std::size_t places = near.bounds.size() - 65, stride = places / kSample;
    if (stride < 1) return 0;
    sample_.clear();
    for (std::size_t place = stride / 2; place < places; place += stride) sample_.push_back(near.bounds[place]);
    auto limit = sample_.begin() + static_cast<std::ptrdiff_t>(sample_.size() / kListed);
    std::nth_element(sample_.begin(), limit, sample_.end(), std::greater<>());
    // Groups are listed as a whole.
    std::uint32_t group = *limit >> kGroupBits;
    return static_cast<std::uint16_t>(group ? (group << kGroupBits) - 1 : 0);
}

void NearMaker::put_in_order(Near& near) {
    std::uint16_t limit = listed_above(near);
    auto places = static_cast<std::int64_t>(near.bounds.size()) - 65;
    std::size_t best = 0;
    listed_.clear();
    for (std::int64_t first = 0; first < places; first += join::Index::kBlock) {
        auto size = static_cast<std::int32_t>(std::min<std::int64_t>(places - first, join::Index::kBlock));
        std::int32_t hits = join::find_above(near.bounds.data() + first, size, limit, hits_.data());
        for (std::int32_t hit = 0; hit < hits; ++hit) {
            listed_.push_back(static_cast<std::int32_t>(first + hits_[hit].place));
            best = std::max<std::size_t>(best, hits_[hit].sum >> kGroupBits);
        }
    }
    near.rest = upper::value(limit);
    near.groups.clear();
    near.order.resize(listed_.size());
    next_.assign(best + 2, 0);
    for (std::int32_t place : listed_) ++next_[best - (near.bounds[place] >> kGroupBits) + 1];
    for (std::size_t group = 0; group <= best; ++group) {
        bool any = next_[group + 1] > 0;
        next_[group + 1] += next_[group];
        if (any) near.groups.push_back({most_of(best - group), next_[group + 1], 0});
    }
    for (std::int32_t place : listed_) near.order[next_[best - (near.bounds[place] >> kGroupBits)]++] = place;
    std::int32_t from = 0;
    for (Near::Group& group : near.groups)
        for (; from < group.end; ++from) group.records += places_.records[near.order[from]];
}

}  // namespace likewise::fields
