"""Search over an index: limits, groups, snippets, fields; the scores are those of the measure."""

import datetime
import itertools

import pytest

from likewise import Document, Index, Paraphrases
from likewise.analyse import Analyser
from likewise.errors import InputError, OptionError, QueryError
from likewise.index.snippet import snippet
from likewise.index.spelling import Speller
from likewise.measure import BM25, Spectra, parse

TEXTS = [
    "The law took effect in May 1990.",
    "The law came into force in June, and effect took nobody by surprise.",
    "A dog began to bark; the cat did not begin at all.",
    "The dog took the cat to the sea.",
    "Effects of the law on dogs and cats",
    "",
    "took effect took effect",
]
MEASURES = ["bm25", "tfidf", "matches", "spectra", "spectra(weights=c.idf.qidf)", "soft-tfidf"]


@pytest.fixture(scope="module", params=MEASURES)
def index(request) -> Index:
    documents = [
        Document(f"t{i}", text, f"{i}.txt", {"year": 1990 + i, "lang": "en" if i % 2 else "de", "tags": ["a", f"x{i}"]})
        for i, text in enumerate(TEXTS)
    ]
    return Index.build(documents, measure=request.param)


def ids(index: Index, query: str, **options) -> set[str]:
    return set(index.search(query, top=100, **options).ids)


def test_scores_are_those_of_the_measure(index: Index) -> None:
    for query in ("law took effect", "dog", "cats and dogs in May", "(dog | cat) law", '"took effect" (May | June)'):
        hits = index.search(query, top=100)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        for hit in hits:
            assert hit.score == pytest.approx(index.measure.score(hit.reading, hit.text), rel=1e-12)
            assert hit.explain().total == pytest.approx(hit.score, rel=1e-9, abs=1e-12)


def test_a_query_of_known_words_is_looked_up_and_not_analysed(monkeypatch) -> None:
    found = Index.build(["Soft Cardinality", "Hard Numbers"], measure="bm25")
    expected = found.search("SOFT numbers").ids
    monkeypatch.setattr(Analyser, "terms", lambda *_, **__: pytest.fail("known words were analysed again"))
    assert found.search("SOFT numbers").ids == expected


def test_a_phrase_must_stand_in_the_text(index: Index) -> None:
    assert ids(index, '"took effect"') == {"t0", "t6"}
    assert ids(index, '"effect took"') == {"t1", "t6"}
    assert ids(index, '"Took, EFFECT took"') == {"t6"}
    assert ids(index, '"took effect" -law') == {"t6"}


def test_what_must_not_occur_does_not(index: Index) -> None:
    assert ids(index, "law -may") == ids(index, "law") - {"t0"}
    assert not ids(index, 'law effect -"took effect"') & {"t0", "t6"}
    assert not ids(index, "law took -(may | june cats | sea)") & {"t0", "t3"}
    assert "t1" in ids(index, "law took -(june cats)")  # all words of an alternative are needed


def test_the_best_alternative_counts(index: Index) -> None:
    texts = dict(zip((f"t{i}" for i in range(len(TEXTS))), TEXTS, strict=True))
    readings = [" ".join(pair) for pair in itertools.product(["dog", "cat", "law"], ["began", "took effect"])]
    hits = index.search("(dog | cat | law) (began | took effect)", top=100)
    for hit in hits:
        best = max(index.measure.score(reading, texts[hit.id]) for reading in readings)
        assert hit.score == pytest.approx(best, rel=1e-12)
    missed = set(texts) - {hit.id for hit in hits}
    assert all(index.measure.score(reading, texts[one]) == 0 for reading in readings for one in missed)


def test_a_phrase_in_a_group_counts_only_where_it_stands(index: Index) -> None:
    for hit in index.search('law (dog | "took effect")', top=100):
        assert ("took effect" in hit.reading) <= ("took effect" in hit.text)


def test_fields_limit_what_is_found(index: Index) -> None:
    everything = ids(index, "law dog took effect")
    assert ids(index, "law dog took effect year:1990") == {"t0"}
    assert ids(index, "law dog took effect year:1991..1993") == everything & {"t1", "t2", "t3"}
    assert ids(index, "law dog took effect year:..1991") == everything & {"t0", "t1"}
    assert ids(index, "law dog took effect -lang:EN") == {one for one in everything if int(one[1]) % 2 == 0}
    assert ids(index, "law dog took effect tags:x3") == everything & {"t3"}
    assert ids(index, "law dog took effect source:3.txt") == everything & {"t3"}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"year": 1990}, {"t0"}),
        ({"year": "1990"}, {"t0"}),
        ({"year": [1990, 1993]}, {"t0", "t3"}),
        ({"year": (1991, 1993)}, {"t1", "t2", "t3"}),
        ({"year": (None, 1991)}, {"t0", "t1"}),
        ({"year": "1991..", "lang": "en"}, {"t1", "t3", "t5"}),
        ({"lang": "EN"}, set()),
        ({"tags": "x4"}, {"t4"}),
        ({"lang": None}, set()),
    ],
)
def test_filters(index: Index, filters, expected) -> None:
    query = "the law dog took effect cats"
    assert ids(index, query, filters=filters) == ids(index, query) & expected


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ("1924..1927", {"0", "1"}),
        ("1924-11-21..1927", {"0"}),
        ("..1924-11", {"1"}),
        ("1927-01-10..", {"0", "2"}),
        ("1928..1940", {"2"}),
    ],
)
def test_ranges_of_days_that_are_texts(days, expected) -> None:
    rows = [Document(str(n), "fish", "", {"day": day}) for n, day in enumerate(["1927-01-10", "1924-11-20", "1931"])]
    index = Index.build([*rows, Document("3", "fish")])
    assert ids(index, f"fish day:{days}") == ids(index, "fish", filters={"day": days}) == expected
    assert ids(index, "fish day:1927-01-10") == {"0"}


def test_filters_on_dates_and_truth() -> None:
    days = [datetime.date(2020, 1, day) for day in (1, 2, 3)]
    documents = [Document(str(i), "fish", "", {"day": day, "wet": i > 0}) for i, day in enumerate(days)]
    index = Index.build([*documents, Document("3", "fish")])
    assert ids(index, "fish", filters={"day": datetime.date(2020, 1, 2)}) == {"1"}
    assert ids(index, "fish day:2020-01-02..2020-01-09") == {"1", "2"}
    assert ids(index, "fish", filters={"wet": True}) == {"1", "2"}
    assert ids(index, "fish wet:false") == {"0"}
    assert ids(index, "fish", filters={"day": None}) == {"3"}


@pytest.mark.parametrize(
    ("query", "options", "error", "words"),
    [
        ("", {}, QueryError, "empty"),
        ("  ", {"plain": True}, QueryError, "empty"),
        ("fish colour:red", {}, QueryError, "no field 'colour'; it has lang, source, tags, year"),
        ("path:git*", {}, QueryError, "no field 'path'; it has lang, source, tags, year"),
        ("-path:git*", {}, QueryError, "no field 'path'; it has lang, source, tags, year"),
        ("-red", {}, QueryError, "no word to look for"),
        ("year:1999", {}, QueryError, "no word to look for"),
        ("fish", {"filters": {"colour": "red"}}, OptionError, "no field 'colour'"),
        ("fish year:soon", {}, QueryError, "year holds values of the kind int64, and 'soon' is none"),
        ("fish year:1990..soon", {}, QueryError, "'1990..soon' is none"),
        ("fish", {"filters": {"year": ["1990", "soon"]}}, OptionError, "filters: year holds .* and 'soon' is none"),
        ("fish lang:de..en", {}, QueryError, "lang holds texts, and de..en is not a range of days"),
        ("fish", {"top": 0}, OptionError, "top must be 1 or more"),
        ("fish", {"tops": 3}, OptionError, "did you mean 'top'"),
        ("fish", {"min_score": float("nan")}, OptionError, "min_score"),
        (7, {}, InputError, "int, not a str"),
        ("fish \ud800", {}, QueryError, "surrogate"),
    ],
)
def test_what_cannot_be_asked_is_said_in_words(index: Index, query, options, error, words) -> None:
    with pytest.raises(error, match=words):
        index.search(query, **options)


def test_long_queries_and_odd_ones(index: Index) -> None:
    assert len(index.search("law " * 250_000, top=3)) == 3  # 1 MB
    assert len(index.search(" ".join(f"w{i}" for i in range(150_000)) + " dog", top=3)) > 0
    assert len(index.search("nothing like it xyzzy qqqq", top=3)) <= 3
    assert len(index.search("?! … \x00", top=3)) == 0
    assert len(index.search('(- "" | ---', plain=True)) == 0


def test_only_stop_words_find_nothing() -> None:
    index = Index.build(TEXTS, measure="bm25(stop=smart, stem=porter)")
    assert len(index.search("the of in")) == 0
    assert len(index.search('"the of" law')) == 0  # no text has the one behind the other
    assert index.search("laws taking effect").ids[0] in (0, 6)
    assert index.search('"law took effect"').ids == [0]


BRANCHES = [
    "A branch that is not merged must not be deleted without asking the owner of it first.",
    "A branch that is merged may be deleted at any time by the owner, who need not ask anyone.",
    "Deleting the branch is what the merging tool does when the work is over and all is well.",
]


@pytest.mark.parametrize("measure", ["bm25", "bm25(stop=english, stem=porter)", "tfidf(stop=english)", "spectra"])
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('branch -"must not"', {1, 2}),
        ('branch -"must be"', {0, 1, 2}),
        ("branch -not", {2}),
        ("branch -the -any", set()),
        ("branch -(when | any)", {0}),
        ("branch -(not merged)", {2}),
        ('branch -"!!" -...', {0, 1, 2}),
        ('"must not" branch', {0}),
        ('"not be deleted"', {0}),
        ('branch ("who need" | tool)', {0, 1, 2}),
        ('"the branch" branch', {2}),
    ],
)
def test_phrases_and_exclusions_have_their_stop_words(measure, query, expected) -> None:
    index = Index.build([*BRANCHES, "Soup is not hot.", "When is it?"], measure=measure)
    assert set(index.search(query, top=9).ids) == expected


def test_only_texts_that_can_be_hits_are_read_for_stop_words(monkeypatch) -> None:
    index = Index.build([*BRANCHES, *(f"Soup number {n} is not hot." for n in range(50))], measure="bm25(stop=english)")
    read = []
    terms = Analyser.terms
    monkeypatch.setattr(Analyser, "terms", lambda self, texts, **more: read.extend(texts) or terms(self, texts, **more))
    assert index.search("branch -not").ids == [2]
    assert sum("Soup" in text for text in read) == 0


def test_a_word_of_another_language_is_no_slip_and_a_letter_left_out_is_likelier_than_another() -> None:
    texts = ["call formatwarning", "format of dates", *["split it"] * 9, "use sqlite", "asynchronous calls"]
    index = Index.build(texts, measure="bm25(stop=english, stem=porter)")
    assert index.search("formatieren").corrections == ()
    assert index.search("sqlit").corrections == (("sqlit", "sqlite"),)
    assert index.search("asyncronuos").corrections == (("asyncronuos", "asynchronous"),)


def test_typing_errors_are_forgiven_by_spectra() -> None:
    index = Index.build(TEXTS, measure="spectra")
    assert index.search("the lwa tok efect in Mai").ids[0] == 0
    assert index.search("dgo begann to barc").ids[0] == 2


@pytest.mark.parametrize("specification", ["bm25", "tfidf", "bm25(stem=porter)"])
def test_typing_errors_are_read_away_where_whole_words_count(specification: str) -> None:
    index = Index.build(TEXTS, measure=specification)
    hit = index.search("the laww tok efect in Mayy", top=1)[0]
    assert (hit.id, hit.score) == (0, pytest.approx(index.measure.score(hit.reading, hit.text)))
    assert index.search('laww (efectt | "no such thing") -dog').ids == index.search("law effect -dog").ids
    assert len(index.search("laww efectt", forgive=False)) == 0
    assert len(index.search("xylophone quartz")) == 0
    index.add(["a xylophone"])
    assert index.search("xylofone").ids == [len(TEXTS)]
    index.remove([len(TEXTS)])
    index.compact()
    assert len(index.search("xylofone")) == 0


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("serach", "search"),
        ("valeu", "value"),  # a stop word of the list, where other forms of its stem are none
        ("becuase", "because"),
        ("valeud", "valued"),
        ("sarch", "search"),
    ],
)
def test_two_letters_that_changed_places_are_one_slip_and_come_first(written: str, meant: str) -> None:
    texts = ["its values are valued", "a search", "a search of the house", "a became b", "a sarchi"]
    index = Index.build(texts, measure="bm25(stop=english, stem=porter)")
    assert index.search(f"house {written}")[0].reading == f"house {meant}"


def test_a_query_is_widened_with_paraphrases(tmp_path) -> None:
    table = Paraphrases.of_rows([("took effect", "came into force", 9), ("barked", "began to bark", 5)])
    index = Index.build(TEXTS, measure="bm25")
    assert 1 not in index.search('"took effect"', top=1).ids
    hits = index.search("law took effect", expand=table)
    assert {hit.id: hit.reading for hit in hits}[1] == "law came into force"
    assert index.search("who barked (loudly)?", expand=table, plain=True)[0].reading.endswith("began to bark loudly ?")
    assert (
        index.search("took effect", expand=table, per_phrase=1).ids
        == index.search('("took effect" | "came into force")').ids
    )


def test_removed_texts_are_not_found(index: Index) -> None:
    other = Index.build(TEXTS, measure=str(index.measure))
    other.remove([0])
    for query in ("law took effect", '"took effect"', "(law | dog) may", "effect -dog"):
        assert 0 not in other.search(query, top=100).ids


def test_a_smallest_score(index: Index) -> None:
    hits = index.search("law took effect", top=100)
    middle = hits[len(hits) // 2].score
    reached = [hit.id for hit in hits if hit.score >= middle]
    for query in ("law took effect", "(law | law) took effect"):
        assert index.search(query, top=100, min_score=middle).ids == reached


def test_ties_come_in_the_order_of_the_index() -> None:
    index = Index.build(["same text"] * 50, measure="bm25")
    assert index.search("text", top=10).ids == list(range(10))
    assert index.search("(text | word)", top=10).ids == list(range(10))
    index = Index.build(["same text"] * 50, measure="spectra")
    assert index.search("text", top=10).ids == list(range(10))


def test_many_readings_of_an_unseparable_measure_stay_bounded() -> None:
    index = Index.build(TEXTS, measure="spectra")
    query = " ".join("(law | dog | cat | sea | june)" for _ in range(12))
    assert len(index.search(query, top=3)) == 3


def test_best_alternatives_of_many_groups_are_found_by_bm25() -> None:
    index = Index.build(TEXTS, measure="bm25")
    hit = index.search("(a1 | a2 | law) (b1 | b2 | b3 | took) (c1 | c2 | effect)")[0]
    assert hit.reading == "law took effect"
    assert hit.score == pytest.approx(index.measure.score("law took effect", hit.text))


@pytest.mark.parametrize("measure", [BM25().fit(TEXTS), Spectra()])
def test_snippets_point_at_the_words(measure) -> None:
    text = "Nothing here. " * 40 + "In May 1990 the law took effect, it is said. " + "More of nothing. " * 40
    piece = snippet(measure, "law effect may", text, 80)
    assert len(piece.text) <= 90
    assert piece.before
    assert piece.after
    assert {span.of(piece.text) for span in piece.highlights} == {"May", "law", "effect"}
    assert text[piece.start : piece.start + len(piece.text)] == piece.text
    assert "[law]" in piece.marked("[", "]")


def test_snippets_of_texts_without_hits_short_texts_and_long_words() -> None:
    measure = parse("matches")
    assert snippet(measure, "x", "short text").text == "short text"
    assert snippet(measure, "x", "").text == ""
    assert len(snippet(measure, "x", "y" * 1000, 100).text) == 100
    assert snippet(measure, "word", "a" * 500 + " word " + "b" * 500, 50).highlights
    assert snippet(measure, "word", ("word " * 100_000), 50).highlights


def test_highlights_of_spectra_show_similar_words() -> None:
    piece = snippet(Spectra(), "colour harbor", "The color of the harbour at night", 100)
    assert piece.marked("[", "]") == "The [color] of the [harbour] at night"


def test_hits_as_a_sequence_and_as_tables(index: Index) -> None:
    hits = index.search("law", top=2)
    assert hits[-1] == hits[len(hits) - 1]
    assert [hit.id for hit in hits[:1]] == hits.ids[:1]
    with pytest.raises(IndexError):
        hits[len(hits)]
    assert hits.to_arrow().column("id").to_pylist() == hits.ids
    values = hits.to_json(explain=True)
    assert [row["id"] for row in values["hits"]] == hits.ids
    assert "explanation" in values["hits"][0]


def test_names_override_options(index):
    from likewise.index.search import SearchOptions

    assert len(index.search("law", top=3, options=SearchOptions())) == 3
    assert len(index.search("law", options=SearchOptions(top=2))) == 2
    with pytest.raises(OptionError, match="did you mean 'top'"):
        index.search("law", tpo=3)


def test_hits_are_a_result_with_ids_and_fields():
    made = [
        Document("x", "red fish", "a.txt", {"year": 1999, "rank": "high"}),
        Document("y", "one red fish", "b.txt", {}),
    ]
    hits = Index.build(made).search("red")
    table = hits.to_arrow()
    assert table.column_names == ["rank", "id", "score", "text", "source", "field:rank", "year"]
    assert table.column("year").to_pylist() == [1999, None]
    assert [hit.rank for hit in hits[1:]] == [2]
    assert [hit.id for hit in hits.head(1)] == ["x"]
    assert repr(hits) == "Hits(2 hits)"
    assert "<mark" in hits._repr_html_()
    numbered = Index.build(["red fish"]).search("red").to_arrow()
    assert numbered.column("id").to_pylist() == [0]
    assert Index.build(["red fish"]).search("nothing").to_arrow().schema.field("id").type == "int64"


def test_what_was_corrected_is_said_in_words_of_the_texts() -> None:
    index = Index.build(["The pituitary gland grows.", "Glands of PCO2 and svs."], measure="bm25(stem=porter)")
    hits = index.search("pituitery glnad -fish")
    assert hits.corrections == (("pituitery", "pituitary"), ("glnad", "gland"))
    assert hits.corrected == "pituitary gland -fish"
    assert hits.to_json()["corrections"] == {"pituitery": "pituitary", "glnad": "gland"}
    assert index.search("pituitery glnad").corrected == "pituitary gland"
    keys = Index.build(["PRAGMA foreign_keys is off forever"], measure="bm25(stem=porter)")
    assert keys.search("pragma foreing_keys").corrected == "pragma foreign_keys"
    assert index.search("pituitary gland").corrections == ()


@pytest.mark.parametrize(
    ("query", "corrected"),
    [
        ("recieve", "receive"),
        ("interactve", "interactive"),
        ("piking", "picking"),
        ("foreing", "foreign"),
        ("REPOSITRY", "repository"),
        ("REPOSITRY LAYUOT", "repository layout"),
    ],
)
def test_the_form_that_is_nearest_to_what_was_written_is_read(query, corrected) -> None:
    texts = [
        "Received interaction of repositories and layouts; they picked a forcing.",
        "Receive an interactive repository layout of foreign makes; picking goes on.",
    ]
    assert Index.build(texts, measure="bm25(stem=porter,stop=english)").search(query).corrected == corrected


def test_a_word_that_the_texts_have_is_likelier_than_one_of_which_they_have_the_stem() -> None:
    texts = ["Keep dogs off the premises.", "Premises are guarded.", "Ask for permission first."]
    index = Index.build(texts, measure="bm25(stem=porter, stop=english)")
    assert index.search("permision").corrected == "permission"
    # Without such a word the letters are still put back.
    assert index.search("guadring").corrected == "guarding"


@pytest.mark.parametrize(("common", "found"), [(6_000, None), (4_000, "abrazadera")])
def test_a_word_of_one_text_is_meant_in_a_list_of_words_and_may_be_an_error_in_a_text(common, found) -> None:
    counts = {"abrazadera": 1, **{f"w{n:x}": 2 if n < common else 1 for n in range(20_000)}}
    assert Speller(counts).nearest("abrasadera") == found


@pytest.mark.parametrize("word", ["vs", "svz", "PCOS", "pco3", "GLNAD"])
def test_short_words_acronyms_and_numbers_are_meant_as_written(word) -> None:
    index = Index.build(["The pituitary gland grows.", "Glands of PCO2 and svs."])
    assert index.search(f"gland {word}").corrections == ()


def test_pages_of_hits_follow_each_other() -> None:
    index = Index.build([f"fish {'and more ' * i}" for i in range(9)])
    every = index.search("fish", top=9)
    for page in (1, 2, 3):
        hits = index.search("fish", top=4, page=page)
        assert hits.ids == every.ids[4 * page - 4 : 4 * page]
        assert [hit.rank for hit in hits] == list(range(4 * page - 3, 4 * page - 3 + len(hits)))
    assert len(index.search("fish", top=4, page=4)) == 0


def test_why_names_words_and_not_stems() -> None:
    index = Index.build(["Hemorrhages of the pituitary glands", "a fish"], measure="bm25(stem=porter)")
    parts = index.search("pituitary hemorrhage")[0].explain().contributions
    assert {(part.left, part.right) for part in parts} == {("pituitary", "pituitary"), ("hemorrhage", "hemorrhages")}
