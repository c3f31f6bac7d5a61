#include "join_codes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "join_block.hpp"
#include "join_candidates.hpp"
#include "join_codes_kernel.hpp"
#include "join_complete.hpp"
#include "join_found.hpp"
#include "join_index.hpp"
#include "lists.hpp"
#include "spectra.hpp"

namespace likewise::join {

namespace {

constexpr std::int64_t kRange = 64;  // texts of about equal size

// The right side: texts by size, what is in many of them as columns, what is in few as lists.
class CodeLists {
public:
    explicit CodeLists(const SpectraTexts& texts);

    struct Posting {
        std::int32_t position;
        float value, count;
    };

    Index index;  // rows of the texts, for completing candidates; no lists
    std::int64_t size() const { return std::ssize(index.texts); }
    std::int64_t blocks() const { return (size() + CodeColumn::kBlock - 1) / CodeColumn::kBlock; }
    std::int64_t ranges() const { return (size() + kRange - 1) / kRange; }

    // Columns of q-grams come first, then those of terms.
    std::vector<std::int32_t> gram_columns, term_columns;  // -1 without
    std::vector<CodeBook> books;
    std::vector<float> largest;        // q-gram -> v
    std::vector<std::int64_t> starts;  // q-gram -> its postings, none where it has a column
    HugeVector<Posting> postings;
    std::vector<std::int64_t> term_starts;  // the same of terms
    std::vector<std::int32_t> term_positions;
    const std::uint8_t* columns_of(std::int64_t block) const {
        return columns_.data() + block * CodeColumn::kBytes * column_count_;
    }

private:
    // K of a q-gram: one, two, more. Each has some codes, by the root of v, of which there are more small ones.
    static constexpr int kClasses = 3;
    static int class_of(std::int32_t count) { return std::min<int>(count, kClasses) - 1; }
    struct Reach {
        float smallest = std::numeric_limits<float>::max(), largest = 0;  // roots of v
    };

    void take_texts(const SpectraTexts& texts);
    void gather(const SpectraTexts& texts);
    void choose_columns();
    void fill_columns(const SpectraTexts& texts);
    void fill_lists(const SpectraTexts& texts);

    std::int64_t column_count_ = 0;
    std::vector<std::int64_t> gram_lengths_, term_lengths_;
    std::vector<Reach> reaches_;  // q-gram * kClasses + class
    HugeVector<std::uint8_t> columns_;
};

std::size_t keys_of(const HugeVector<std::int32_t>& ids) {
    return ids.empty() ? 0 : static_cast<std::size_t>(*std::max_element(ids.begin(), ids.end())) + 1;
}

CodeLists::CodeLists(const SpectraTexts& texts) : index(0) {
    index.right_size = texts.size();
    take_texts(texts);
    gather(texts);
    choose_columns();
    fill_columns(texts);
    fill_lists(texts);
}

void CodeLists::take_texts(const SpectraTexts& texts) {
    index.family = Index::Family::sum;
    index.spectra_source = &texts;
    index.with_terms = true;
    index.first_term = static_cast<std::int32_t>(2 * keys_of(texts.grams));
    for (std::int64_t text = 0; text < texts.size(); ++text)
        if (texts.cardinalities[text] > 0) index.texts.push_back(static_cast<std::int32_t>(text));
    std::stable_sort(index.texts.begin(), index.texts.end(),
                     [&](auto a, auto b) { return texts.cardinalities[a] < texts.cardinalities[b]; });
    index.positions.assign(static_cast<std::size_t>(texts.size()), -1);
    for (std::int32_t text : index.texts) {
        index.positions[text] = static_cast<std::int32_t>(index.sizes.size());
        index.sizes.push_back(texts.cardinalities[text]);
    }
    fill_long_rows(index, texts);
}

// How many texts have each q-gram and term, and what they have.
void CodeLists::gather(const SpectraTexts& texts) {
    std::size_t grams = keys_of(texts.grams);
    gram_lengths_.assign(grams, 0);
    term_lengths_.assign(keys_of(texts.terms), 0);
    reaches_.assign(grams * kClasses, {});
    index.whole_spreads.assign(grams, {});
    largest.assign(grams, 0);
    const auto& rows = index.long_rows;
    for (std::size_t i = 0; i < rows.grams.size(); ++i) {
        std::int32_t gram = rows.grams[i];
        auto count = static_cast<std::int32_t>(rows.counts[i]);
        float value = rows.values[i], root = std::sqrt(value);
        ++gram_lengths_[gram];
        auto& reach = reaches_[static_cast<std::size_t>(gram) * kClasses + class_of(count)];
        reach = {std::min(reach.smallest, root), std::max(reach.largest, root)};
        if (count < 2) continue;
        auto& spread = index.whole_spreads[gram];
        float low = value * (1 - 1e-6f), high = value * (1 + 1e-6f);
        spread = spread.fewest ? Index::Spread{std::min(spread.fewest, count), std::max(spread.most, count),
                                               std::min(spread.smallest, low), std::max(spread.largest, high)}
                               : Index::Spread{count, count, low, high};
    }
    for (std::int32_t text : index.texts)
        for (std::int64_t i = texts.term_indptr[text]; i < texts.term_indptr[text + 1]; ++i)
            ++term_lengths_[texts.terms[i]];
}

// A column costs a left text about as much as a list of one in thirty texts does.
void CodeLists::choose_columns() {
    std::int64_t least = std::max<std::int64_t>(size() / 32, 16);
    auto number = [&](const std::vector<std::int64_t>& lengths, std::vector<std::int32_t>& columns) {
        columns.assign(lengths.size(), -1);
        for (std::size_t key = 0; key < lengths.size(); ++key)
            if (lengths[key] >= least) columns[key] = static_cast<std::int32_t>(column_count_++);
    };
    number(gram_lengths_, gram_columns);
    books.assign(static_cast<std::size_t>(column_count_), {});
    number(term_lengths_, term_columns);
    columns_.assign(static_cast<std::size_t>(blocks() * column_count_ * CodeColumn::kBytes), 0);
}

void CodeLists::fill_columns(const SpectraTexts& texts) {
    const auto& rows = index.long_rows;
    for (std::int64_t position = 0; position < size(); ++position) {
        std::uint8_t* columns = columns_.data() + position / CodeColumn::kBlock * CodeColumn::kBytes * column_count_;
        std::int64_t place = position % CodeColumn::kBlock;
        for (std::int64_t i = index.row_start[position]; i < index.row_start[position + 1]; ++i) {
            std::int32_t gram = rows.grams[i], column = gram_columns[gram];
            if (column < 0) continue;
            float count = rows.counts[i], value = rows.values[i] * (1 + 1e-6f);
            int kind = class_of(static_cast<std::int32_t>(count)),
                codes = CodeBook::kFirst[kind + 1] - CodeBook::kFirst[kind];
            const auto& reach = reaches_[static_cast<std::size_t>(gram) * kClasses + kind];
            float wide = reach.largest - reach.smallest;
            int level =
                wide > 0
                    ? static_cast<int>((std::sqrt(rows.values[i]) - reach.smallest) / wide * static_cast<float>(codes))
                    : 0;
            int code = CodeBook::kFirst[kind] + std::clamp(level, 0, codes - 1);
            CodeColumn::put(columns + CodeColumn::kBytes * column, place, code);
            auto& book = books[column];
            book.largest[code] = std::max(book.largest[code], value);
            if (code < CodeBook::kFirst[2]) continue;
            float &fewest = book.fewest[code - CodeBook::kFirst[2]], &most = book.most[code - CodeBook::kFirst[2]];
            fewest = most > 0 ? std::min(fewest, count) : count;
            most = std::max(most, count);
        }
        std::int32_t text = index.texts[position];
        for (std::int64_t i = texts.term_indptr[text]; i < texts.term_indptr[text + 1]; ++i) {
            std::int32_t column = term_columns[texts.terms[i]];
            if (column >= 0) CodeColumn::put(columns + CodeColumn::kBytes * column, place, 1);
        }
    }
}

void CodeLists::fill_lists(const SpectraTexts& texts) {
    const auto& rows = index.long_rows;
    std::int64_t rare = 0, rare_terms = 0;
    for (std::size_t gram = 0; gram < gram_columns.size(); ++gram)
        if (gram_columns[gram] < 0) rare += gram_lengths_[gram];
    for (std::size_t term = 0; term < term_columns.size(); ++term)
        if (term_columns[term] < 0) rare_terms += term_lengths_[term];
    postings.resize(static_cast<std::size_t>(rare));
    term_positions.resize(static_cast<std::size_t>(rare_terms));
    auto each = [&](auto&& visit) {
        for (std::int64_t position = 0; position < size(); ++position)
            for (std::int64_t i = index.row_start[position]; i < index.row_start[position + 1]; ++i)
                if (gram_columns[rows.grams[i]] < 0) visit(static_cast<std::size_t>(rows.grams[i]), position, i);
    };
    starts = into_lists(gram_columns.size(), each, [&](std::size_t at, std::int64_t position, std::int64_t i) {
        postings[at] = {static_cast<std::int32_t>(position), rows.values[i], rows.counts[i]};
        float& most = largest[rows.grams[i]];
        most = std::max(most, rows.values[i]);
    });
    auto each_term = [&](auto&& visit) {
        for (std::int64_t position = 0; position < size(); ++position) {
            std::int32_t text = index.texts[position];
            for (std::int64_t i = texts.term_indptr[text]; i < texts.term_indptr[text + 1]; ++i)
                if (term_columns[texts.terms[i]] < 0) visit(static_cast<std::size_t>(texts.terms[i]), position);
        }
    };
    term_starts = into_lists(term_columns.size(), each_term, [&](std::size_t at, std::int64_t position) {
        term_positions[at] = static_cast<std::int32_t>(position);
    });
}

// What a left text looks up: a table for each column that it meets. Kept for some texts, which take each block
// together.
struct CodeRow {
    std::vector<CodeTable> given;
    std::vector<std::uint8_t> tables;
    std::vector<float> shared;        // by place of the term, the most that sharing it adds
    std::vector<std::uint16_t> sums;  // by position: never below what is common, in units
    double unit = 0;
};

struct Worker {
    struct Open {
        double high;
        std::int32_t position;
    };
    Completer completer;
    std::vector<CodeRow> rows;
    std::vector<float> amounts, largest;  // of the tables of the text at work, before they are in units
    std::vector<std::uint32_t> numbers;   // their columns
    std::vector<std::uint16_t> group_sums;
    std::vector<double> highs, order;  // by range: the most that a score can be
    std::vector<Hit> hits;
    std::vector<Open> open;
    std::vector<std::pair<std::int32_t, Bounds>> near;
    Stats stats;

    Worker(const CodeLists& lists, const SpectraScorer& scorer, std::size_t rows)
        : completer(lists.index, &scorer, nullptr), rows(rows), hits(kRange) {}
};

class Codes {
public:
    Codes(const SpectraScorer& scorer, const Options& options, const CodeLists& lists)
        : scorer_(scorer),
          options_(options),
          lists_(lists),
          need_{false, scorer.coefficient},
          count_(std::min(options.count, std::max<std::int64_t>(scorer.right_size(), 1))) {}

    Result run(Control& control) const;

private:
    static constexpr std::int64_t kChunk =
        64;  // left texts that take a block together, so that it stays in the second cache

    void look_up(Worker& worker, CodeRow& row, std::int64_t left) const;
    void add_lists(CodeRow& row, std::int64_t left) const;
    void choose(Worker& worker, CodeRow& row, std::int64_t left, std::vector<Pair>& out) const;
    void open_from(Worker& worker, CodeRow& row, double size, double score) const;
    void narrow(Worker& worker, double size, std::int64_t left, BestPairs& lows, double least) const;
    double floor_of(std::int64_t left) const {
        return std::max(options_.min_score, options_.floors ? options_.floors[left] : 0);
    }
    // The score of what is common, for bounds that may be more than two texts can have in common.
    double score_of(double common, double left, double right) const {
        constexpr double kMore = 1 + 1e-9;
        if (scorer_.coefficient.kind == Coefficient::Kind::jaccard)
            return common < left + right ? common / (left + right - common) * kMore
                                         : std::numeric_limits<double>::infinity();
        return common / scorer_.coefficient.denominator(0, left, right) * kMore;
    }

    const SpectraScorer& scorer_;
    const Options& options_;
    const CodeLists& lists_;
    Need need_;
    std::int64_t count_;
};

// Amounts first, as their sum says how fine units can be: sums end at 2^16.
void Codes::look_up(Worker& worker, CodeRow& row, std::int64_t left) const {
    const SpectraTexts& texts = scorer_.left;
    constexpr std::size_t kCodes = CodeColumn::kCodes;
    std::int64_t first = texts.gram_indptr[left], end = texts.gram_indptr[left + 1];
    std::int64_t first_term = texts.term_indptr[left], terms = texts.term_indptr[left + 1] - first_term;
    auto& amounts = worker.amounts;
    amounts.resize(static_cast<std::size_t>(end - first + terms) * kCodes);
    worker.largest.clear();
    worker.numbers.clear();
    double total = 0;
    std::size_t entries = 0;
    for (std::int64_t i = first; i < end; ++i) {
        auto gram = static_cast<std::size_t>(texts.grams[i]);
        if (gram >= lists_.gram_columns.size()) break;
        auto value = static_cast<float>(texts.values[i]), count = static_cast<float>(texts.counts[i]);
        std::int32_t column = lists_.gram_columns[gram];
        ++entries;
        if (column < 0) {
            total += std::max(value, lists_.largest[gram]);
            continue;
        }
        worker.largest.push_back(
            bases_of(lists_.books[column], value, count, amounts.data() + kCodes * worker.numbers.size()));
        worker.numbers.push_back(static_cast<std::uint32_t>(column));
        total += worker.largest.back();
    }
    row.shared.resize(static_cast<std::size_t>(terms));
    shared_terms(lists_.index, scorer_, left, row.shared.data());
    for (std::int64_t i = 0; i < terms; ++i) {
        auto term = static_cast<std::size_t>(texts.terms[first_term + i]);
        float amount = row.shared[i];
        if (term >= lists_.term_columns.size() || !(amount > 0)) continue;
        ++entries;
        total += amount;
        if (lists_.term_columns[term] < 0) continue;
        float* table = amounts.data() + kCodes * worker.numbers.size();
        std::fill_n(table, kCodes, 0.0f);
        table[1] = amount;
        worker.largest.push_back(amount);
        worker.numbers.push_back(static_cast<std::uint32_t>(lists_.term_columns[term]));
    }
    row.unit = (65000.0 - static_cast<double>(entries)) / std::max(total, 1e-30);
    auto unit = static_cast<float>(row.unit * (1 + 1e-5));
    row.given.clear();
    row.tables.clear();
    for (std::size_t i = 0; i < worker.numbers.size(); ++i) {
        // What is more than a byte is added in parts.
        float most = worker.largest[i] * unit + 1, taken = 0;
        do {
            row.given.push_back({worker.numbers[i], static_cast<std::uint32_t>(row.tables.size())});
            row.tables.resize(row.tables.size() + kCodes);
            to_units(amounts.data() + kCodes * i, unit, taken, row.tables.data() + row.tables.size() - kCodes);
            taken += 255;
        } while (taken < most);
    }
}

void Codes::add_lists(CodeRow& row, std::int64_t left) const {
    const SpectraTexts& texts = scorer_.left;
    auto unit = static_cast<float>(row.unit * (1 + 1e-5));
    auto add = [&](std::int32_t position, float amount) {
        row.sums[position] = static_cast<std::uint16_t>(row.sums[position] + static_cast<int>(amount * unit + 1));
    };
    for (std::int64_t i = texts.gram_indptr[left]; i < texts.gram_indptr[left + 1]; ++i) {
        auto gram = static_cast<std::size_t>(texts.grams[i]);
        if (gram >= lists_.gram_columns.size()) break;
        if (lists_.gram_columns[gram] >= 0) continue;
        auto value = static_cast<float>(texts.values[i]), count = static_cast<float>(texts.counts[i]);
        for (std::int64_t k = lists_.starts[gram]; k < lists_.starts[gram + 1]; ++k) {
            const auto& other = lists_.postings[k];
            add(other.position, (other.count * value + count * other.value) / (count + other.count));
        }
    }
    std::int64_t first = texts.term_indptr[left];
    for (std::int64_t i = first; i < texts.term_indptr[left + 1]; ++i) {
        auto term = static_cast<std::size_t>(texts.terms[i]);
        if (term >= lists_.term_columns.size() || lists_.term_columns[term] >= 0) continue;
        float amount = row.shared[i - first];
        if (!(amount > 0)) continue;
        for (std::int64_t k = lists_.term_starts[term]; k < lists_.term_starts[term + 1]; ++k)
            add(lists_.term_positions[k], amount);
    }
}

// Opens the texts that can reach the score, the most promising first. They are not found again.
void Codes::open_from(Worker& worker, CodeRow& row, double size, double score) const {
    worker.open.clear();
    const auto& sizes = lists_.index.sizes;
    for (std::int64_t range = 0; range < lists_.ranges(); ++range) {
        if (worker.highs[range] < score || !worker.group_sums[range]) continue;
        std::int64_t first = range * kRange;
        double need = need_(score, size, sizes[first]) * (1 - 1e-6) * row.unit - 1;
        auto limit = static_cast<std::uint16_t>(std::clamp(need, 0.0, 65534.0));
        std::int32_t found = find_above(row.sums.data() + first, kRange, limit, worker.hits.data());
        for (std::int32_t i = 0; i < found; ++i) {
            auto position = static_cast<std::int32_t>(first + worker.hits[i].place);
            double high = score_of(worker.hits[i].sum / row.unit, size, sizes[position]);
            if (high < score) continue;
            worker.open.push_back({high, position});
            row.sums[position] = 0;
        }
    }
    std::sort(worker.open.begin(), worker.open.end(),
              [](auto& a, auto& b) { return a.high != b.high ? a.high > b.high : a.position < b.position; });
}

// Finds out the scores of those that are open, nearly to the bit, as far as they can be among the best.
void Codes::narrow(Worker& worker, double size, std::int64_t left, BestPairs& lows, double floor) const {
    constexpr std::size_t kSoon = 12, kNext = 6;
    const auto& open = worker.open;
    auto least = [&] { return std::max(floor, least_of(lows)); };
    for (std::size_t i = 0; i < open.size() && open[i].high >= least(); ++i) {
        if (i + kSoon < open.size()) worker.completer.expect_soon(open[i + kSoon].position);
        if (i + kNext < open.size()) worker.completer.expect(open[i + kNext].position);
        std::int32_t position = open[i].position;
        ++worker.stats.candidates;
        Bounds common = worker.completer.around(position);
        double other = lists_.index.sizes[position];
        Bounds score{scorer_.coefficient(common.low, size, other) * (1 - 1e-9), score_of(common.high, size, other)};
        if (score.high < least()) continue;
        lows.add({score.low, static_cast<std::int32_t>(left), lists_.index.texts[position]});
        worker.near.emplace_back(position, score);
    }
}

void Codes::choose(Worker& worker, CodeRow& row, std::int64_t left, std::vector<Pair>& out) const {
    double size = scorer_.left.cardinalities[left], floor = floor_of(left);
    std::int64_t ranges = lists_.ranges();
    worker.group_sums.resize(static_cast<std::size_t>(ranges));
    worker.highs.resize(static_cast<std::size_t>(ranges));
    largest_of_groups(row.sums.data(), static_cast<std::int32_t>(ranges), worker.group_sums.data());
    for (std::int64_t range = 0; range < ranges; ++range)
        worker.highs[range] = score_of(worker.group_sums[range] / row.unit, size, lists_.index.sizes[range * kRange]);
    // At first those that are as promising as the best of some ranges, then what those leave.
    std::int64_t some = count_ + 2;
    double limit = 0;
    if (some < ranges) {
        worker.order = worker.highs;
        std::nth_element(worker.order.begin(), worker.order.begin() + some, worker.order.end(), std::greater<>());
        limit = worker.order[some];
    }
    BestPairs lows(count_);
    worker.near.clear();
    worker.completer.begin(left);
    open_from(worker, row, size, std::max(limit, floor));
    narrow(worker, size, left, lows, floor);
    double least = std::max(floor, least_of(lows));
    if (least < limit) {
        open_from(worker, row, size, least);
        narrow(worker, size, left, lows, floor);
    }
    BestPairs best(count_);
    for (const auto& [position, bounds] : worker.near) {
        if (bounds.high < std::max({floor, least_of(lows), least_of(best)})) continue;
        ++worker.stats.scored;
        std::int32_t right = lists_.index.texts[position];
        double base = worker.completer.base(position), common = base;
        if (base != 0) common += spectra_correction(scorer_.term_grams, scorer_.left, left, scorer_.right, right);
        double score = scorer_.coefficient(common, size, lists_.index.sizes[position]);
        if (score > 0 && score >= options_.min_score) best.add({score, static_cast<std::int32_t>(left), right});
    }
    worker.completer.end();
    const auto& pairs = best.sorted();
    out.insert(out.end(), pairs.begin(), pairs.end());
}

Result Codes::run(Control& control) const {
    std::int64_t rows = count_ > 0 ? scorer_.left_size() : 0, chunks = (rows + kChunk - 1) / kChunk;
    int threads = static_cast<int>(std::clamp<std::int64_t>(chunks, 1, thread_count(options_.threads)));
    std::vector<Worker> workers;
    workers.reserve(static_cast<std::size_t>(threads));
    for (int i = 0; i < threads; ++i) workers.emplace_back(lists_, scorer_, kChunk);
    Found found(static_cast<std::size_t>(chunks));
    parallel_blocks(chunks, threads, control, [&](std::int64_t chunk, int number) {
        Worker& worker = workers[number];
        std::int64_t first = chunk * kChunk, end = std::min(rows, first + kChunk);
        auto each = [&](auto&& body) {
            for (std::int64_t left = first; left < end; ++left)
                if (scorer_.left.cardinalities[left] > 0) body(worker.rows[left - first], left);
        };
        each([&](CodeRow& row, std::int64_t left) {
            look_up(worker, row, left);
            row.sums.resize(static_cast<std::size_t>(lists_.blocks() * CodeColumn::kBlock));
        });
        for (std::int64_t block = 0; block < lists_.blocks(); ++block)
            each([&](CodeRow& row, std::int64_t) {
                sum_codes(lists_.columns_of(block), row.given, row.tables.data(),
                          row.sums.data() + block * CodeColumn::kBlock);
                worker.stats.postings += std::ssize(row.given) * CodeColumn::kBlock;
            });
        each([&](CodeRow& row, std::int64_t left) {
            add_lists(row, left);
            if (options_.self_join && lists_.index.positions[left] >= 0) row.sums[lists_.index.positions[left]] = 0;
            choose(worker, row, left, found[chunk]);
        });
    });
    Result result;
    for (const Worker& worker : workers) {
        result.stats.postings += worker.stats.postings;
        result.stats.candidates += worker.stats.candidates;
        result.stats.scored += worker.stats.scored;
    }
    for (const auto& pairs : found) put_columns(pairs, result);
    return result;
}

// Columns are for texts of many q-grams; for those with too many, or too many terms, sums of 16 bits are too coarse,
// and weights must be floats.
constexpr std::int64_t kMean = 100, kLongest = 8000;
constexpr double kLargest = 1e30;

bool fits(const SpectraTexts& texts) {
    if (std::ssize(texts.grams) < kMean * texts.size()) return false;
    for (std::int64_t text = 0; text < texts.size(); ++text) {
        if (texts.gram_indptr[text + 1] - texts.gram_indptr[text] > kLongest) return false;
        if (texts.term_indptr[text + 1] - texts.term_indptr[text] > kLongest) return false;
        if (!(texts.cardinalities[text] < kLargest)) return false;
    }
    return true;
}

}  // namespace

std::optional<Result> join_codes(const PairScorer& scorer, const Options& options, bool prepared, Control& control) {
    const SpectraScorer* spectra = scorer.family().spectra;
    if (!spectra || !has_codes() || !has_long_texts(spectra->right) || !spectra->left.frequencies.empty())
        return std::nullopt;
    if (prepared && 4 * scorer.left_size() < scorer.right_size()) return std::nullopt;
    if (!fits(spectra->left) || !fits(spectra->right)) return std::nullopt;
    CodeLists lists(spectra->right);
    return Codes(*spectra, options, lists).run(control);
}

}  // namespace likewise::join
