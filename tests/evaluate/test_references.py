"""Readers of books with cross references, on small books of our own in the same formats."""

import gzip
import io
import json
import tarfile

import pytest

from likewise.evaluate.gold.references import read_bible, read_foldoc

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def number(value):
    digits = ""
    while value or not digits:
        digits, value = DIGITS[value % 64] + digits, value // 64
    return digits


def test_foldoc(tmp_path):
    texts = [
        "soup\nbroth\n\n   A hot {dish}, see {the\n   stock (stock)}.\n\n",
        "dish\n\n   Food.\n\n",
        "stock\n\n   From {bones}.\n\n",
    ]
    raw, index = b"", []
    for names, text in zip((["soup", "broth"], ["dish"], ["stock"]), texts, strict=True):
        index += [f"{name}\t{number(len(raw))}\t{number(len(text))}" for name in names]
        raw += text.encode()
    (tmp_path / "foldoc.dict.txt.gz").write_bytes(gzip.compress(raw))
    (tmp_path / "foldoc.index").write_text("\n".join(["00-database-info\tA\tB", *index]) + "\n")
    found = read_foldoc(tmp_path)
    assert found.pairs == {(0, 1), (0, 2)}
    assert "{" not in found.documents[0].text
    assert [block.kind for block in found.documents[0].blocks] == ["title", "paragraph"]
    assert found.documents[1].blocks[1].span.of(found.documents[1].text) == "Food."


def test_bible(tmp_path):
    def archive(name, files):
        with tarfile.open(tmp_path / name, "w:gz") as out:
            for path, content in files.items():
                data = json.dumps(content).encode()
                info = tarfile.TarInfo(path)
                info.size = len(data)
                out.addfile(info, io.BytesIO(data))

    verses = [{"verse": "1", "text": "One."}, {"verse": "2", "text": "Two."}]
    archive(
        "bible_kjv.tar.gz",
        {
            "k/Books.json": ["1 Soup"],
            "k/1Soup.json": {"book": "1 Soup", "chapters": [{"chapter": "1", "verses": verses}]},
        },
    )
    archive("bible_crossref.tar.gz", {"c/1.json": {"1": {"v": "x", "r": {"2": "y"}}, "2": {"v": "y"}}})
    found = read_bible(tmp_path)
    assert [document.id for document in found.documents] == ["1 Soup 1:1", "1 Soup 1:2"]
    assert found.pairs == {(0, 1)}


@pytest.mark.data
def test_real_books(data):
    foldoc = read_foldoc(data / "books" / "foldoc")
    assert (len(foldoc.documents), len(foldoc.pairs)) == (12_014, 38_819)
