// The score of two strings, one pair at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyse.hpp"
#include "coefficient.hpp"
#include "grams.hpp"
#include "spectra_texts.hpp"

namespace likewise {

// The score of two strings whose words have all been seen: what a loop over pairs in Python calls.
class SpectraPair {
public:
    SpectraPair(const analyse::Vocabulary& vocabulary, const TermGrams& term_grams, Coefficient coefficient,
                bool frequencies, analyse::TokeniseOptions options, bool ready)
        : vocabulary_(vocabulary),
          term_grams_(term_grams),
          builder_(term_grams),
          coefficient_(coefficient),
          with_frequencies_(frequencies),
          options_(options),
          ready_(ready) {}
    // Nothing where a word is new, or where the weights are not known yet (!ready).
    std::optional<double> score(std::string_view left, std::string_view right);

private:
    // A text, analysed. It stays so: a loop compares one text with many.
    struct Side {
        std::string text;
        SpectraTexts texts;
    };
    bool analyse(std::string_view text, Side& side);

    const analyse::Vocabulary& vocabulary_;
    const TermGrams& term_grams_;
    SpectraBuilder builder_;
    Coefficient coefficient_;
    bool with_frequencies_;
    analyse::TokeniseOptions options_;
    bool ready_;
    Side left_, right_;
    std::vector<std::int32_t> terms_;
    std::vector<double> frequencies_;
};

}  // namespace likewise
