import pytest

from likewise.errors import InputError
from likewise.evaluate.gold import collection_formats, collections, smart

# name -> files of a tiny collection of our own in the original format, with the damage that the real ones have
COLLECTIONS = {
    "cran": {
        "cran.all.1400": "noise before\n.I 1\n.T\nwings\n.A\nsmith\n.W\nwings in\nair .\n.I 2\n.T\nheat\n.W\n",
        "cran.qry": ".I 001\n.W\nwhat wings .\n.I 004\n.W\nwhat heat .\n",
        "cranqrel": "1 1 2\n1 2 -1\n2 2 3\nbad line\n2 99 1\n",
    },
    "med": {
        "MED.ALL": ".I 1\n.W\nglucose\n.I 2\n.W\nlens\n",
        "MED.QRY": ".I 1\n.W\n lens .\n",
        "MED.REL": "1 0 2 1\n",
    },
    "adi": {
        "ADI.ALL": ".I 1\n.T\na title\n.W\nwords\n",
        "ADI.QRY": ".I 1\n.W\nwords?\n",
        "ADI.REL": "1   1   0   0.000000   \n",
    },
    "cisi": {
        "CISI.ALL": ".I 1\n.T\nDewey\n.A\nComaroni\n.W\nhistory\n.X\n1\t5\t1\n",
        "CISI.QRY": ".I 1\n.W\nDewey?\n.I 2\n.T\nA paper\n.A\nX\n.W\nits text\n",
        "CISI.REL": "     1\t      1\t0\t0.000000\n",
    },
    "cacm": {
        "cacm.all": ".I 1\n.T\nReport\n.B\nCACM\n.N\nCA58\n.X\n1\t5\t1\n",
        "query.text": ".I 1\n.W\n report\n.N\n 1. Someone\n",
        "qrels.text": "01 0001  0 0\n",
    },
    "npl": {
        "doc-text": "1\nmemories are\ncompact\n   /\n2\ncomputer\n   /\n",
        "query-text": "1\nMEMORIES\n/\n",
        "rlv-ass": "1\n 1\n 2\n   /\n",
    },
    "lisa": {
        "LISA0.001": "Document    1\nA TITLE\n \nTHE TEXT.\n" + "*" * 44 + "\nDocument    2\nB\n\nNO STARS BELOW\n",
        "LISA5.850": "Document    3\nC\n\nTEXT\n" + "*" * 44 + "\nDocument    1\nTWICE\n",
        "LISA.QUE": "1\nI WANT\nINDEXING. #\n2\nMORE #\n",
        "LISARJ.NUM": "           1           2           1           3    \n           2           1      2\n",
    },
    "time": {
        "TIME.ALL": "*TEXT 017 01/04/63 PAGE 020\n\nONE .\n\n*TEXT 020 01/04/63 PAGE 021\n\nTWO .\n*STOP\n",
        "TIME.QUE": "*FIND     1\n\n WHO ?\n\n*FIND     2\n\n WHAT ?\n*STOP\n",
        "TIME.REL": "1   1   2\n\n2   2\n",
    },
    "cf": {
        "cf74": "PN 74001\nRN 00001\nTI Mucus\n   properties.\nAB Some words.\nRF 001   AUTHOR\n\n",
        "cf79": "PN 79001\nRN 00002\nTI Salt.\nEX An extract.\nCT 1   X\n",
        "cfquery": "QN 00001\nQU What of\n   mucus?\nNR 00002\nRD    1 1222    2 0001\n\n"
        "QN 00002\nQU Salt?\nNR 1\nRD 2 0000\n",
    },
}
EXPECTED = {
    "cran": (["what wings .", "what heat ."], ["wings wings in air .", "heat"], [[0, 0], [1, 1]], [3, 2]),
    "med": (["lens ."], ["glucose", "lens"], [[0, 1]], [1]),
    "adi": (["words?"], ["a title words"], [[0, 0]], [1]),
    "cisi": (["Dewey?", "A paper its text"], ["Dewey history"], [[0, 0]], [1]),
    "cacm": (["report"], ["Report"], [[0, 0]], [1]),
    "npl": (["MEMORIES"], ["memories are compact", "computer"], [[0, 0], [0, 1]], [1, 1]),
    "lisa": (
        ["I WANT INDEXING.", "MORE"],
        ["A TITLE THE TEXT.", "B NO STARS BELOW", "C TEXT"],
        [[0, 0], [0, 2], [1, 1]],
        [1, 1, 1],
    ),
    "time": (["WHO ?", "WHAT ?"], ["ONE .", "TWO ."], [[0, 0], [0, 1], [1, 1]], [1, 1, 1]),
    "cf": (
        ["What of mucus?", "Salt?"],
        ["Mucus properties. Some words.", "Salt. An extract."],
        [[0, 0], [0, 1]],
        [7, 1],
    ),
}


def write(folder, files, crlf=False):
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_bytes((text.replace("\n", "\r\n") if crlf else text).encode())


@pytest.mark.parametrize("crlf", [False, True])
@pytest.mark.parametrize("name", list(COLLECTIONS))
def test_every_format(tmp_path, name, crlf):
    write(tmp_path / "ir" / name, COLLECTIONS[name], crlf)
    found = collections.ir_set(tmp_path, name)
    queries, documents, gold, grades = EXPECTED[name]
    assert (list(found.lefts), list(found.rights)) == (queries, documents)
    assert found.gold.tolist() == gold
    assert found.grades.tolist() == grades
    assert any("where the whole collection has" in note for note in found.notes)


def test_file_names_in_any_case(tmp_path):
    write(tmp_path / "med", {name.lower(): text for name, text in COLLECTIONS["med"].items()})
    assert len(collections.ir_set(tmp_path, "med").gold) == 1


def test_the_published_slip(tmp_path):
    write(tmp_path / "cran", COLLECTIONS["cran"])
    # Query 2 of the gold is the second query, which calls itself 004.
    assert collections.ir_set(tmp_path, "cran", as_published=True).gold.tolist() == [[0, 0]]
    write(tmp_path / "time", COLLECTIONS["time"])
    assert collections.ir_set(tmp_path, "time", as_published=True).gold.tolist() == []


def test_what_is_absent_is_none(tmp_path):
    assert collections.ir_set(tmp_path, "adi") is None
    assert collections.er_set(tmp_path, "parks") is None
    assert collections.pair_set(tmp_path, "msr-test") is None
    with pytest.raises(InputError, match="known: adi, cacm"):
        collections.ir_set(tmp_path, "nonsense")


def test_unjudged_queries_are_left_out(tmp_path):
    write(tmp_path / "cf", COLLECTIONS["cf"])
    judged = collections.ir_set(tmp_path, "cf").judged()
    assert list(judged.lefts) == ["What of mucus?"]
    assert judged.qrels() == {"1": {"1": 7, "2": 1}}


def test_xml_form_of_cf():
    record = "<RECORD><RECORDNUM>00001</RECORDNUM><TITLE>T</TITLE><ABSTRACT>A b.</ABSTRACT></RECORD>"
    assert collection_formats.cf_documents(record, []) == {"1": "T A b."}
    query = (
        "<QUERY><QueryNumber>1</QueryNumber><QueryText>Q?</QueryText><Results>1</Results><Records>"
        '<Item score="1200">139</Item></Records></QUERY>'
    )
    assert collection_formats.cf_queries(query, []) == ({"1": "Q?"}, {("1", "139"): 3})


def test_old_relevance_file_of_lisa():
    text = "\nQuery 1\n2 Relevant Refs: \n 3392 3396 -1\n\n\nQuery 2\n1 Relevant Refs:\n 7 -1\n"
    assert sorted(collection_formats.lisa_judgements(text, [])) == [("1", "3392"), ("1", "3396"), ("2", "7")]


def test_relevance_list_that_goes_on_in_the_next_line():
    assert sorted(collection_formats.time_judgements("1   3   7\n    9\n2   5\n", [])) == [
        ("1", "3"),
        ("1", "7"),
        ("1", "9"),
        ("2", "5"),
    ]


def test_a_long_list_may_be_wrapped_anywhere():
    text = " 1 268 288\n304 308\n 2   5\n\n 4 326 334\n"
    assert sorted(collection_formats.time_judgements(text, [])) == [
        ("1", "268"), ("1", "288"), ("1", "304"), ("1", "308"), ("2", "5"), ("4", "326"), ("4", "334"),
    ]  # fmt: skip


def test_fields_start_only_at_lone_letters():
    assert smart.records(".I 1\n.W\n.5 mach .\n.Word\n")[0][1] == {"W": ".5 mach . .Word"}


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "documents", "queries", "judged", "gold"),
    [
        ("adi", 82, 35, 35, 170),
        ("cacm", 3204, 64, 52, 796),
        ("cran", 1400, 225, 225, 1612),
        ("med", 1033, 30, 30, 696),
        ("npl", 11429, 93, 93, 2083),
    ],
)
def test_real_collections_are_whole(data, name, documents, queries, judged, gold):
    found = collections.ir_set(data, name)
    assert (len(found.rights), len(found.lefts), len(found.gold)) == (documents, queries, gold)
    assert len(found.judged().lefts) == judged
    assert found.notes == ()


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "left", "right", "gold"),
    [
        ("birds-scott1", 15, 23, 15),
        ("birds-scott2", 155, 564, 155),
        ("birds-kunkel", 317, 20, 19),
        ("demos", 113, 798, 49),
        ("restaurant", 532, 331, 112),
        ("ucd-people", 45, 45, 45),
    ],
)
def test_real_name_sets_are_whole(data, name, left, right, gold):
    found = collections.er_set(data, name)
    assert (len(found.lefts), len(found.rights), len(found.gold)) == (left, right, gold)


@pytest.mark.data
@pytest.mark.parametrize(("name", "pairs", "positive"), [("msr-train", 4076, 2753), ("rte3-dev", 800, 412)])
def test_real_pairs_are_whole(data, name, pairs, positive):
    found = collections.pair_set(data, name)
    assert (len(found), int(found.labels.sum())) == (pairs, positive)
