#include "term_counts.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace likewise::analyse {

void TermCounter::add(const Vocabulary& vocabulary, const Tokens& tokens, std::span<const std::int64_t> repeats) {
    vocabulary.check_resolved(tokens);
    auto size = static_cast<std::size_t>(vocabulary.terms().size());
    seen_.resize(std::max(seen_.size(), size));
    document_frequencies.resize(std::max(document_frequencies.size(), size));
    occurrences.resize(document_frequencies.size());
    for (std::size_t text = 0; text + 1 < tokens.indptr.size(); ++text) {
        std::int64_t times = repeats.empty() ? 1 : repeats[text];
        row_.clear();
        vocabulary.each_term(tokens, text, [&](std::int32_t term, std::int64_t) {
            if (!seen_[term]++) row_.push_back(term);
            words += times;
        });
        std::sort(row_.begin(), row_.end());
        std::int32_t* to = ids.add(row_.size());
        double* how_often = counts_wanted_ ? counts.add(row_.size()) : nullptr;
        for (std::size_t i = 0; i < row_.size(); ++i) {
            std::int32_t term = row_[i];
            to[i] = term;
            if (how_often) how_often[i] = seen_[term];
            document_frequencies[term] += static_cast<double>(times);
            occurrences[term] += static_cast<double>(seen_[term]) * static_cast<double>(times);
            seen_[term] = 0;
        }
        texts += times;
        indptr.push_back(static_cast<std::int64_t>(ids.size()));
    }
}

}  // namespace likewise::analyse
