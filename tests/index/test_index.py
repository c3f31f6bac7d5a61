"""The index finds what brute force finds, whatever was added and removed on the way."""

import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.errors import InputError, OptionError
from likewise.index.index import Index
from likewise.index.segment import Item
from likewise.measure import BM25, Measure, Spectra, TfIdf, from_json, parse
from likewise.read.document import Document
from likewise.results.matches import MatchResult

MEASURES = [
    "bm25",
    "bm25(b=0, k1=0.5)",
    "tfidf",
    "tfidf(weights=idf, smooth=true)",
    "tfidf(phrases=true)",
    "matches",
    "matches(phrases=true)",
    "common",
    "tf",
    "spectra",
    "spectra(q=3, padding=none, weights=c.idf.qidf)",
    "spectra(q=1:3, padding=full, weights=tfidf, coefficient=jaccard)",
    "spectra(weights=none, coefficient=coverage)",
    "spectra(weights=c.qidf, coefficient=10)",
    "spectra(weights=idf, coefficient=overlap)",
    "soft-tfidf",
    "soft-cardinality",
]
WORDS = ["data", "base", "database", "record", "records", "red", "fish", "fishes", "blue", "sky", "the", "a", "of"]
WORDS += ["Straße", "strasse", "Ünïcode", "naïve", "x", "yy", "zzz"]


def some_texts(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    texts = [" ".join(rng.choices(WORDS, k=rng.randint(0, 7))) for _ in range(count)]
    return [*texts, "", "!?", *texts[:1]]


def brute(measure: Measure, queries: list[str], texts: list[str], k: int, floor: float = 0.0):
    """For each query the best k texts, by scoring every pair."""
    rows = []
    for left, scores in enumerate(measure.matrix(queries, texts)):
        order = np.lexsort((np.arange(len(texts)), -scores))
        rows += [(left, int(i), scores[i]) for i in [j for j in order if scores[j] > 0 and scores[j] >= floor][:k]]
    return rows


def found(index: Index, queries: list[str], k: int, floor: float = 0.0):
    table = index.match(queries, top=k, min_score=floor, threads=1).to_arrow()
    return list(zip(*(table.column(name).to_pylist() for name in ("left", "right", "score")), strict=True))


def same(one, other, *, exact: bool = False) -> None:
    """Equal scores at equal places; where scores differ only by rounding, ids may change places."""
    assert [row[0] for row in one] == [row[0] for row in other]
    assert [row[2] for row in one] == pytest.approx([row[2] for row in other], rel=1e-12, abs=1e-15)
    if exact:
        assert one == other


@pytest.mark.parametrize("specification", MEASURES)
@pytest.mark.parametrize("k", [1, 3, 1000])
def test_finds_what_brute_force_finds(specification: str, k: int) -> None:
    texts, queries = some_texts(150, 1), some_texts(25, 2)
    index = Index.build(texts, measure=specification)
    same(found(index, queries, k), brute(index.measure, queries, texts, k), exact=True)


@pytest.mark.parametrize("specification", MEASURES)
def test_a_smallest_score_cuts_the_list_off(specification: str) -> None:
    texts, queries = some_texts(80, 3), some_texts(10, 4)
    index = Index.build(texts, measure=specification)
    scores = sorted(row[2] for row in brute(index.measure, queries, texts, 1000))
    floor = scores[len(scores) * 2 // 3]
    same(found(index, queries, 1000, floor), brute(index.measure, queries, texts, 1000, floor), exact=True)


@pytest.mark.parametrize("specification", MEASURES)
def test_adding_and_removing_equals_a_fresh_index_with_the_same_weights(specification: str, tmp_path) -> None:
    texts = some_texts(60, 5)
    index = Index.build(texts, measure=specification, path=tmp_path / "index")
    rng = random.Random(6)
    kept = dict(enumerate(texts))
    for step in range(12):
        new = [f"{text} new{step} wörter" for text in some_texts(rng.randint(0, 3), step)]
        kept.update(zip(index.add(new), new, strict=True))
        gone = rng.sample(sorted(kept), 3)
        assert index.remove(gone) == 3
        for one in gone:
            del kept[one]
    queries = [*some_texts(10, 7), "new3 wörter record", "never seen"]
    assert len(index) == len(kept)
    assert index.ids() == sorted(kept)
    fresh = Index.build(list(kept.values()), measure=index.measure, ids=list(kept))
    for one in (index, Index.open(tmp_path / "index")):
        same(found(one, queries, 7), found(fresh, queries, 7))
    index.compact()
    same(found(index, queries, 7), found(fresh, queries, 7))
    index.refit()
    refitted = Index.build(list(kept.values()), measure=specification, ids=list(kept))
    same(found(index, queries, 7), found(refitted, queries, 7))
    same(found(Index.open(tmp_path / "index"), queries, 7), found(refitted, queries, 7))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.text("abc éß ", max_size=12), max_size=12),
    st.lists(st.text("abc éß ", max_size=12), max_size=12),
    st.lists(st.integers(0, 23), max_size=6, unique=True),
    st.text("abc éß ", max_size=12),
    st.sampled_from(["bm25", "spectra(weights=c.idf.qidf)", "tfidf(weights=tf)"]),
)
def test_any_history_gives_the_same_answers(first, second, gone, query, specification) -> None:
    index = Index.build(first, measure=specification)
    index.add(second)
    gone = [one for one in gone if one < len(first) + len(second)]
    index.remove(gone)
    kept = [(i, text) for i, text in enumerate([*first, *second]) if i not in gone]
    expected = brute(index.measure, [query], [text for _, text in kept], 5)
    expected = [(left, kept[right][0], score) for left, right, score in expected]
    same(found(index, [query], 5), expected)


@pytest.mark.parametrize("specification", ["spectra", "spectra(weights=tfidf.qidf)", "soft-tfidf", "soft-cardinality"])
def test_a_batch_finds_what_single_texts_find(specification: str, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index.build(some_texts(150, 12), measure=specification)
    index.add(["later words", "data base of later words"])
    index.remove([2, 151])
    batch = [*some_texts(240, 13), "later word", "new words"]
    for floor in (0.0, 0.4):
        one = found(index, batch, 4, floor)
        assert "in_memory" in vars(index.snapshot)
        monkeypatch.setattr("likewise.index.batch.SMALLEST", 10**9)
        assert one == found(index, batch, 4, floor)
        monkeypatch.undo()


def test_segments_of_many_texts_are_searched_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likewise.index.segment.SEGMENT_TEXTS", 37)
    texts, queries = some_texts(300, 8), some_texts(10, 9)
    for specification in ("bm25", "spectra", "soft-tfidf"):
        index = Index.build(texts, measure=specification)
        assert len(index.snapshot.segments) == 9
        same(found(index, queries, 12), brute(index.measure, queries, texts, 12), exact=True)


def test_small_segments_are_merged() -> None:
    index = Index.build(["one text"] * 3)
    for number in range(300):
        index.add([f"text number {number}"])
    assert len(index.snapshot.segments) < 40
    assert len(index) == 303


def test_many_texts_with_one_thread_or_several_give_the_same() -> None:
    texts = some_texts(500, 10)
    for specification in ("bm25", "spectra"):
        index = Index.build(texts, measure=specification)
        one, two = (index.match(texts, top=3, threads=threads).to_arrow() for threads in (1, 4))
        assert one.equals(two)


def test_documents_keep_their_fields(tmp_path) -> None:
    documents = [
        Document("a", "red fish", "a.txt", {"year": 1999, "tags": ["x", "y"], "odd": {"deep": 1}}),
        Document("b", "blue fish", "b.txt", {"year": None, "title": "Blue"}),
    ]
    index = Index.build(documents, path=tmp_path / "index")
    index.add([Document("c", "no fields at all")])
    again = Index.open(tmp_path / "index")
    assert again.document("a").fields == {"year": 1999, "tags": ["x", "y"], "odd": '{"deep": 1}'}
    assert again.document("b") == Item("b", "blue fish", "b.txt", {"title": "Blue"})
    assert again.ids() == ["a", "b", "c"]


def test_a_saved_index_lives_where_it_was_saved(tmp_path) -> None:
    index = Index.build(["red fish"])
    assert index.path is None
    index.save(tmp_path / "index")
    index.add(["blue fish"])
    assert len(Index.open(tmp_path / "index")) == 2
    Index.build(["other"]).save(tmp_path / "index")
    assert Index.open(tmp_path / "index").ids() == [0]


def test_the_measure_of_the_caller_is_left_alone() -> None:
    measure = Spectra().fit(["abc"])
    Index.build(["def ghi"], measure=measure)
    assert len(measure.analyser) == 1
    unfitted = BM25()
    Index.build(["def ghi"], measure=unfitted)
    assert unfitted.statistics is None


def test_weights_stay_until_refit() -> None:
    texts = ["red fish", "blue fish", "red sky"]
    index = Index.build(texts, measure="bm25")
    before = found(index, ["red fish"], 3)
    for text in ["red", "red", "red", "red wine"] * 3:
        index.add([text])
    assert [row for row in found(index, ["red fish"], 30) if row[1] < 3] == before
    index.refit()
    assert [row for row in found(index, ["red fish"], 30) if row[1] < 3] != before


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda index: index.add("one text"), InputError, "put it into a list"),
        (lambda index: index.add(["half \ud800"]), InputError, "surrogate"),
        (lambda index: index.add([["x"]]), InputError, "must be a text, not list"),
        (lambda index: index.add(["x"], ids=[0]), InputError, "0 is in the index already"),
        (lambda index: index.add(["x", "y"], ids=["p", "p"]), InputError, "more than once"),
        (lambda index: index.add(["x"], ids=["p", "q"]), InputError, "2 ids for 1 texts"),
        (lambda index: index.add(["x"], ids=[1.5]), InputError, "whole number"),
        (lambda index: index.remove(["nobody"]), InputError, "no text with id 'nobody'"),
        (lambda index: index.document(99), InputError, "no text with id 99"),
        (lambda index: index.match("text"), InputError, "put it into a list"),
        (lambda index: index.match(["text"], top=0), OptionError, "top"),
        (lambda index: index.match(["text"], min_score=float("nan")), OptionError, "min_score"),
        (lambda index: Index.build(["x"], measure="nothing"), OptionError, "measure must be one of"),
        (lambda index: Index.build(["x"], measure=7), OptionError, "not int"),
    ],
)
def test_what_cannot_be_done_is_said_in_words(call, error, words) -> None:
    index = Index.build(["red fish", "blue fish"])
    with pytest.raises(error, match=words):
        call(index)
    assert index.ids() == [0, 1]


def test_an_empty_index_finds_nothing(tmp_path) -> None:
    for specification in ("bm25", "spectra", "soft-cardinality"):
        index = Index.build([], measure=specification, path=tmp_path / specification)
        assert len(index.match(["anything"])) == 0
        index.add(["anything goes"])
        assert len(Index.open(tmp_path / specification).match(["anything"])) == 1
        index.remove([0])
        assert len(index.match(["anything"])) == 0


def test_more_words_than_16_bits_can_weigh() -> None:
    texts = [" ".join(f"w{i * j % 3001}" for i in range(1, 50)) for j in range(1, 200)]
    query = " ".join(f"w{i}" for i in range(3001))
    index = Index.build(texts, measure="bm25")
    same(found(index, [query], 10), brute(index.measure, [query], texts, 10), exact=True)


def test_tf_idf_of_an_opened_index_equals_the_measure(tmp_path) -> None:
    texts = some_texts(40, 11)
    measure = TfIdf().fit(texts)
    Index.build(texts, measure=measure).save(tmp_path / "index")
    index = Index.open(tmp_path / "index")
    assert index.measure.to_json() == measure.to_json()
    assert from_json(index.measure.to_json()).score(texts[0], texts[1]) == measure.score(texts[0], texts[1])
    assert str(parse("tfidf")) == str(index.measure)


def test_hits_say_how_they_are_kept() -> None:
    hits = Index.build(["red fish", "blue fish"]).search("fish")
    with pytest.raises(TypeError, match=r"keep list\(hits\)"):
        pickle.dumps(hits)
    assert [hit.text for hit in pickle.loads(pickle.dumps(list(hits)))] == [hit.text for hit in hits]


@pytest.mark.parametrize("specification", ["bm25", "spectra(weights=c.idf)", "soft-tfidf"])
def test_an_index_pickles(specification: str, tmp_path) -> None:
    index = Index.build(some_texts(60, 3), measure=specification)
    index.add(["words that came later"])
    index.remove([5])
    queries = some_texts(8, 4)
    expected = found(index, queries, 5)
    again = pickle.loads(pickle.dumps(index))
    assert again.path is None
    assert again.ids() == index.ids()
    assert found(again, queries, 5) == expected
    assert again.add(["one more"]) == [max(index.ids()) + 1]
    index.save(tmp_path / "index")
    opened = pickle.loads(pickle.dumps(index))
    assert opened.path == index.path
    assert found(opened, queries, 5) == expected


def test_ids_keep_their_type_and_match_gives_what_match_gives() -> None:
    index = Index.build(["red fish", "blue fish"], ids=[7, 9])
    assert index.document(7).id == 7
    other = Index.build([index.document(7)])
    assert other.ids() == [7]
    result = index.match(["blue fish", "nothing alike"])
    assert isinstance(result, MatchResult)
    assert [(match.left, match.right, match.rank, match.right_text) for match in result] == [(0, 9, 1, "blue fish")]
    assert result.unmatched.to_pylist() == [{"side": "left", "id": 1, "text": "nothing alike"}]
    assert result.measure.score("blue fish", "blue fish") == result[0].score


def test_an_index_refuses_a_measure_of_fields() -> None:
    with pytest.raises(OptionError, match="needs a measure of texts"):
        Index.build(["a"], measure="1 name: tf")
