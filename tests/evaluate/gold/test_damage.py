"""Whatever a file holds, a reader returns something or says in words what is wrong; it never breaks."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluate.gold.test_collections import COLLECTIONS

from likewise.errors import LikewiseError
from likewise.evaluate.gold import collections, secondstring, trec
from likewise.quality import pairs

LINES = [
    ".I 1", ".I", ".W", ".T words", "words and more", "1 2 3", "1 0 2 1", "-1 -1 -1", "1 x 3",
    "nan 1 2", "1 2 0.5", "1 2 inf 0", "/", "   /", "7", "",
    "Document  7", "Document", "*" * 44, "#", "1 #", "*TEXT 017 01/04/63 PAGE 020", "*TEXT", "*FIND    1", "*STOP",
    "PN 74001", "RN 00001", "RN x", "QN 00001", "QN x", "QU what?", "RD 1 1222 2", "RD a b", "NR", "   more",
    "<QUERY><QueryNumber>x</QueryNumber></QUERY>", "<RECORD></RECORD>", "Query 1", "a\tb\tc", "\t\t", '<pair id="1">',
    '<pair entailment="YES"><t>a</t><h>b</h></pair>', "</pair>", '{"left": 1, "right": null, "label": true}', "[]",
    "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String", "1\t2\t3\ta\tb", "left\tright\tlabel", "\x00", "é\u2028x",
]  # fmt: skip
text = st.lists(st.sampled_from(LINES), max_size=12).map("\n".join)


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(sorted(COLLECTIONS)), parts=st.lists(text, min_size=3, max_size=3))
def test_collections(tmp_path_factory, name, parts):
    folder = tmp_path_factory.mktemp("ir")
    for number, file in enumerate(COLLECTIONS[name]):
        (folder / file).write_text(parts[number % 3], encoding="utf-8")
    try:
        found = collections.ir_set(folder, name)
    except LikewiseError:
        return
    assert found is not None
    assert len(found.gold) == len(found.grades)
    assert all(grade >= 1 for grade in found.grades)


@pytest.mark.parametrize(
    "read", [secondstring.read, secondstring.read_clusters, pairs.read, trec.read_run, trec.read_qrels]
)
@settings(max_examples=60, deadline=None)
@given(content=st.one_of(text.map(str.encode), st.binary(max_size=60)))
def test_files(tmp_path_factory, read, content):
    file = tmp_path_factory.mktemp("file") / "f.txt"
    file.write_bytes(content)
    with contextlib.suppress(LikewiseError):
        read(file)
