#include "spectra_pair.hpp"

#include <algorithm>

#include "runs.hpp"
#include "spectra.hpp"

namespace likewise {

bool SpectraPair::analyse(std::string_view text, Side& side) {
    SpectraTexts& texts = side.texts;
    if (texts.size() == 1 && side.text == text) return true;
    texts.clear();
    if (!vocabulary_.known_terms(text, options_, terms_)) return false;
    frequencies_.clear();
    count_terms(terms_, [&](std::int32_t, std::size_t count) {
        if (with_frequencies_) frequencies_.push_back(static_cast<double>(count));
    });
    if (!terms_.empty() && terms_.back() >= term_grams_.size()) return false;
    builder_.add(texts, terms_, frequencies_);
    side.text = text;
    return true;
}

std::optional<double> SpectraPair::score(std::string_view left, std::string_view right) {
    if (!ready_ || !analyse(left, left_) || !analyse(right, right_)) return std::nullopt;
    return SpectraScorer(term_grams_, left_.texts, right_.texts, coefficient_).score(0, 0);
}

}  // namespace likewise
