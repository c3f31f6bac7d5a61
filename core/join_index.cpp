#include "join_index.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "portable.hpp"
#include "radix.hpp"

namespace likewise::join {

namespace {

struct KeyWeight {
    std::int32_t key;
    float y;
    Index::Entry entry;
    std::int32_t count = 1;  // of the terms that have the q-gram
};

// What the two families differ in while the index is built: a text's keys and weights, and its size. Texts are gone
// over several times instead of keeping all that in another form.
struct DotTexts {
    const Rows& rows;
    static constexpr std::size_t repeated = 0;

    std::int64_t size() const { return rows.size(); }
    std::int32_t keys() const { return rows.ids.empty() ? 0 : *std::max_element(rows.ids.begin(), rows.ids.end()) + 1; }
    double entries(std::int64_t text, std::vector<KeyWeight>& out) const {
        out.clear();
        double squares = 0;
        for (std::int64_t i = rows.indptr[text]; i < rows.indptr[text + 1]; ++i) {
            if (!(rows.weights[i] > 0)) continue;
            Index::Entry entry{static_cast<std::uint32_t>(rows.ids[i]), rows.weights[i]};
            out.push_back({rows.ids[i], round_up(rows.weights[i]), entry});
            squares += rows.weights[i] * rows.weights[i];
        }
        return std::sqrt(squares);
    }
    void expect_soon(std::int64_t text) const { prefetch(rows.indptr.data(), text); }
    void expect(std::int64_t text) const {
        for (std::int64_t i = rows.indptr[text]; i < rows.indptr[text + 1]; i += 8) {
            prefetch(rows.weights.data(), i);
            prefetch(rows.ids.data(), i);
        }
    }
};

struct GramTexts {
    const SpectraTexts& texts;
    std::int32_t first_term,
        end;               // keys: of term 0, and after the last; terms are features where there is room for them
    std::size_t repeated;  // q-grams of several terms, in all texts

    std::int64_t size() const { return texts.size(); }
    std::int32_t keys() const { return end; }
    double entries(std::int64_t text, std::vector<KeyWeight>& out) const {
        out.clear();
        if (!(texts.cardinalities[text] > 0)) return 0;
        for (std::int64_t i = texts.gram_indptr[text]; i < texts.gram_indptr[text + 1]; ++i) {
            std::int32_t count = texts.count(i);
            Index::Entry entry{static_cast<std::uint32_t>(texts.grams[i]), texts.values[i]};
            if (count > 1) entry.key |= Index::kSeveral;
            std::int32_t terms = first_term < end ? 1 : count;
            out.push_back({2 * texts.grams[i] + (count > 1), round_up(texts.values[i] / (1 + terms)), entry, count});
        }
        if (first_term < end)
            for (std::int64_t i = texts.term_indptr[text]; i < texts.term_indptr[text + 1]; ++i)
                out.push_back({first_term + texts.terms[i], 0.f, {}});
        return texts.cardinalities[text];
    }
    void expect_soon(std::int64_t text) const {
        prefetch(texts.gram_indptr.data(), text);
        prefetch(texts.cardinalities.data(), text);
    }
    void expect(std::int64_t text) const {
        std::int64_t begin = texts.gram_indptr[text], end = texts.gram_indptr[text + 1];
        for (std::int64_t i = begin; i < end; i += 8) {
            prefetch(texts.values.data(), i);
            if ((i - begin) % 16 == 0) prefetch(texts.grams.data(), i);
        }
        prefetch(texts.several.data(), begin >> 6);
    }
};

// Positions are texts in another order, each in a place of its own in memory: asks for the texts of the next ones.
template <class Texts>
void expect_texts(const Index& index, const Texts& source, std::int64_t position) {
    constexpr std::int64_t kSoon = 16, kNext = 8;
    auto size = static_cast<std::int64_t>(index.texts.size());
    if (position + kSoon < size) source.expect_soon(index.texts[position + kSoon]);
    if (position + kNext < size) source.expect(index.texts[position + kNext]);
}

// Texts by size and number of features, roughly, so that the weights within a block are alike; and among those, texts
// that share many features close together (the more two have in common, the more likely is it that the same feature has
// the smallest hash): the best partners of a text are then often in its own block, where it looks first. Counts the
// keys, too.
template <class Texts>
std::vector<std::int64_t> order_texts(Index& index, const Texts& source) {
    bool by_size = index.family == Index::Family::sum;
    auto step = [](double value, int steps) { return static_cast<std::int32_t>(std::lround(std::log(value) * steps)); };
    std::vector<std::int64_t> counts(source.keys(), 0);
    std::vector<double> sizes;
    std::vector<KeyWeight> entries;
    std::vector<std::tuple<std::int32_t, std::int32_t, std::uint32_t, std::int32_t>> keys;
    for (std::int64_t text = 0; text < source.size(); ++text) {
        sizes.push_back(source.entries(text, entries));
        if (entries.empty()) continue;
        std::uint32_t smallest = std::numeric_limits<std::uint32_t>::max();
        for (const KeyWeight& entry : entries) {
            smallest = std::min(smallest, static_cast<std::uint32_t>(entry.key + 1) * 2654435769u);
            ++counts[entry.key];
        }
        keys.emplace_back(by_size ? step(sizes.back(), 20) : 0, step(static_cast<double>(entries.size()), 4), smallest,
                          static_cast<std::int32_t>(text));
    }
    std::sort(keys.begin(), keys.end());
    index.positions.assign(sizes.size(), -1);
    for (auto& [size, count, hash, text] : keys) {
        index.positions[text] = static_cast<std::int32_t>(index.texts.size());
        index.texts.push_back(text);
        index.sizes.push_back(sizes[text]);
    }
    return counts;
}

void number_features(Index& index, const std::vector<std::int64_t>& counts, std::vector<std::int64_t>& lengths) {
    std::vector<std::int32_t> order;
    for (std::size_t key = 0; key < counts.size(); ++key)
        if (counts[key]) order.push_back(static_cast<std::int32_t>(key));
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return counts[a] > counts[b]; });
    index.features.assign(counts.size(), -1);
    for (std::size_t feature = 0; feature < order.size(); ++feature) {
        index.features[order[feature]] = static_cast<std::int32_t>(feature);
        lengths.push_back(counts[order[feature]]);
    }
    index.largest.assign(order.size(), 0);
}

// Blocks end where they are full, or where texts have become clearly larger than the first: bounds are as good as the
// texts of a block are alike. Few texts can be cut finer.
void cut_blocks(Index& index) {
    auto texts = static_cast<std::int64_t>(index.texts.size());
    std::int64_t small = std::clamp<std::int64_t>(texts / 20, 512, 2048);
    double spread = small < 2048 ? 1.1 : 1.25;  // how much larger than its first text a block's texts may be
    bool sum = index.family == Index::Family::sum;
    std::int64_t most = std::clamp<std::int64_t>(sum ? 0 : texts / 8, Index::kCachedBlock, Index::kBlock);
    for (std::int64_t position = 0; position < texts; ++position) {
        double size = index.sizes[position];
        std::int64_t count = index.blocks.empty() ? 0 : position - index.blocks.back().first;
        if (!count || count == most ||
            (sum && count >= small && texts - position >= small && size > spread * index.blocks.back().smallest)) {
            index.blocks.emplace_back();
            index.blocks.back().first = position;
            index.blocks.back().smallest = size;
            index.blocks.back().ranges.push_back({0, size});
        }
        auto& block = index.blocks.back();
        auto place = static_cast<std::int32_t>(position - block.first);
        // Texts are ordered by size only roughly: a range ends where all of the next are larger.
        if (sum && place % 64 == 0) {
            double next =
                *std::min_element(index.sizes.begin() + position, index.sizes.begin() + std::min(position + 64, texts));
            if (next > 1.02 * block.ranges.back().smallest) block.ranges.push_back({place, next});
        }
        block.end = position + 1;
        block.smallest = std::min(block.smallest, size);
        block.largest = std::max(block.largest, size);
        block.ranges.back().end = place + 1;
        block.ranges.back().smallest = std::min(block.ranges.back().smallest, size);
    }
}

template <class Texts>
void measure_blocks(Index& index, const Texts& source, const std::vector<std::int64_t>& lengths) {
    std::vector<KeyWeight> entries;
    double weights = 0, shared = 0;  // of all texts; of what any text shares with any other
    auto size = static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
    if (!index.with_terms) index.rows.reserve(size + source.repeated);
    for (auto& block : index.blocks)
        for (std::int64_t position = block.first; position < block.end; ++position) {
            double total = 0;
            expect_texts(index, source, position);
            source.entries(index.texts[position], entries);
            for (const KeyWeight& entry : entries) {
                std::int32_t feature = index.features[entry.key];
                index.largest[feature] = std::max(index.largest[feature], entry.y);
                shared += static_cast<double>(entry.y) * static_cast<double>(lengths[feature]);
                block.heaviest = std::max(block.heaviest, entry.y);
                total += entry.y;
                if (index.with_terms) continue;
                index.rows.push_back(entry.entry);
                if (entry.count > 1) index.rows.push_back({index.no_gram(), static_cast<double>(entry.count)});
            }
            if (!index.with_terms) index.row_start.push_back(static_cast<std::int64_t>(index.rows.size()));
            weights += total;
            block.total = std::max(block.total, round_up(total));
            block.longest = std::max(block.longest, static_cast<std::int32_t>(entries.size()));
        }
    // In the sum family left and right share the unit, and a sum should stay within 16 bits for left texts of the
    // block's size, which bring up to twice what right ones do (a q-gram that several terms of some right text have
    // is taken whole). Long texts share hundreds of features, each rounded up, and most pairs a small part of what they
    // have: units are finer there, and sums of pairs that share half of it, and three times the mean, are cut off. In
    // the product family the left weight is scaled for each block, so y can use all bits, but for rounding up to eight
    // of them in a column.
    constexpr double kRight = 21500, kRightOfLong = 32000;
    double mean = shared / std::max(weights * static_cast<double>(index.texts.size()), 1e-30);
    double share = index.with_terms ? std::clamp(3 * mean, 0.5, 1.0) : 1.0;
    for (auto& block : index.blocks) {
        if (index.family == Index::Family::product)
            block.unit = 65024.0 / block.heaviest;
        else
            block.unit = (index.with_terms ? kRightOfLong : kRight) / (std::max(block.total, 1e-30f) * share);
        block.inverse = static_cast<float>(1 / block.unit);
    }
}

template <class Texts>
void fill_lists(Index& index, const Texts& source, const std::vector<std::int64_t>& lengths) {
    auto blocks = static_cast<std::int64_t>(index.blocks.size());
    auto features = static_cast<std::int32_t>(lengths.size());
    // Cells cost 16 bytes a feature and block, so they are for features that have more postings than blocks.
    while (index.dense < features && lengths[index.dense] >= 2 * blocks) ++index.dense;
    index.cells.assign(static_cast<std::size_t>(index.dense) * blocks, {});
    index.rare_start.assign(features - index.dense + 1, 0);
    for (std::int32_t feature = index.dense; feature < features; ++feature)
        index.rare_start[feature - index.dense + 1] = index.rare_start[feature - index.dense] + lengths[feature];
    index.rare.resize(index.rare_start.back());
    std::int64_t postings = std::accumulate(lengths.begin(), lengths.begin() + index.dense, std::int64_t{0});
    if (postings > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("more than 4 G postings");
    index.postings.resize(static_cast<std::size_t>(postings));
    std::vector<KeyWeight> entries;
    std::vector<std::int64_t> rare_at(index.rare_start.begin(), index.rare_start.end() - 1);
    std::vector<std::uint32_t> at(index.dense);
    std::uint32_t start = 0;
    for (std::int64_t block = 0; block < blocks; ++block) {
        const auto& info = index.blocks[block];
        auto* cells = index.cells.data() + block * index.dense;
        for (std::int64_t position = info.first; position < info.end; ++position) {
            expect_texts(index, source, position);
            source.entries(index.texts[position], entries);
            for (const KeyWeight& entry : entries)
                if (index.features[entry.key] < index.dense) ++cells[index.features[entry.key]].size;
        }
        for (std::int32_t feature = 0; feature < index.dense; ++feature) {
            at[feature] = cells[feature].start = start;
            start += cells[feature].size;
        }
        for (std::int64_t position = info.first; position < info.end; ++position) {
            expect_texts(index, source, position);
            source.entries(index.texts[position], entries);
            for (const KeyWeight& entry : entries) {
                auto weight = static_cast<std::uint16_t>(std::min(65535.0, std::ceil(entry.y * info.unit)));
                std::int32_t feature = index.features[entry.key];
                if (feature < index.dense) {
                    index.postings[at[feature]++] = {static_cast<std::uint16_t>(position - info.first), weight};
                    cells[feature].largest = std::max(cells[feature].largest, entry.y);
                } else {
                    index.rare[rare_at[feature - index.dense]++] = {static_cast<std::int32_t>(position), weight};
                }
            }
        }
    }
}

void fill_columns(Index& index) {
    std::int32_t count = 0;
    // Long texts have so many lists that columns pay early.
    std::int64_t smallest = index.with_terms ? 32 : 256;
    for (auto& block : index.blocks)
        index.column_size = std::max(index.column_size, (block.end - block.first + 63) / 64 * 64);
    auto each_column = [&](auto&& body) {
        for (std::size_t block = 0; block < index.blocks.size(); ++block)
            for (std::int32_t feature = 0; feature < index.dense; ++feature) {
                auto& cell = index.cells[block * index.dense + feature];
                std::int64_t texts = index.blocks[block].end - index.blocks[block].first;
                if (cell.size >= smallest && cell.size * Index::kColumnShare >= texts) body(cell);
            }
    };
    each_column([&](Index::Cell& cell) { cell.column = count++; });
    index.columns.assign(count * index.column_size, 0);
    each_column([&](Index::Cell& cell) {
        const auto* postings = index.postings.data() + cell.start;
        int largest = 0;
        for (std::uint32_t i = 0; i < cell.size; ++i) largest = std::max<int>(largest, postings[i].weight);
        while ((largest >> cell.shift) >= 255) ++cell.shift;
        std::uint8_t* column = index.columns.data() + cell.column * index.column_size;
        for (std::uint32_t i = 0; i < cell.size; ++i) {
            int weight = (postings[i].weight + (1 << cell.shift) - 1) >> cell.shift;
            column[postings[i].text] = static_cast<std::uint8_t>(std::max(weight, 1));
        }
    });
}

template <class Texts>
void build(Index& index, const Texts& source) {
    index.right_size = source.size();
    if (index.right_size > std::numeric_limits<std::int32_t>::max())
        throw std::length_error("more than 2 G texts on one side");
    std::vector<std::int64_t> lengths;
    number_features(index, order_texts(index, source), lengths);
    cut_blocks(index);
    measure_blocks(index, source, lengths);
    fill_lists(index, source, lengths);
    fill_columns(index);
}

}  // namespace

bool Index::is_of(const PairScorer& scorer) const {
    if (right_size != scorer.right_size()) return false;
    auto [dot, spectra] = scorer.family();
    if (dot) {
        auto same = [](const auto& a, const auto& b) { return a.data() == b.data() || std::ranges::equal(a, b); };
        return family == Family::product && same(dot_source.indptr, dot->right.indptr) &&
               same(dot_source.ids, dot->right.ids) && same(dot_source.weights, dot->right.weights);
    }
    if (!spectra) return family == Family::any;
    if (family != Family::sum) return false;
    const SpectraTexts &mine = *spectra_source, &other = spectra->right;
    return &mine == &other ||
           (mine.made_from == other.made_from && mine.gram_indptr == other.gram_indptr && mine.grams == other.grams &&
            mine.counts == other.counts && mine.values == other.values && mine.terms == other.terms);
}

Index::Index(const DotScorer& scorer) : family(Family::product), dot_source(scorer.right) {
    build(*this, DotTexts{scorer.right});
}

namespace {

std::int32_t largest_of(const HugeVector<std::int32_t>& ids) {
    return ids.empty() ? -1 : *std::max_element(ids.begin(), ids.end());
}

// Q-grams of several terms, in all texts.
std::size_t repeated_of(const SpectraTexts& texts) {
    std::size_t repeated = 0;
    for (std::uint64_t word : texts.several) repeated += static_cast<std::size_t>(std::popcount(word));
    return repeated;
}

}  // namespace

bool has_long_texts(const SpectraTexts& texts) {
    // One in so many q-grams of a text is in several of its terms: so many that bounds have to look closer.
    constexpr std::size_t kLongTexts = 12;
    return texts.frequencies.empty() && repeated_of(texts) * kLongTexts > texts.grams.size();
}

Index::Index(const SpectraScorer& scorer)
    : family(Family::sum), spectra_source(&scorer.right), frequencies(!scorer.right.frequencies.empty()) {
    const SpectraTexts& texts = scorer.right;
    with_terms = has_long_texts(texts);
    first_term = 2 * (largest_of(texts.grams) + 1);
    std::int32_t end = with_terms ? first_term + largest_of(texts.terms) + 1 : first_term;
    build(*this, GramTexts{texts, first_term, end, repeated_of(texts)});
    if (with_terms) {
        gather_spreads(*this, texts);
        fill_long_rows(*this, texts);
        return;
    }
    repeated_excess.assign(largest.size(), 0);
    for (std::size_t i = 0; i < texts.grams.size(); ++i) {
        if (texts.counts[i] < 2) continue;
        std::int32_t feature = features[2 * texts.grams[i] + 1];
        if (feature < 0) continue;
        double excess = texts.values[i] * texts.counts[i] / (1 + texts.counts[i]);
        repeated_excess[feature] = std::max(repeated_excess[feature], round_up(excess));
    }
}

Index::Index(std::int64_t right_size) : family(Family::any), right_size(right_size) {
    texts.resize(right_size);
    std::iota(texts.begin(), texts.end(), 0);
    positions = texts;
}

void Row::load(const Index& index, const DotScorer& scorer, std::int64_t text) {
    clear();
    auto known = static_cast<std::int32_t>(index.features.size());
    const Rows& rows = scorer.left;
    double squares = 0;
    for (std::int64_t i = rows.indptr[text]; i < rows.indptr[text + 1]; ++i) {
        if (rows.ids[i] >= known || !(rows.weights[i] > 0)) continue;
        std::int32_t feature = index.features[rows.ids[i]];
        if (feature < 0) continue;
        squares += rows.weights[i] * rows.weights[i];
        add(feature, rows.weights[i], Entry::exact);
    }
    size = std::sqrt(squares);
}

void Row::load(const Index& index, const SpectraScorer& scorer, std::int64_t text, const float* shared) {
    clear();
    const SpectraTexts& texts = scorer.left;
    size = texts.cardinalities[text];
    if (!(size > 0)) return;
    if (index.with_terms) return load_long(index, scorer, text, shared);
    bool frequencies = index.frequencies || !texts.frequencies.empty();
    for (std::int64_t i = texts.gram_indptr[text]; i < texts.gram_indptr[text + 1]; ++i) {
        std::int64_t key = 2 * static_cast<std::int64_t>(texts.grams[i]);
        if (key >= index.first_term) continue;
        std::int32_t single = index.features[key], several = index.features[key + 1];
        double value = texts.values[i], count = texts.counts[i];
        if (single >= 0) {
            double x = value / 2;
            if (count > 1) {
                double largest = 2.0 * index.largest[single];
                x = value / (1 + count) + largest / 2;
                if (!frequencies) x = std::max(std::min(count * value, largest) / 2, x - largest / (1 + count));
            }
            auto kind = frequencies ? Entry::from_zero : count > 1 ? Entry::from_y : Entry::exact;
            add(single, x, kind);
        }
        if (several >= 0) add(several, count > 1 ? value + index.repeated_excess[several] : value, Entry::from_zero);
        // A right text has it in one of the two ways.
        if (single >= 0 && several >= 0) total -= std::min(entries.end()[-1].weight, entries.end()[-2].weight);
    }
}

void Row::order() {
    constexpr std::size_t kMany = 64;  // from here on sorting by digits is quicker
    if (entries.size() < kMany) {
        std::sort(entries.begin(), entries.end(), [](auto& a, auto& b) { return a.feature < b.feature; });
        return;
    }
    thread_local std::vector<std::uint64_t> keys, spare;
    thread_local std::vector<Entry> ordered;
    std::uint64_t largest = 0;
    keys.clear();
    for (std::size_t place = 0; place < entries.size(); ++place) {
        auto feature = static_cast<std::uint64_t>(entries[place].feature);
        largest = std::max(largest, feature);
        keys.push_back(feature << 32 | place);
    }
    sort_by_upper(keys, spare, static_cast<std::uint32_t>(largest));
    ordered.clear();
    for (std::uint64_t key : keys) ordered.push_back(entries[static_cast<std::uint32_t>(key)]);
    entries.swap(ordered);
}

void Row::rewind(const Index& index) {
    cursors.clear();
    for (const auto& entry : entries) {
        if (entry.feature < index.dense) continue;
        const auto* start = index.rare_start.data() + (entry.feature - index.dense);
        if (start[0] < start[1])
            cursors.push_back({index.rare.data() + start[0], index.rare.data() + start[1], entry.weight,
                               index.largest[entry.feature], entry.kind});
    }
}

}  // namespace likewise::join

namespace likewise {

std::shared_ptr<const join::Index> PairScorer::lists() const {
    return std::make_shared<const join::Index>(right_size());
}
std::shared_ptr<const join::Index> DotScorer::lists() const { return std::make_shared<const join::Index>(*this); }
std::shared_ptr<const join::Index> SpectraScorer::lists() const { return std::make_shared<const join::Index>(*this); }

}  // namespace likewise
