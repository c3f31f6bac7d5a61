"""On real text: BM25 ranks as bm25s does, and a default index finds what people judged relevant."""

import gzip
import itertools
import re

import pytest

from likewise import Index
from likewise.evaluate.gold.collections import ir_set
from likewise.quality.retrieval import per_query

WORDS = re.compile(r"[^\W_]+").findall
pytestmark = pytest.mark.data


def test_ranks_as_bm25s(data) -> None:
    bm25s = pytest.importorskip("bm25s", reason="bm25s is installed with likewise[bench]")
    with gzip.open(data / "bench" / "paras_100k.txt.gz", "rt", encoding="utf-8") as file:
        texts = [line.strip() for line in itertools.islice(file, 4000)]
    queries = (data / "bench" / "queries_2k.txt").read_text(encoding="utf-8").splitlines()[:300]
    peer = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    peer.index([WORDS(text.casefold()) for text in texts], show_progress=False)
    index = Index.build(texts, measure="bm25(k1=1.5, b=0.75)")
    for query in queries:
        hits = index.search(query, top=10, forgive=False)
        ids, scores = peer.retrieve([WORDS(query.casefold())], k=10, show_progress=False)
        found = hits.scores.tolist()
        assert found == pytest.approx(scores[0][: len(found)].tolist(), rel=1e-5)
        for rank, one in enumerate(hits.ids[:-1]):
            if sum(abs(score - found[rank]) < 1e-4 for score in found) == 1:
                assert one == ids[0][rank]


def test_the_default_finds_what_was_judged_relevant(data) -> None:
    """Mean average precision on med, clean and with a slip in every query word of seven letters or more."""
    gold = ir_set(data, "med")
    assert gold is not None
    index = Index.build(gold.rights, ids=list(gold.right_ids))

    def quality(queries: list[str]) -> float:
        run = {}
        for name, query in zip(gold.left_ids, queries, strict=True):
            hits = index.search(query, top=200, plain=True)
            run[name] = dict(zip(hits.ids, hits.scores.tolist(), strict=True))
        return per_query(run, gold.qrels()).means()["map"]

    slips = [re.sub(r"\b(\w{3})(\w)(\w)(\w{2,})\b", r"\1\3\2\4", query) for query in gold.lefts]
    assert quality(list(gold.lefts)) > 0.46
    assert quality(slips) > 0.42
