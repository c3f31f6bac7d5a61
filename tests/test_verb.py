"""One rule for options: names override the object, an unknown name is an error in words."""

import inspect

import numpy as np
import pytest

import likewise as lw
from likewise.options import fields_of

TEXTS = [f"blue fish {n}" for n in range(20)]
INDEX = lw.Index.build(TEXTS)
PAIRS = lw.LabelledPairs(
    "toy", [str(n) for n in range(8)], ["a b", "c d"] * 4, ["a b", "e f"] * 4, np.array([True, False] * 4)
)

CALLS = [
    (lw.match, (TEXTS,), lw.MatchOptions),
    (lw.match, (TEXTS,), lw.TableOptions),
    (lw.dedupe, (TEXTS,), lw.DedupeOptions),
    (lw.mine, ("a.txt",), lw.MineOptions),
    (lw.mine, ("a.txt",), lw.RunOptions),
    (lw.recognise, (PAIRS,), lw.RecogniseOptions),
    (INDEX.search, ("blue",), lw.SearchOptions),
    (lw.link, (TEXTS,), lw.LinkOptions),
    (lw.documents, ("a.txt",), lw.ReadOptions),
    (lw.index_paths, ("a.txt", "idx"), lw.CollectOptions),
    (lw.index_paths, ("a.txt", "idx"), lw.ReadOptions),
]


@pytest.mark.parametrize(("verb", "arguments", "kind"), CALLS)
def test_the_signature_shows_every_option(verb, arguments, kind):
    shown = inspect.signature(verb).parameters
    for field in fields_of(kind):
        assert shown[field.name].default == field.default
        assert shown[field.name].annotation == field.type
    assert "named" not in shown
    assert all(field.help in verb.__doc__ for field in fields_of(kind))


@pytest.mark.parametrize(("verb", "arguments", "kind"), CALLS)
def test_unknown_names_are_told(verb, arguments, kind):
    with pytest.raises(lw.OptionError, match="unknown option 'sede' for"):
        verb(*arguments, sede=3)
    group = next(group for group, one in verb.groups.items() if one is kind)
    with pytest.raises(lw.OptionError, match=f"{kind.__name__} is wanted, not int"):
        verb(*arguments, **{group: 3})


def test_names_override_options():
    assert len(INDEX.search("blue", top=3, options=lw.SearchOptions())) == 3
    assert len(INDEX.search("blue", top=3, options=lw.SearchOptions(top=5, plain=True))) == 3
    assert len(INDEX.search("blue", options=lw.SearchOptions(top=5))) == 5
    assert len(INDEX.search("blue", options={"top": 5})) == 5
    assert lw.recognise(PAIRS, options=lw.RecogniseOptions(repeats=1), folds=2).protocol["folds"] == 2


def test_words_of_other_libraries_are_understood():
    with pytest.raises(lw.OptionError, match="did you mean 'min_score'"):
        INDEX.search("blue", threshold=0.5)
    with pytest.raises(lw.OptionError, match="did you mean 'top'"):
        INDEX.search("blue", limit=5)


@pytest.mark.parametrize("kind", [lw.Spectra, lw.TfIdf, lw.BM25, lw.Matches, lw.Common, lw.Tf, lw.SoftTfIdf])
def test_measures_have_signatures(kind):
    shown = inspect.signature(kind).parameters
    assert list(shown) == [field.name for field in fields_of(kind.Options)]
    with pytest.raises(lw.OptionError, match=f"unknown option 'stme' for {kind.__name__}; did you mean 'stem'"):
        kind(stme="porter")


def test_progress():
    seen = []
    with pytest.raises(lw.OptionError, match="progress must be True, or a function"):
        lw.mine("nowhere.txt", progress=3)
    from likewise.progress import shown_progress

    with shown_progress(lambda *step: seen.append(step), "x") as call:
        call(1, 2, "texts")
    assert seen == [(1, 2, "texts")]
    with shown_progress(True, "x") as call:
        call(1, 2, "texts")
        call(2, 2, "texts")


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda: lw.compare("a", "b", colection=["a"]), "collection"),
        (lambda: lw.Index.build(TEXTS, mesure="bm25"), "measure"),
        (lambda: INDEX.match(TEXTS, min_scor=0.5), "min_score"),
    ],
    ids=["compare", "build", "match"],
)
def test_unknown_names_of_verbs_without_options_are_told(call, meant):
    with pytest.raises(lw.OptionError, match=f"did you mean '{meant}'"):
        call()
