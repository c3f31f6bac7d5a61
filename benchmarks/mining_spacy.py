"""Mining with a spaCy tagger in place of ours: trained on the spot, run through the protocol, compared.

    python -m benchmarks.mining_spacy DATA [--sentences 12544] [--epochs 4] [--shards 4]

Needs spaCy, in an environment of its own if you like. Packages of trained models are not on PyPI, so a blank English
pipeline with a tagger is trained here on UD English EWT (``DATA/tagging``) and saved; ``likewise mine --tagger spacy
--tagger-from FOLDER`` then uses it. Shown: accuracy of both taggers on EWT test, sentences/s, pairs and how many agree.
"""

import argparse
import gzip
import random
import sys
import tempfile
import time
from pathlib import Path

import likewise as lw
from likewise.analyse.tagger import PerceptronTagger, SpacyTagger


def read(path: Path):
    """Words and Penn tags of a CoNLL-U file, a pair of lists for each sentence."""
    words, tags = [], []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if len(cells) > 4 and cells[0].isdigit() and cells[4] != "_":
                words.append(cells[1])
                tags.append(cells[4])
            elif not line.strip() and words:
                yield words, tags
                words, tags = [], []


def train(sentences, epochs: int, folder: Path) -> None:
    import spacy
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.util import minibatch

    spacy.util.fix_random_seed(1)
    pipeline = spacy.blank("en")
    tagger = pipeline.add_pipe("tagger")
    for tag in sorted({tag for _, tags in sentences for tag in tags}):
        tagger.add_label(tag)
    examples = [Example.from_dict(Doc(pipeline.vocab, words=words), {"tags": tags}) for words, tags in sentences]
    optimizer = pipeline.initialize(lambda: examples[:100])
    draw = random.Random(1)
    for epoch in range(epochs):
        draw.shuffle(examples)
        losses = {}
        for batch in minibatch(examples, 64):
            pipeline.update(batch, sgd=optimizer, drop=0.1, losses=losses)
        print(f"epoch {epoch + 1}: loss {losses['tagger']:.0f}", file=sys.stderr, flush=True)
    pipeline.to_disk(folder)


def accuracy(tagger, sentences) -> float:
    found = tagger.tag([words for words, _ in sentences])
    marks = [a == b for tags, (_, gold) in zip(found, sentences, strict=True) for a, b in zip(tags, gold, strict=True)]
    return sum(marks) / len(marks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sentences", type=int, default=12_544, help="sentences to train on")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--shards", type=int, default=4)
    options = parser.parse_args()
    tagging = options.data / "tagging"
    training = list(read(next(tagging.glob("*train*.conllu.gz"))))[: options.sentences]
    test = list(read(next(tagging.glob("*test*.conllu.gz"))))
    shards = sorted((options.data / "web" / "enwiki").glob("*.gz"))[: options.shards]
    with tempfile.TemporaryDirectory() as name:
        started = time.process_time()
        train(training, options.epochs, Path(name) / "model")
        print(f"spaCy {sys.modules['spacy'].__version__}: {len(training):,} sentences, {options.epochs} epochs, "
              f"{time.process_time() - started:.0f} CPU s")  # fmt: skip
        model = str(Path(name) / "model")
        for title, tagger in (("ours", PerceptronTagger()), ("spaCy", SpacyTagger(model))):
            print(f"EWT test, {title}: {accuracy(tagger, test):.1%}")
        for anchors, context in (("ngram", 2), ("entity", 1)):
            found = {}
            for title, chosen in (("ours", {}), ("spaCy", {"tagger": "spacy", "tagger_from": model})):
                cpu = time.process_time()
                mined = lw.mine(shards, anchors=anchors, context=context, support=3, threads=1, **chosen)
                cpu = time.process_time() - cpu
                counts = mined.report.counts["sentences"]
                found[title] = {(pair.phrase, pair.paraphrase) for pair in mined}
                print(f"{anchors}, {title}: {counts['sentences']:,} sentences, {counts['kept']:,} kept, "
                      f"{len(mined):,} pairs, {counts['sentences'] / cpu:,.0f} sentences per CPU s")  # fmt: skip
            both = len(found["ours"] & found["spaCy"])
            print(f"{anchors}: {both:,} pairs alike of {len(found['ours'] | found['spaCy']):,}")


if __name__ == "__main__":
    main()
