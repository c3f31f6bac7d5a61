// Inverted lists of index segments, and the best k texts for one query over them.
//
// A segment holds at most 65,536 texts, so that 16 bits number them and an accumulator per text stays in the cache.
// Both families work in two passes: a first one over compact lists finds who can be among the best k, then those few
// are scored exactly, to the bits that their PairScorer gives.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "best.hpp"
#include "coefficient.hpp"
#include "spectra.hpp"

namespace likewise::search {

inline constexpr std::int64_t kSegmentTexts = 65536;
inline constexpr std::int64_t kLevels = 3;

struct Hit {
    double score;
    std::int64_t text;  // numbered through all segments
    // Best first; equal scores by text.
    bool operator<(const Hit& other) const { return score != other.score ? score > other.score : text < other.text; }
};

// Which list belongs to an id (of a term or a q-gram). Ids of a segment are those of the vocabulary of the moment,
// which for words the fitted collection did not have differ from process to process; hence the look-up beside the
// lists.
struct ListTable {
    std::span<const std::int32_t> ids;    // ascending, distinct
    std::span<const std::int32_t> lists;  // the list of each id
    // The list, or -1.
    std::int64_t find(std::int32_t id) const;
};

// Family dot product. A query is a sparse row (term, weight), a text another; the score is the sum over shared terms of
// the products, added in ascending order of ids like DotScorer does. All weights are >= 0.
struct DotLists {
    ListTable table;
    std::span<const std::int64_t> indptr;    // size lists + 1
    std::span<const std::uint16_t> texts;    // ascending within a list
    std::span<const std::uint16_t> impacts;  // floor(weight / largest of the list * 65535): what the first pass reads
    std::span<const double> weights;         // exact: what the second pass reads
    std::span<const double> maxima;          // largest weight of the list
    std::span<const double> levels;          // kLevels per list: its 10th, 100th and 1000th largest weight, or 0
    std::int64_t text_count = 0;
};

// The same, owned, without the table: the result of inverting rows. List i belongs to ids[i].
struct OwnedDotLists {
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> indptr;
    std::vector<std::uint16_t> texts;
    std::vector<std::uint16_t> impacts;
    std::vector<double> weights;
    std::vector<double> maxima;
    std::vector<double> levels;
};
OwnedDotLists invert_dot(std::span<const std::int64_t> indptr, std::span<const std::int32_t> ids,
                         std::span<const double> weights);

// A coarse score; the larger is the better.
struct Sum {
    std::int16_t value;
    bool operator<(const Sum& other) const { return value > other.value; }
};

// Working memory of one thread, kept between queries.
struct Scratch {
    std::vector<std::int16_t> sums;
    std::vector<float> bounds;
    std::vector<double> scores;
    std::vector<std::pair<std::int16_t, std::int32_t>> candidates;
    Best<Sum> best;
    std::vector<std::pair<float, std::int32_t>> ranked;
    std::vector<std::int32_t> terms;
    std::vector<double> frequencies;
    SpectraTexts texts;
};

// Adds to `hits` the texts of one segment that can be among the best k of all, and puts the best k in order. Only
// scores above 0, and not below `floor`. `dead` has a byte per text (empty: none): a text whose byte is not 0 cannot be
// a hit. `first` is the number of the segment's first text.
void search_dot(const DotLists& lists, std::span<const std::int32_t> ids, std::span<const double> weights,
                std::int64_t k, double floor, std::span<const std::uint8_t> dead, std::int64_t first, Scratch& scratch,
                std::vector<Hit>& hits);

// Puts the terms in order, each once, and gives their weights, times how often each was there: term_weights by id, and
// unseen_weight for ids beyond.
void weigh_terms(std::vector<std::int32_t>& terms, std::span<const double> term_weights, double unseen_weight,
                 std::vector<double>& weights);

// Every score: adds to out[text]. For queries of very many terms, for groups of alternatives, and to compare with.
void dot_scores(const DotLists& lists, std::span<const std::int32_t> ids, std::span<const double> weights,
                std::span<double> out);

// Family spectra. The first pass needs of q-gram j in text B only its value v_B(j) and how many terms have it, K_B(j),
// both coarsely: 6 bits for the value between the list's smallest and largest, 2 bits for the number (1, 2, 3-4, more).
// Exact scores come from the terms of a text.
struct GramLists {
    ListTable table;
    std::span<const std::int64_t> indptr;
    std::span<const std::uint16_t> texts;
    std::span<const std::uint8_t> codes;
    std::span<const double> smallest, largest;  // per list
    std::span<const double> cardinalities;      // per text
    std::span<const std::int64_t> term_indptr;  // text -> its terms, by stored id
    std::span<const std::int32_t> terms;
    std::span<const double> frequencies;       // empty where the scheme has no tf
    std::int32_t known_terms = 0;              // stored ids below this are those of the vocabulary
    std::span<const std::int32_t> more_terms;  // the others: id of the vocabulary by (stored id - known_terms)
    std::int64_t text_count = 0;
};

struct OwnedGramLists {
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> indptr;
    std::vector<std::uint16_t> texts;
    std::vector<std::uint8_t> codes;
    std::vector<double> smallest, largest;
};
OwnedGramLists invert_grams(const SpectraTexts& texts);

struct SpectraQuery {
    const TermGrams& term_grams;
    const SpectraTexts& texts;
    std::int64_t text;  // which of texts
    Coefficient coefficient;
};

void search_spectra(const GramLists& lists, const SpectraQuery& query, std::int64_t k, double floor,
                    std::span<const std::uint8_t> dead, std::int64_t first, Scratch& scratch, std::vector<Hit>& hits);

}  // namespace likewise::search
