"""Calls about mining and the tagger that do not fit, each with the error it must end in."""

import numpy as np
from tests.core.arguments import BATCH, HUGE, f8, i4, i8, u1

from likewise import _core as c


def pruner(**changes):
    """A small pruner with some arguments exchanged."""
    values = {"context": 1, "min_phrase": 1, "max_phrase": 2, "anchors": c.MineAnchors.ngram}
    return c.MinePruner(**{**values, "tags": [], "support": 1, "bits": 12, **changes})


def analyse(offsets=None, documents=None, tags=None):
    """An analysis of one sentence."""
    from likewise.analyse.tagger import model

    offsets = i8(0, 3) if offsets is None else offsets
    documents = i4(0) if documents is None else documents
    return c.MineAnalyser(model()).run(
        b"a b", offsets, documents, 1, 9, True, True, False, u1() if tags is None else tags
    )


def train(words=("a",), tags=(0,), offsets=(0, 1), names=("NN",), epochs=1):
    """A training on one word."""
    return c.TaggerModel.train(list(words), list(tags), list(offsets), list(names), epochs, 0, 1, 0.9, 0)


CASES = {
    "pruner with 63 bits": (lambda: pruner(bits=63), "ValueError: bits must be from 1 to 36"),
    "pruner without bits": (lambda: pruner(bits=0), "ValueError: bits must be from 1 to 36"),
    "pruner with a negative context": (lambda: pruner(context=-1), "ValueError: context must be from 0"),
    "pruner with phrases falling": (lambda: pruner(min_phrase=5), "ValueError: max_phrase must be from 5"),
    "pruner with anchors by number": (lambda: pruner(anchors=9), "TypeError"),
    "pruner with a table of another size": (
        lambda: pruner().add_table(c.MineCounts.candidates, b"x"),
        "ValueError: the table has another size",
    ),
    "pruner with anchors that need tags": (
        lambda: pruner(anchors=c.MineAnchors.entity).count_candidates(BATCH),
        "ValueError: these anchors need a batch with tags",
    ),
    "pruner without context": (lambda: pruner(context=0).emit(BATCH), None),
    "batch with bad words": (
        lambda: c.MineBatch(u1(97), i4(0, HUGE), i4(0), u1(), i4(0, 1)),
        "ValueError: word_offsets must begin with 0",
    ),
    "batch with bad sentences": (
        lambda: c.MineBatch(u1(97), i4(0, 1), i4(0), u1(), i4(0, 50)),
        "ValueError: sentence_offsets must begin with 0",
    ),
    "batch with a word beyond": (
        lambda: c.MineBatch(u1(97), i4(0, 1), i4(5), u1(), i4(0, 1)),
        "ValueError: ids must be from 0 to 0",
    ),
    "batch with too few tags": (
        lambda: c.MineBatch(u1(97), i4(0, 1), i4(0, 0), u1(1), i4(0, 2)),
        "ValueError: tags: 1 values, but 2 ids",
    ),
    "evidence with a phrase beyond": (
        lambda: c.MineEvidence(["a b"], i4(0, 10**8), 4),
        "ValueError: pairs must be from 0 to 0",
    ),
    "evidence with half a pair": (
        lambda: c.MineEvidence(["a"], i4(0), 4),
        "ValueError: pairs must be two numbers",
    ),
    "analysis with bad offsets": (lambda: analyse(offsets=i8(0, HUGE)), "ValueError: offsets must begin with 0"),
    "analysis with too few documents": (lambda: analyse(documents=i4()), "ValueError: documents must name one"),
    "analysis with too few tags": (lambda: analyse(tags=u1(1)), "ValueError: fewer tags than tokens"),
    "analysis with a tag beyond": (lambda: analyse(tags=u1(200, 200)), "ValueError: tags must be from 0 to 55"),
    "training with a tag beyond": (lambda: train(tags=[200]), "ValueError: tags must be from 0 to 0"),
    "training with bad offsets": (lambda: train(offsets=[0, 10**8]), "ValueError: offsets must begin with 0"),
    "training without sentences": (lambda: train(offsets=[]), "ValueError: offsets must begin with 0"),
    "training with too few tags": (lambda: train(tags=[]), "ValueError: tags: 0 values, but 1 words"),
    "training without end": (lambda: train(epochs=2**31 - 1), "ValueError: epochs must be from 0 to 1000"),
    "training without names": (lambda: train(names=[]), "ValueError: names must be from 1 to 56"),
    "training with a long name": (lambda: train(names=["N" * 300]), "ValueError: names must be shorter"),
    "weights of no tagger": (lambda: c.TaggerModel(b"LWTAG01\n" + b"\xff" * 40), "ValueError"),
    "weights cut short": (
        lambda: c.TaggerModel(b"LWTAG01\n\1\0\0\0\1N" + b"\0" * 8 + b"\xff" * 4),
        "ValueError: the tagger's weights are cut short",
    ),
    "a dictionary with a tag beyond": (
        lambda: c.TaggerModel(b"LWTAG01\n\1\0\0\0\1N\1\0\0\0" + b"\0" * 8 + b"\xc8" + b"\0" * 40),
        "ValueError: the tagger's weights name a tag",
    ),
    "products of NaN": (
        lambda: c.row_products(i8(0, 1), i4(0), f8(np.nan), i4(0, 0)),
        "ValueError: values must be numbers",
    ),
}
