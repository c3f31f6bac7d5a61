// Training of the tagger: integer perceptron updates, averaged, then scaled to small integers.
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "tagger.hpp"
#include "tagger_features.hpp"

namespace likewise {

namespace {

struct Weight {
    std::int32_t now = 0;
    std::int64_t total = 0;  // sum over the steps so far
    std::int64_t since = 0;  // step of the last change
};

// Weights of one feature for all tags; grown on the first update only.
class Table {
public:
    explicit Table(int tags) : tags_(tags) {}

    void score(std::uint32_t key, std::vector<std::int64_t>& scores) const {
        const auto found = rows_.find(key);
        if (found == rows_.end()) return;
        const Weight* row = weights_.data() + found->second * tags_;
        for (int t = 0; t < tags_; ++t) scores[t] += row[t].now;
    }
    void update(std::uint32_t key, int tag, int change, std::int64_t step) {
        const auto [found, fresh] = rows_.try_emplace(key, rows_.size());
        if (fresh) weights_.resize(weights_.size() + tags_);
        Weight& weight = weights_[found->second * tags_ + tag];
        weight.total += weight.now * (step - weight.since);
        weight.since = step;
        weight.now += change;
    }
    double mean(std::size_t row, int tag, std::int64_t steps) const {
        const Weight& weight = weights_[row * tags_ + tag];
        return static_cast<double>(weight.total + weight.now * (steps - weight.since)) / static_cast<double>(steps);
    }
    std::vector<std::pair<std::uint32_t, std::size_t>> sorted() const {
        std::vector<std::pair<std::uint32_t, std::size_t>> all(rows_.begin(), rows_.end());
        std::sort(all.begin(), all.end());
        return all;
    }

private:
    int tags_;
    std::unordered_map<std::uint32_t, std::size_t> rows_;
    std::vector<Weight> weights_;
};

struct Random {  // splitmix64
    std::uint64_t state;
    std::uint64_t operator()() {
        std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ z >> 27) * 0x94d049bb133111ebull;
        return z ^ z >> 31;
    }
};

template <class T>
void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace

std::string TaggerModel::train(std::span<const std::string> words, std::span<const std::uint8_t> gold,
                               std::span<const std::int64_t> offsets, std::span<const std::string> names,
                               const TaggerTraining& options) {
    const int tags = static_cast<int>(names.size());
    if (tags == 0 || tags > kMostTags) throw std::invalid_argument("too many tags");
    const int start = tags;

    // Lexicon: which tags a word had. Words seen once count as unknown, so that training meets unknown words too.
    std::map<std::string, std::vector<int>> seen, seen_small;
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (auto* map : {&seen, &seen_small}) {
            auto& counts = (*map)[map == &seen ? words[i] : penn::lower(words[i])];
            counts.resize(tags);
            ++counts[gold[i]];
        }
    }
    std::map<std::uint64_t, std::uint8_t> dictionary;
    for (const auto& [word, counts] : seen) {
        int total = 0;
        for (const int count : counts) total += count;
        const auto most = std::max_element(counts.begin(), counts.end());
        if (total >= options.dictionary_count && *most >= options.dictionary_share * total)
            dictionary[hash_bytes(word)] = static_cast<std::uint8_t>(most - counts.begin());
    }
    std::map<std::vector<int>, std::uint16_t> classes;
    std::map<std::uint32_t, std::uint16_t> ambiguity;
    for (const auto& [small, counts] : seen_small) {
        int total = 0;
        for (const int count : counts) total += count;
        if (total < 2) continue;
        std::vector<int> set;  // the two or three common tags, most common first
        for (int t = 0; t < tags; ++t)
            if (counts[t] * 20 >= total) set.push_back(t);
        std::stable_sort(set.begin(), set.end(), [&](int a, int b) { return counts[a] > counts[b]; });
        if (set.size() > 3) set.resize(3);
        const auto [found, fresh] = classes.try_emplace(set, static_cast<std::uint16_t>(classes.size() + 1));
        ambiguity[static_cast<std::uint32_t>(hash_bytes(small))] = found->second;
    }
    const auto class_of = [&](const std::string& small) -> std::uint16_t {
        const auto found = ambiguity.find(static_cast<std::uint32_t>(hash_bytes(small)));
        return found == ambiguity.end() ? 0 : found->second;
    };

    Table table(tags), one(tags), two(tags);
    std::int64_t step = 0;
    std::vector<std::size_t> order(offsets.size() - 1);
    for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
    Random random{options.seed};
    std::vector<std::uint32_t> keys;
    std::vector<std::int64_t> scores(tags);
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        for (std::size_t s = order.size(); s > 1; --s) std::swap(order[s - 1], order[random() % s]);
        for (const std::size_t s : order) {
            int before = start, before2 = start;
            const std::size_t begin = offsets[s], end = offsets[s + 1];
            std::vector<std::string> small;
            for (std::size_t i = begin; i < end; ++i) small.push_back(penn::lower(words[i]));
            for (std::size_t i = begin; i < end; ++i) {
                const auto known = dictionary.find(hash_bytes(words[i]));
                int best;
                if (known != dictionary.end()) {
                    best = known->second;
                } else {
                    keys.clear();
                    const auto emit = [&](std::uint32_t key) { keys.push_back(key); };
                    const auto low = [&](std::size_t j) -> const std::string& { return small[j - begin]; };
                    features::current(words[i], low(i), class_of(low(i)), emit);
                    const auto near = [&](std::size_t j, features::Role role) {
                        features::neighbour(role, words[j], low(j), class_of(low(j)), emit);
                    };
                    if (i > begin) near(i - 1, features::kBefore);
                    if (i > begin + 1) near(i - 2, features::kBefore2);
                    if (i + 1 < end) near(i + 1, features::kAfter);
                    if (i + 2 < end) near(i + 2, features::kAfter2);
                    features::Around at{};
                    const auto hash = [&](std::size_t j) { return static_cast<std::uint32_t>(hash_bytes(low(j))); };
                    at.small = hash(i);
                    at.small_before = i > begin ? hash(i - 1) : 0;
                    at.small_after = i + 1 < end ? hash(i + 1) : 0;
                    at.class_before = i > begin ? class_of(low(i - 1)) : 0xFFFF;
                    at.class_now = class_of(low(i));
                    at.class_after = i + 1 < end ? class_of(low(i + 1)) : 0xFFFF;
                    at.shape = features::shape_class(words[i]);
                    at.tag_before = static_cast<std::uint8_t>(before);
                    at.tag_before2 = static_cast<std::uint8_t>(before2);
                    at.first = i == begin;
                    features::around(at, emit);
                    std::fill(scores.begin(), scores.end(), 0);
                    for (const std::uint32_t key : keys) table.score(key, scores);
                    const auto state2 = static_cast<std::uint32_t>(before2 * (tags + 1) + before);
                    one.score(before, scores);
                    two.score(state2, scores);
                    best = static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
                    ++step;
                    if (best != gold[i]) {
                        for (const auto& [tag, change] :
                             {std::pair<int, int>(gold[i], 1), std::pair<int, int>(best, -1)}) {
                            for (const std::uint32_t key : keys) table.update(key, tag, change, step);
                            one.update(before, tag, change, step);
                            two.update(state2, tag, change, step);
                        }
                    }
                }
                before2 = before;
                before = best;
            }
        }
    }

    // Scale: sums of some thirty weights must fit 16 bits.
    double largest = 1;
    const auto rows = table.sorted();
    for (const auto& [key, row] : rows)
        for (int t = 0; t < tags; ++t) largest = std::max(largest, std::abs(table.mean(row, t, step)));
    for (const Table* other : {&one, &two})
        for (const auto& [key, row] : other->sorted())
            for (int t = 0; t < tags; ++t) largest = std::max(largest, std::abs(other->mean(row, t, step)));
    const double scale = 1000.0 / largest;
    const auto scaled = [&](const Table& from, std::size_t row, int t) {
        return static_cast<std::int16_t>(std::lround(from.mean(row, t, step) * scale));
    };

    std::string out(  // header
        "LWTAG01\n");
    put(out, static_cast<std::uint32_t>(tags));
    for (const std::string& name : names) {
        put(out, static_cast<std::uint8_t>(name.size()));
        out += name;
    }
    put(out, static_cast<std::uint32_t>(dictionary.size()));
    for (const auto& [hash, tag] : dictionary) put(out, hash), put(out, tag);
    put(out, static_cast<std::uint32_t>(ambiguity.size()));
    for (const auto& [hash, number] : ambiguity) put(out, hash), put(out, number);
    std::string body;
    std::uint32_t kept = 0;
    for (const auto& [key, row] : rows) {
        std::string entries;
        std::uint8_t count = 0;
        int strongest = 0;
        for (int t = 0; t < tags; ++t) {
            const std::int16_t weight = scaled(table, row, t);
            if (weight == 0) continue;
            strongest = std::max(strongest, std::abs(static_cast<int>(weight)));
            put(entries, static_cast<std::uint8_t>(t));
            put(entries, weight);
            ++count;
        }
        if (strongest < options.smallest_weight) continue;
        put(body, key);
        put(body, count);
        body += entries;
        ++kept;
    }
    put(out, kept);
    out += body;
    std::vector<std::vector<std::int16_t>> ones(tags + 1, std::vector<std::int16_t>(tags));
    for (const auto& [key, row] : one.sorted())
        for (int t = 0; t < tags; ++t) ones[key][t] = scaled(one, row, t);
    for (const auto& row : ones)
        for (const std::int16_t weight : row) put(out, weight);
    std::string pairs;
    std::uint32_t pair_count = 0;
    for (const auto& [key, row] : two.sorted())
        for (int t = 0; t < tags; ++t)
            if (const std::int16_t weight = scaled(two, row, t)) {
                put(pairs, static_cast<std::uint16_t>(key));
                put(pairs, static_cast<std::uint8_t>(t));
                put(pairs, weight);
                ++pair_count;
            }
    put(out, pair_count);
    return out + pairs;
}

}  // namespace likewise
