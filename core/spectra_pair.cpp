#include "spectra_pair.hpp"

#include <algorithm>

#include "runs.hpp"
#include "spectra.hpp"

namespace likewise {

bool SpectraPair::add(std::string_view text) {
    if (!vocabulary_.known_terms(text, options_, terms_)) return false;
    frequencies_.clear();
    count_terms(terms_, [&](std::int32_t, std::size_t count) {
        if (with_frequencies_) frequencies_.push_back(static_cast<double>(count));
    });
    if (!terms_.empty() && terms_.back() >= term_grams_.size()) return false;
    builder_.add(texts_, terms_, frequencies_);
    return true;
}

std::optional<double> SpectraPair::score(std::string_view left, std::string_view right) {
    if (!ready_) return std::nullopt;
    texts_.clear();
    if (!add(left) || !add(right)) return std::nullopt;
    return SpectraScorer(term_grams_, texts_, texts_, coefficient_).score(0, 1);
}

}  // namespace likewise
