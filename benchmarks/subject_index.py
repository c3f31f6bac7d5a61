"""The subject index beside the one that the authors of a book made: how many terms of each the other one has, too.

    python benchmarks/subject_index.py INDEX.html PAGE.html …

``INDEX.html`` is the page with the book's own index (nested ``dl`` lists, or a table of Texinfo), ``PAGE.html`` … are
the others. Terms are alike if they have the same stems, in any order: "rewriting addresses" is "address rewriting". A
term of ours is also found as an entry below another one ("address", "rewriting").
"""

import argparse
import html
import re
from pathlib import Path

import Stemmer

import likewise as lw
from likewise.analyse.words import smart_stop_words

_STEM = Stemmer.Stemmer("porter")


def stems(term):
    words = re.findall(r"[^\W_]+", term.lower())
    return frozenset(_STEM.stemWords([word for word in words if word not in smart_stop_words()] or words))


def plain(source):
    return html.unescape(re.sub("<[^>]*>", "", source)).strip(" ,:\n")


def own_index(source):
    """The headwords of a book's own index, and its entries below them, with the headword before them."""
    if 'class="index-cp"' in source:  # the concepts of Texinfo
        table = source[source.index('class="index-cp"') :].partition("</table>")[0]
        rows = re.findall(r'<tr><td></td><td valign="top"><a href[^>]*>(.*?)</a>', table, re.S)
        return list(dict.fromkeys(map(plain, rows))), []
    heads, below, depth = [], [], 0
    for found in re.finditer(r"<dl\b[^>]*>|</dl>|<dt\b[^>]*>(.*?)</dt>", source, re.S):
        if found[1] is None:
            depth += -1 if found[0].startswith("</") else 1
            continue
        term = plain(re.split(r",?\s*<a\b", found[1])[0])
        if depth == 1:
            heads.append(term)
        else:
            below.append(f"{heads[-1]} {term}")
    return heads, below


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--terms", type=int, default=None)
    given = parser.parse_args()
    heads, below = own_index(Path(given.index).read_text(encoding="utf-8", errors="replace"))
    known = {stems(part) for head in heads for part in (head, head.partition(",")[0])} | set(map(stems, below))
    ours = [subject.term for subject in lw.link(given.pages, index_terms=given.terms).subjects]
    found = {stems(term) for term in ours}
    right = sum(stems(term) in known for term in ours)
    had = sum(stems(head) in found or stems(head.partition(",")[0]) in found for head in heads)
    print(f"our terms: {len(ours):,}, in the book's index: {right:,} ({right / max(len(ours), 1):.2f})")
    print(f"headwords of the book's index: {len(heads):,}, among ours: {had:,} ({had / max(len(heads), 1):.2f})")


if __name__ == "__main__":
    main()
