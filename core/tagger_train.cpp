// Training of the tagger: integer perceptron updates, averaged, then scaled to small integers.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "hash.hpp"
#include "penn.hpp"
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

std::uint32_t small_hash(std::string_view small) { return static_cast<std::uint32_t>(tag_hash(small)); }

// Which tags words had. Words seen once count as unknown, so that training meets unknown words, too.
class Lexicon {
public:
    Lexicon(std::span<const std::string> words, std::span<const std::uint8_t> gold, int tags,
            const TaggerTraining& options) {
        std::map<std::string, std::vector<int>> seen, seen_small;
        const auto add = [&](std::vector<int>& counts, std::uint8_t tag) {
            counts.resize(tags);
            ++counts[tag];
        };
        for (std::size_t i = 0; i < words.size(); ++i) {
            add(seen[words[i]], gold[i]);
            add(seen_small[penn::lower(words[i])], gold[i]);
        }
        for (const auto& [word, counts] : seen) {
            const int total = std::accumulate(counts.begin(), counts.end(), 0);
            const auto most = std::max_element(counts.begin(), counts.end());
            if (total >= options.dictionary_count && *most >= options.dictionary_share * total)
                dictionary[tag_hash(word)] = static_cast<std::uint8_t>(most - counts.begin());
        }
        std::map<std::vector<int>, std::uint16_t> classes;
        for (const auto& [small, counts] : seen_small) {
            if (std::accumulate(counts.begin(), counts.end(), 0) < 2) continue;
            const auto [found, fresh] =
                classes.try_emplace(common_tags(counts), static_cast<std::uint16_t>(classes.size() + 1));
            ambiguity[small_hash(small)] = found->second;
        }
    }

    std::uint16_t class_of(std::string_view small) const {
        const auto found = ambiguity.find(small_hash(small));
        return found == ambiguity.end() ? 0 : found->second;
    }

    std::map<std::uint64_t, std::uint8_t> dictionary;  // hash of a word -> the only tag it has
    std::map<std::uint32_t, std::uint16_t> ambiguity;  // hash of a lower-cased word -> class of words by common tags

private:
    // The two or three common tags, most common first.
    static std::vector<int> common_tags(const std::vector<int>& counts) {
        const int total = std::accumulate(counts.begin(), counts.end(), 0);
        std::vector<int> set;
        for (std::size_t t = 0; t < counts.size(); ++t)
            if (counts[t] * 20 >= total) set.push_back(static_cast<int>(t));
        std::stable_sort(set.begin(), set.end(), [&](int a, int b) { return counts[a] > counts[b]; });
        if (set.size() > 3) set.resize(3);
        return set;
    }
};

// Learns the weights: of features, and of the one and the two tags before.
class Perceptron {
public:
    Perceptron(const Lexicon& lexicon, int tags)
        : table(tags), one(tags), two(tags), lexicon_(lexicon), tags_(tags), scores_(tags) {}

    void learn(std::span<const std::string> words, std::span<const std::uint8_t> gold) {
        small_.clear();
        for (const std::string& word : words) small_.push_back(penn::lower(word));
        int before = tags_, before2 = tags_;  // the sentence start
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto known = lexicon_.dictionary.find(tag_hash(words[i]));
            int best;
            if (known != lexicon_.dictionary.end()) {
                best = known->second;
            } else {
                find_keys(words, i, before, before2);
                best = decide(before, before2);
                ++step;
                if (best != gold[i]) {
                    update(gold[i], 1, before, before2);
                    update(best, -1, before, before2);
                }
            }
            before2 = before;
            before = best;
        }
    }

    Table table, one, two;
    std::int64_t step = 0;

private:
    std::uint32_t state(int before, int before2) const {
        return static_cast<std::uint32_t>(before2 * (tags_ + 1) + before);
    }

    void find_keys(std::span<const std::string> words, std::size_t i, int before, int before2) {
        keys_.clear();
        const std::size_t end = words.size();
        const auto emit = [&](std::uint32_t key) { keys_.push_back(key); };
        const auto class_of = [&](std::size_t j) { return lexicon_.class_of(small_[j]); };
        features::current(words[i], small_[i], class_of(i), emit);
        const auto near = [&](std::size_t j, features::Role role) {
            features::neighbour(role, words[j], small_[j], class_of(j), emit);
        };
        if (i > 0) near(i - 1, features::kBefore);
        if (i > 1) near(i - 2, features::kBefore2);
        if (i + 1 < end) near(i + 1, features::kAfter);
        if (i + 2 < end) near(i + 2, features::kAfter2);
        features::Around at{};
        at.small = small_hash(small_[i]);
        at.small_before = i > 0 ? small_hash(small_[i - 1]) : 0;
        at.small_after = i + 1 < end ? small_hash(small_[i + 1]) : 0;
        at.class_before = i > 0 ? class_of(i - 1) : 0xFFFF;
        at.class_now = class_of(i);
        at.class_after = i + 1 < end ? class_of(i + 1) : 0xFFFF;
        at.shape = features::shape_class(words[i]);
        at.tag_before = static_cast<std::uint8_t>(before);
        at.tag_before2 = static_cast<std::uint8_t>(before2);
        at.first = i == 0;
        features::around(at, emit);
    }

    int decide(int before, int before2) {
        std::fill(scores_.begin(), scores_.end(), 0);
        for (const std::uint32_t key : keys_) table.score(key, scores_);
        one.score(static_cast<std::uint32_t>(before), scores_);
        two.score(state(before, before2), scores_);
        return static_cast<int>(std::max_element(scores_.begin(), scores_.end()) - scores_.begin());
    }

    void update(int tag, int change, int before, int before2) {
        for (const std::uint32_t key : keys_) table.update(key, tag, change, step);
        one.update(static_cast<std::uint32_t>(before), tag, change, step);
        two.update(state(before, before2), tag, change, step);
    }

    const Lexicon& lexicon_;
    int tags_;
    std::vector<std::string> small_;  // the words of the sentence in lower case
    std::vector<std::uint32_t> keys_;
    std::vector<std::int64_t> scores_;
};

// Writes what was learnt as the bytes that TaggerModel reads.
class Writer {
public:
    // Sums of some thirty weights must fit 16 bits.
    Writer(const Perceptron& learnt, int tags) : learnt_(learnt), tags_(tags) {
        double largest = 1;
        for (const Table* table : {&learnt.table, &learnt.one, &learnt.two})
            for (const auto& [key, row] : table->sorted())
                for (int t = 0; t < tags; ++t) largest = std::max(largest, std::abs(table->mean(row, t, learnt.step)));
        scale_ = 1000.0 / largest;
    }

    std::string write(std::span<const std::string> names, const Lexicon& lexicon, int smallest_weight) const {
        std::string out("LWTAG01\n");
        put(out, static_cast<std::uint32_t>(tags_));
        for (const std::string& name : names) {
            put(out, static_cast<std::uint8_t>(name.size()));
            out += name;
        }
        write_map(lexicon.dictionary, out);
        write_map(lexicon.ambiguity, out);
        write_features(smallest_weight, out);
        write_transitions(out);
        return out;
    }

private:
    std::int16_t scaled(const Table& from, std::size_t row, int tag) const {
        return static_cast<std::int16_t>(std::lround(from.mean(row, tag, learnt_.step) * scale_));
    }

    template <class Map>
    static void write_map(const Map& map, std::string& out) {
        put(out, static_cast<std::uint32_t>(map.size()));
        for (const auto& [hash, number] : map) {
            put(out, hash);
            put(out, number);
        }
    }

    // Features all of whose weights are small are left out.
    void write_features(int smallest_weight, std::string& out) const {
        std::string body;
        std::uint32_t kept = 0;
        for (const auto& [key, row] : learnt_.table.sorted()) {
            std::string entries;
            std::uint8_t count = 0;
            int strongest = 0;
            for (int t = 0; t < tags_; ++t) {
                const std::int16_t weight = scaled(learnt_.table, row, t);
                if (weight == 0) continue;
                strongest = std::max(strongest, std::abs(static_cast<int>(weight)));
                put(entries, static_cast<std::uint8_t>(t));
                put(entries, weight);
                ++count;
            }
            if (strongest < smallest_weight) continue;
            put(body, key);
            put(body, count);
            body += entries;
            ++kept;
        }
        put(out, kept);
        out += body;
    }

    void write_transitions(std::string& out) const {
        std::vector<std::vector<std::int16_t>> ones(tags_ + 1, std::vector<std::int16_t>(tags_));
        for (const auto& [key, row] : learnt_.one.sorted())
            for (int t = 0; t < tags_; ++t) ones[key][t] = scaled(learnt_.one, row, t);
        for (const auto& row : ones)
            for (const std::int16_t weight : row) put(out, weight);
        std::string pairs;
        std::uint32_t count = 0;
        for (const auto& [key, row] : learnt_.two.sorted())
            for (int t = 0; t < tags_; ++t)
                if (const std::int16_t weight = scaled(learnt_.two, row, t)) {
                    put(pairs, static_cast<std::uint16_t>(key));
                    put(pairs, static_cast<std::uint8_t>(t));
                    put(pairs, weight);
                    ++count;
                }
        put(out, count);
        out += pairs;
    }

    const Perceptron& learnt_;
    int tags_;
    double scale_;
};

}  // namespace

std::string TaggerModel::train(std::span<const std::string> words, std::span<const std::uint8_t> gold,
                               std::span<const std::int64_t> offsets, std::span<const std::string> names,
                               const TaggerTraining& options) {
    const int tags = static_cast<int>(names.size());
    if (tags == 0 || tags > kMostTags) throw std::invalid_argument("too many tags, or none");
    const Lexicon lexicon(words, gold, tags, options);
    Perceptron perceptron(lexicon, tags);
    std::vector<std::size_t> order(offsets.size() - 1);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random{options.seed};
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        for (std::size_t s = order.size(); s > 1; --s) std::swap(order[s - 1], order[random() % s]);
        for (const std::size_t s : order) {
            const auto begin = static_cast<std::size_t>(offsets[s]),
                       size = static_cast<std::size_t>(offsets[s + 1]) - begin;
            perceptron.learn(words.subspan(begin, size), gold.subspan(begin, size));
        }
    }
    return Writer(perceptron, tags).write(names, lexicon, options.smallest_weight);
}

}  // namespace likewise
