"""Train the English tagger that ships with Likewise, from CoNLL-U files with Penn tags in the XPOS column.

    python scripts/train_tagger.py en_ewt-ud-train.conllu.gz en_ewt-ud-dev.conllu.gz \
        --test en_ewt-ud-test.conllu.gz -o src/likewise/analyse/tagger-en.bin

The same files, options and seed give the same bytes. EWT splits hyphenated words (well - known); the tokeniser of the
core keeps them whole, as the Penn Treebank did. So a sentence with such words is shown to the learner twice, as it
stands and with the words joined.
"""

import argparse
import gzip
import time
from collections.abc import Iterator
from pathlib import Path

from likewise._core import Tagger, TaggerModel

Word = tuple[str, str, bool]  # form, tag, followed by a space


def sentences(path: str) -> Iterator[list[Word]]:
    """Sentences of a CoNLL-U file; words without a Penn tag (parts of broken words) are taken as nouns."""
    words: list[Word] = []
    skip_to = 0
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        glued = False
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if len(cells) < 10:
                if words and not line.strip():
                    yield words
                    words, skip_to = [], 0
                continue
            if "-" in cells[0]:
                skip_to = int(cells[0].split("-")[1])
                glued = "SpaceAfter=No" in cells[9]
                continue
            if "." in cells[0]:
                continue
            number = int(cells[0])
            space = "SpaceAfter=No" not in cells[9]
            if number <= skip_to:
                space = number == skip_to and not glued
            words.append((cells[1], cells[4] if cells[4] != "_" else "NN", space))
    if words:
        yield words


def joined(words: list[Word]) -> list[Word]:
    """The sentence with its hyphenated words as one token each, tagged as the Penn Treebank would."""
    out: list[Word] = []
    i = 0
    while i < len(words):
        form, tag, space = words[i]
        while (
            i + 2 < len(words) and not space and words[i + 1][0] == "-" and not words[i + 1][2] and form[-1:].isalnum()
        ):
            last, last_tag, space = words[i + 2]
            form = f"{form}-{last}"
            i += 2
            follows = words[i + 1][1] if i + 1 < len(words) else "."
            if last_tag in ("NNP", "NNPS", "CD"):
                tag = last_tag if tag in ("NNP", "NNPS", last_tag) else "JJ"
            elif last_tag in ("NN", "NNS") and not follows.startswith("NN"):
                tag = last_tag
            else:
                tag = "JJ"
        out.append((form, tag, space))
        i += 1
    return out


def evaluate(weights: bytes, path: str) -> str:
    """Accuracy over all tags, F1 of proper nouns, tokens per second, with the given tokens."""
    model = TaggerModel(weights)
    tagger, names = Tagger(model), model.tags
    gold = list(sentences(path))
    started = time.perf_counter()
    found = [tagger.tag([form for form, _, _ in words]) for words in gold]
    seconds = time.perf_counter() - started
    right = total = both = proper_gold = proper_found = 0
    for words, numbers in zip(gold, found, strict=True):
        for (_, tag, _), number in zip(words, numbers, strict=True):
            total += 1
            right += tag == names[number]
            is_gold, is_found = tag.startswith("NNP"), names[number].startswith("NNP")
            proper_gold += is_gold
            proper_found += is_found
            both += is_gold and is_found
    return (
        f"{total} tokens: accuracy {right / total:.4f}, proper nouns F1 {2 * both / (proper_gold + proper_found):.4f}, "
        f"{total / seconds:,.0f} tokens/s cold, from Python"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", nargs="+", help="CoNLL-U files, .gz or not")
    parser.add_argument("--test", help="CoNLL-U file to report accuracy on")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dictionary-count", type=int, default=20)
    parser.add_argument("--dictionary-share", type=float, default=0.995)
    parser.add_argument("--smallest-weight", type=int, default=6)
    parser.add_argument("--no-joined", action="store_true")
    options = parser.parse_args()
    corpus: list[list[Word]] = []
    for path in options.train:
        for words in sentences(path):
            corpus.append(words)
            again = joined(words)
            if len(again) != len(words) and not options.no_joined:
                corpus.append(again)
    names = sorted({tag for words in corpus for _, tag, _ in words})
    number = {name: n for n, name in enumerate(names)}
    offsets = [0]
    for words in corpus:
        offsets.append(offsets[-1] + len(words))
    weights = TaggerModel.train(
        [form for words in corpus for form, _, _ in words],
        [number[tag] for words in corpus for _, tag, _ in words],
        offsets,
        names,
        epochs=options.epochs,
        seed=options.seed,
        dictionary_count=options.dictionary_count,
        dictionary_share=options.dictionary_share,
        smallest_weight=options.smallest_weight,
    )
    print(f"{len(corpus)} sentences, {offsets[-1]} tokens, {len(names)} tags -> {len(weights):,} bytes")
    if options.test:
        print(evaluate(weights, options.test))
    if options.output:
        options.output.write_bytes(weights)


if __name__ == "__main__":
    main()
