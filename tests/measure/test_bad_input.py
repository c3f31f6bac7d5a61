"""Bad input gives a clear message or a defined result; never a crash, never a hang."""

import math
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import likewise
from likewise import BM25, SoftCardinality, SoftTfIdf, Spectra, TfIdf
from likewise.analyse import Analyser
from likewise.errors import FormatError, InputError, LikewiseError, NotFittedError, OptionError
from likewise.measure import as_measure, from_json, load, parse
from likewise.measure.arguments import in_language, read_stop
from likewise.measure.statistics import Statistics

WRONG_OPTIONS = [
    (lambda: Spectra(q=-1), "q must be between 0 and 10, not -1"),
    (lambda: Spectra(q=(2, 11)), "between 0 and 10"),
    (lambda: Spectra(q=(4, 2)), "must not fall"),
    (lambda: Spectra(q="two"), "'2:4'"),
    (lambda: Spectra(q=2.5), "q must be a number"),
    (lambda: Spectra(q=True), "q must be a number"),
    (lambda: Spectra(padding="double"), "'none', 'single', 'full'"),
    (lambda: Spectra(weights="c.tf"), "'c.idf'"),
    (lambda: Spectra(weights="idf.tfidf"), "weights"),
    (lambda: Spectra(coefficient=math.nan), "not NaN"),
    (lambda: Spectra(coefficient="jacard"), "'jaccard'"),
    (lambda: Spectra(term_weights={"a": -1}), "0 or more"),
    (lambda: Spectra(colour="red"), "unknown option 'colour' for Spectra; known"),
    (lambda: Spectra(stem="klingon"), "porter"),
    (lambda: Spectra(stop="none"), "smart"),
    (lambda: TfIdf(weights="tfxidf"), "'tfidf'"),
    (lambda: TfIdf(best_terms=0), "1 or more"),
    (lambda: BM25(k1=-1), "0 or more"),
    (lambda: SoftTfIdf(cut=2), "between 0 and 1"),
    (lambda: SoftTfIdf(similarity="levenshtein"), "jaro-winkler"),
    (lambda: SoftTfIdf(similarity=lambda a, b: 7.0, weights="boolean").score("a", "b"), "from 0 to 1"),
    (lambda: parse("spectre"), "spectra"),
    (lambda: parse("spectra(q=2"), "closing bracket"),
    (lambda: parse("spectra(p=2)"), "'p=2' is not an option of spectra; known"),
]


@pytest.mark.parametrize(("call", "message"), WRONG_OPTIONS)
def test_wrong_options_say_what_is_allowed(call, message):
    with pytest.raises(OptionError) as error:
        call()
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.score(None, "a"), "NoneType, not a str"),
        (lambda m: m.score("a", 7), "int, not a str"),
        (lambda m: m.scores("abc", ["a"]), "not a single str"),
        (lambda m: m.scores(["a", "b"], ["a"]), "2 texts with 1"),
        (lambda m: m.matrix(["a"], [b"b"]), "item 0 must be a text, not bytes"),
        (lambda m: m.fit("abc"), "not a single str"),
    ],
)
@pytest.mark.parametrize("measure", [Spectra(), TfIdf(weights="tf")], ids=str)
def test_wrong_types_say_which_text(measure, call, message):
    with pytest.raises(InputError) as error:
        call(measure)
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["spectra(weights=c.idf)", "spectra(weights=qidf)", "tfidf", "bm25", "soft-tfidf"])
@pytest.mark.parametrize("call", ["score", "explain"])
def test_adaptive_measures_ask_for_a_collection(name, call):
    measure = parse(name)
    with pytest.raises(NotFittedError, match="fit"):
        getattr(measure, call)("a b", "b c")
    measure.fit(["a b", "b c", "d"])
    assert getattr(measure, call)("a b", "b c") is not None


@pytest.mark.parametrize(
    "measure", [Spectra(), TfIdf(weights="tf"), SoftTfIdf(weights="boolean"), SoftCardinality()], ids=str
)
@pytest.mark.parametrize("text", ["", " \t\n", "?!…—", "\x00\x00", "\ud800", "🙂🙃", "\u200b"])
def test_texts_without_terms_are_like_nothing(measure, text):
    assert measure.score(text, text) == 0
    assert measure.score(text, "word") == 0
    assert measure.explain(text, "word").contributions == ()
    assert measure.matrix([text, "a"], ["a", text]).tolist() == [[0, 0], [pytest.approx(1), 0]]


def test_surrogates_and_nul_separate_words():
    assert likewise.Matches().score("left\ud800right", "right left") == 2
    assert likewise.Matches().score("left\x00right", "right left") == 2
    why = Spectra().explain("left\ud800right", "right")
    assert [span.of("left\ud800right") for span in why.left_spans] == ["right"]


def test_empty_collections():
    spectra = Spectra(weights="c.idf.qidf").fit([])
    assert spectra.score("a", "a") == 0
    assert spectra.matrix([], []).shape == (0, 0)
    assert spectra.matrix(["a"], []).shape == (1, 0)
    assert spectra.scores([], []).tolist() == []
    assert BM25().fit([]).score("a", "a") >= 0


def test_damaged_measure_files(tmp_path):
    path = tmp_path / "measure.json"
    for content in ("", "[1]", '{"measure": "spectre"}', '{"measure": "spectra"}', "\x00"):
        path.write_text(content)
        with pytest.raises(FormatError):
            load(path)
    with pytest.raises(FormatError):
        load(tmp_path / "absent.json")
    with pytest.raises(LikewiseError):
        from_json({"measure": "spectra", "options": {"q": [0, 99]}})


def test_terms_of_a_saved_measure_are_a_list_of_texts():
    saved = TfIdf().fit(["a b", "b"]).to_json()
    for terms in ("ab", ["a", 1], {"a": 1}, None):
        with pytest.raises(LikewiseError, match="the terms of a saved measure must be texts"):
            Statistics.from_json(saved["statistics"] | {"terms": terms}, Analyser())


def test_a_name_with_the_ending_of_a_saved_measure_is_one():
    with pytest.raises(FormatError, match=r"gone\.json is not a saved measure"):
        as_measure("gone.json")


@pytest.mark.parametrize("name", ["tfidf(stop=english)", "bm25(stem=english)"])
def test_a_measure_of_one_language_is_not_put_into_another(name):
    with pytest.raises(OptionError, match="has its own analysis"):
        in_language(parse(name), "de")


def test_one_word_of_ten_million_characters():
    word = "abcdefghij" * 1_000_000
    assert Spectra(q=3).score(word, word + "k") > 0.5


def test_one_text_of_many_megabytes():
    text = " ".join(f"word{i % 50_000}" for i in range(2_000_000))
    assert TfIdf(weights="tf").score(text, text) == pytest.approx(1)
    assert Spectra(q=4).score(text, "word1 word2") > 0


def test_scoring_releases_the_interpreter():
    """Another thread must be able to run while a long matrix is computed."""
    texts = [f"some text number {i} of many, all of them alike" for i in range(1500)]
    ticks = 0
    done = threading.Event()

    def tick():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    clock = threading.Thread(target=tick)
    clock.start()
    most = 0
    for _ in range(50):  # a busy machine may not let the other thread run at all during one of them
        before = ticks
        Spectra().matrix(texts, texts, threads=1)
        most = max(most, ticks - before)
        if most > 10:
            break
    done.set()
    clock.join()
    assert most > 10


def test_one_measure_serves_many_threads():
    """Scoring while another thread adds words must neither crash nor change a score."""
    spectra = Spectra()
    expected = spectra.score("some common words", "same common word")
    failures = []

    def add(number):
        texts = [f"fresh{number}x{i} word{i * 31 % 977}" for i in range(20_000)]
        spectra.scores(texts, texts[::-1])

    def score():
        scores = {spectra.score("some common words", "same common word") for _ in range(3000)}
        failures.extend(scores - {expected})

    team = [threading.Thread(target=add, args=(number,)) for number in range(3)]
    team += [threading.Thread(target=score) for _ in range(3)]
    for member in team:
        member.start()
    for member in team:
        member.join()
    assert failures == []


@pytest.mark.skipif(not hasattr(signal, "SIGINT"), reason="needs signals")
def test_interrupt_stops_a_long_matrix():
    code = """
import signal, likewise
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
texts = [f'some quite long text number {i} of many others, all of them rather alike' for i in range(20000)]
reports = []
def watch(done, total, *unit):
    reports.append(done / total)
    if len(reports) == 1:
        print('ready', flush=True)
try:
    likewise.Spectra(q=(1, 4)).matrix(texts, texts, progress=watch)
except KeyboardInterrupt:
    print(max(reports))
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate()
        assert float(output) < 0.9  # it did not go on to the end
    finally:
        process.kill()


def test_progress_is_reported_and_can_stop():
    texts = [f"text number {i} of a long list" for i in range(3000)]
    seen = []

    def watch(done, total, unit):
        seen.append((done, total))
        raise likewise.Cancelled("enough")

    with pytest.raises(likewise.Cancelled, match="enough"):
        Spectra(q=(1, 5)).matrix(texts, texts, progress=watch)
    assert seen
    assert 0 <= seen[0][0] <= seen[0][1]


def test_python_does_not_run_once_a_pair():
    """`scores` calls Python functions for texts and words in bulk: five times the pairs do not make more calls."""
    generator = np.random.default_rng(3)
    words = [f"w{i:04}x" for i in range(300)]
    texts = [" ".join(words[i] for i in row) for row in generator.integers(0, len(words), (2_000, 7))]

    def calls_for(pairs):
        lefts, rights = ([texts[i] for i in generator.integers(0, len(texts), pairs)] for _ in range(2))
        spectra, calls = Spectra(), 0

        def count(frame, event, argument):
            nonlocal calls
            calls += event == "call"

        sys.setprofile(count)
        try:
            spectra.scores(lefts, rights, threads=1)
        finally:
            sys.setprofile(None)
        return calls

    few = calls_for(10_000)
    assert calls_for(50_000) < few + 1000
    assert few < 10_000


def test_what_is_too_long_for_a_name_is_no_file():
    with pytest.raises(OptionError, match="measure must be"):
        as_measure("(" * 5000)
    with pytest.raises(OptionError):
        read_stop("a" * 5000)
