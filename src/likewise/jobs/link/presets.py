"""The lists of Salton and Buckley by their numbers.

======= ========== ================================================================ =========
preset  pairs of   scored by                                                        kept
======= ========== ================================================================ =========
kin     paragraphs tf·idf cosine; those that each passage chooses for itself        5 each
21      paragraphs tf·idf cosine                                                    best N
24      paragraphs tf                                                               best N
25      paragraphs tf·idf cosine over their 10 best terms, with phrases             best N
3       sentences  matches                                                          auto
19      sentences  tf·idf cosine (idf over sentences)                               best N
17      sentences  matches over the 10 best terms of their paragraph, with phrases  best N
31      sentences  matches with phrases, inside the pairs of 21                     auto
35      sentences  matches, inside the pairs of 21                                  auto
======= ========== ================================================================ =========
"""

from collections.abc import Mapping

from likewise.jobs.link.options import ListOptions

PRESETS: Mapping[str, ListOptions] = {
    "kin": ListOptions(nearest=5),
    "21": ListOptions(),
    "24": ListOptions(measure="tf"),
    "25": ListOptions(best_terms=10, phrases=True),
    "3": ListOptions(scope="sentence", measure="matches", min_matches="auto"),
    "19": ListOptions(scope="sentence"),
    "17": ListOptions(scope="sentence", measure="matches", best_terms=10, phrases=True),
    "31": ListOptions(scope="sentence", measure="matches", phrases=True, min_matches="auto", within="21"),
    "35": ListOptions(scope="sentence", measure="matches", min_matches="auto", within="21"),
}
