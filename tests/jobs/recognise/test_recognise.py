import json

import numpy as np
import pytest

import likewise as lw
from likewise.errors import DamagedError, ForeignError, InputError, OptionError, StorageError
from likewise.evaluate.gold import collections
from likewise.jobs.recognise import RecogniseOptions
from likewise.jobs.recognise.fit import _folds, _threshold
from likewise.jobs.recognise.signals import COEFFICIENTS, SCHEMES, candidates
from likewise.measure import Spectra
from likewise.measure.spectra_coverage import uncovered
from likewise.quality.pairs import LabelledPairs

SUBJECTS = ["the minister", "a young doctor", "our neighbour", "the old captain", "my sister", "the company"]
DEEDS = [
    "sold the house in May",
    "bought seven ships",
    "left the city by train",
    "wrote a long letter",
    "paid its debts",
]


def toy(seed: int = 0, size: int = 80) -> LabelledPairs:
    """Pairs that differ a little (yes) or in what is said (no)."""
    random = np.random.default_rng(seed)
    lefts, rights, labels = [], [], []
    for _ in range(size):
        subject, deed = random.choice(SUBJECTS), random.choice(DEEDS)
        label = bool(random.random() < 0.5)
        other = deed if label else random.choice([one for one in DEEDS if one != deed])
        lefts.append(f"{subject} {deed}")
        rights.append(f"{other}, said {subject}s")
        labels.append(label)
    return LabelledPairs("toy", [str(at) for at in range(size)], lefts, rights, np.array(labels))


def test_learns_and_is_the_same_each_time():
    first, second = (lw.recognise(toy(), folds=3, repeats=1) for _ in range(2))
    assert first.to_json() == second.to_json()
    test = toy(1)
    assert first.evaluate(test)["honest"]["accuracy"] > 0.9


def test_saved_model_decides_the_same(tmp_path):
    model = lw.recognise(toy(), folds=3, repeats=1)
    model.save(tmp_path / "m.json")
    again = lw.Recogniser.load(tmp_path / "m.json")
    test = toy(2)
    assert again.scores(test.lefts, test.rights).tolist() == model.scores(test.lefts, test.rights).tolist()
    values = json.loads((tmp_path / "m.json").read_text())
    assert values["measures"][0]["measure"].startswith(("spectra(", "tfidf(", "soft-tfidf("))
    assert values["protocol"]["cross_validated"] > 0.8


def test_all_coefficients_equal_their_measures():
    pairs = toy(3, 12)
    count = 0
    for signal, values in candidates(pairs.lefts, pairs.rights, "porter"):
        if isinstance(signal.measure, Spectra):
            if signal.measure.adaptive:
                signal.measure.fit([*pairs.lefts, *pairs.rights])
            assert values == pytest.approx(signal.scores(pairs.lefts, pairs.rights), abs=1e-12), str(signal)
            count += 1
    assert count == len(SCHEMES) * (len(COEFFICIENTS) + 1)


def test_a_combination_is_taken_where_it_helps():
    # Yes only where the right is covered by the left and the left by the right; neither reading alone is enough.
    random = np.random.default_rng(0)
    words = [f"word{at}x{at * 7}" for at in range(60)]
    lefts, rights, labels = [], [], []
    for at in range(240):
        base = list(random.choice(words, 6, replace=False))
        kind = at % 3
        lefts.append(" ".join(base if kind != 1 else base + list(random.choice(words, 5))))
        rights.append(" ".join(base if kind != 2 else base + list(random.choice(words, 5))))
        labels.append(kind == 0)
    model = lw.recognise(LabelledPairs("both", [str(i) for i in range(240)], lefts, rights, np.array(labels)), folds=3)
    assert model.evaluate(LabelledPairs("both", [str(i) for i in range(240)], lefts, rights, np.array(labels)))[
        "honest"
    ]["accuracy"] > 0.95  # fmt: skip


def test_explains_what_is_not_covered():
    model = lw.recognise(toy(), folds=3, repeats=1)
    reason = model.explain("the minister sold the house", "the minister sold the house and seven ships")
    missing = [part.text for part in reason.uncovered]
    assert missing[0] in ("ships", "seven")
    assert "minister" not in missing
    assert reason.decision == (reason.score >= reason.threshold)
    assert json.dumps(reason.to_json())


def test_uncovered_is_nothing_for_the_same_text():
    spectra = Spectra(q=(1, 4), padding="none", weights="c")
    assert uncovered(spectra, "same words here", "here same words") == ()
    (only,) = uncovered(spectra, "abc", "abc xyz")
    assert (only.text, only.share, only.weight) == ("xyz", 1.0, pytest.approx(0.5))


@pytest.mark.parametrize("goal", ["accuracy", "f1"])
def test_threshold_is_the_best_cut(goal):
    random = np.random.default_rng(5)
    values, labels = random.random(50).round(1), random.random(50) < 0.4

    def figure(cut):
        guess = values >= cut
        if goal == "accuracy":
            return (guess == labels).mean()
        return 2 * (guess & labels).sum() / (guess.sum() + labels.sum())

    cuts = [*np.unique(values), 2.0]
    assert figure(_threshold(values, labels, goal)) == pytest.approx(max(figure(cut) for cut in cuts))


def test_folds_share_out_both_labels():
    labels = np.array([True] * 10 + [False] * 5)
    parts = _folds(labels, 5, 0)
    assert np.bincount(parts[labels]).tolist() == [2] * 5
    assert np.bincount(parts[~labels]).tolist() == [1] * 5


def test_bad_input_is_told_in_words(tmp_path):
    with pytest.raises(InputError, match="5 folds need"):
        lw.recognise(toy(0, 6))
    with pytest.raises(OptionError, match="goal"):
        RecogniseOptions(goal="luck")
    with pytest.raises(StorageError, match="cannot read"):
        lw.Recogniser.load(tmp_path / "none.json")
    for content, error in (("{", DamagedError), ("{}", ForeignError), ("[]", ForeignError)):
        (tmp_path / "m.json").write_text(content)
        with pytest.raises(error):
            lw.Recogniser.load(tmp_path / "m.json")
    model = lw.recognise(toy(), folds=3, repeats=1)
    values = model.to_json()
    for change, error in (({"version": 99}, ForeignError), ({"measures": [{}]}, DamagedError)):
        (tmp_path / "m.json").write_text(json.dumps(values | change))
        with pytest.raises(error):
            lw.Recogniser.load(tmp_path / "m.json")
    with pytest.raises(InputError, match="equal length"):
        model.predict(["a"], [])


def test_command_line(tmp_path, cli):
    pairs = toy()
    lines = [
        f"{key}\t{left}\t{right}\t{int(label)}"
        for key, left, right, label in zip(pairs.ids, pairs.lefts, pairs.rights, pairs.labels, strict=True)
    ]
    (tmp_path / "train.tsv").write_text("id\tleft\tright\tlabel\n" + "\n".join(lines))
    done = cli("recognise", "fit", "train.tsv", "-o", "m.json", "--folds", 3, "--repeats", 1, "--no-combine", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["protocol"]["folds"] == 3
    done = cli("recognise", "predict", "m.json", "train.tsv", "-o", "out.csv", "--explain")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.csv").read_text().startswith("id,label,score,uncovered")
    done = cli("recognise", "evaluate", "m.json", "train.tsv")
    assert "honest" in done.stdout
    done = cli("evaluate", "pairs", "out.csv", "train.tsv", "--json")
    assert json.loads(done.stdout)["accuracy"] > 0.9
    done = cli("recognise", "evaluate", "train.tsv", "train.tsv")
    assert done.returncode == 2
    assert done.stderr.startswith("likewise: train.tsv")


@pytest.mark.data
def test_honest_entailment_beats_chance_clearly(data):
    # RTE-3 development pairs, half to learn from and half to be tested on.
    pairs = collections.pair_set(data, "rte3-dev")
    order = np.random.default_rng(0).permutation(len(pairs))
    model = lw.recognise(pairs.take(order[:400]), combine=False)
    assert model.evaluate(pairs.take(order[400:]))["honest"]["accuracy"] > 0.66
