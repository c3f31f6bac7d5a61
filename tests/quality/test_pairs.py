import pytest

from likewise.errors import ColumnError, FormatError
from likewise.quality import pairs

FILES = {
    "msr.txt": "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n"
    '1\t10\t20\tHe said "yes, she did.\tHe said yes.\r\n0\t11\t21\tA\tB\r\nbroken line\r\n',
    "rte1.xml": '<?xml version="1.0"?><entailment-corpus>\n<pair id="1" value="TRUE" task="IR">\n<t>He said &quot;yes,'
    "\nshe did.</t><h>He said yes.</h></pair><pair id='2' value='FALSE'><t>A</t><h>B</h></pair></entailment-corpus>",
    "rte3.xml": '<entailment-corpus><pair id="1" entailment="YES" task="IE" length="short" >\n\t<t>He said "yes, she'
    ' did.</t>\n<h>He said yes.</h></pair><pair id="2" entailment="NO"><t>A</t><h>B</h></pair>\n'
    '<pair id="3"><t>A</t></pair>',
    "some.tsv": 'left\tright\tlabel\nHe said "yes, she did.\tHe said yes.\tyes\nA\tB\tno\n',
    "some.csv": 'left,right,label\n"He said ""yes, she did.",He said yes.,1\nA,B,0\n',
    "some.jsonl": '{"sentence1": "He said \\"yes, she did.", "sentence2": "He said yes.", "label": 1}\n'
    '{"sentence1": "A", "sentence2": "B", "label": 0}\n',
}


@pytest.mark.parametrize("name", list(FILES))
def test_every_format(tmp_path, name):
    (tmp_path / name).write_bytes(FILES[name].encode())
    found = pairs.read(tmp_path / name)
    assert list(found.lefts) == ['He said "yes, she did.', "A"]
    assert list(found.rights) == ["He said yes.", "B"]
    assert found.labels.tolist() == [True, False]
    assert len(found.take(found.labels.nonzero()[0])) == 1


def test_labels_are_not_needed_for_prediction(tmp_path):
    file = tmp_path / "f.tsv"
    file.write_text("left\tright\nA\tB\n")
    assert len(pairs.read(file, labels=False)) == 1
    with pytest.raises(ColumnError, match=r"no column for the label.*it has left, right"):
        pairs.read(file)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("f.xml", "<x/>", "no <pair>"),
        ("f.jsonl", "{oops", "line 1: not JSON"),
        ("f.tsv", "one column", "neither MSR"),
        ("f.tsv", "left\tright\tlabel\na\tb\tperhaps\n", "label 'perhaps'"),
        ("f.tsv", "left\tright\tlabel\n", "no column|holds no pairs"),
    ],
)
def test_what_cannot_be_read(tmp_path, name, content, words):
    (tmp_path / name).write_text(content)
    with pytest.raises((FormatError, ColumnError), match=words):
        pairs.read(tmp_path / name)


def test_questions_are_the_two_sides(tmp_path):
    (tmp_path / "quora.tsv").write_text("question1\tquestion2\tis_duplicate\nWhat is soup?\tSoup, what is it?\t1\n")
    found = pairs.LabelledPairs.of(tmp_path / "quora.tsv")
    assert (found.lefts[0], found.rights[0], found.labels.tolist()) == ("What is soup?", "Soup, what is it?", [True])
