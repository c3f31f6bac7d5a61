"""What goes into an index: every file is read once, and columns keep their names."""

import json

import pytest

import likewise as lw
from likewise.errors import InputError
from likewise.jobs.collect import CollectOptions, collect
from likewise.jobs.index_paths import index_paths
from likewise.read import ReadOptions


def test_a_table_in_a_folder_is_opened_once(tmp_path, monkeypatch):
    from likewise.read import open as opening

    (tmp_path / "films.csv").write_text("title,year\nMetropolis,1927\n")
    (tmp_path / "note.txt").write_text("A note.")
    opened = []
    real = opening.open_raw
    monkeypatch.setattr("likewise.read.source.open_raw", lambda path: opened.append(path.name) or real(path))
    found = list(collect(tmp_path, CollectOptions(), ReadOptions()))
    assert [document.text for document in found] == ["Metropolis", "A note."]
    assert opened.count("films.csv") == 1


def test_a_column_called_layout_or_format_is_a_field(tmp_path):
    row = {"text": "Red fish.\n\nBlue fish.", "layout": "lines", "format": "markdown"}
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    found = list(collect(tmp_path / "a.jsonl", CollectOptions(unit="paragraph"), ReadOptions()))
    assert [document.text for document in found] == ["Red fish.", "Blue fish."]
    assert all(document.fields["layout"] == "lines" for document in found)
    bones = "Clear soup is boiled from bones and vegetables for many hours over a small fire."
    rows = [{"text": f"{bones} {word}", "format": "markdown", "title": word} for word in ("Stock", "Soup", "Broth")]
    (tmp_path / "b.jsonl").write_text("\n".join(map(json.dumps, rows)))
    lw.link(tmp_path / "b.jsonl").write(tmp_path / "out")
    assert len(list((tmp_path / "out" / "b.jsonl").glob("*.md"))) == 3


def test_a_file_that_is_read_anew_takes_the_place_of_its_parts(tmp_path):
    (tmp_path / "soup.md").write_text("# Soup\n\nPour it.\n\nEat it.\n")
    (tmp_path / "rows.jsonl").write_text('{"text": "One row."}\n{"text": "Another row."}\n')
    index_paths([tmp_path / "soup.md", tmp_path / "rows.jsonl"], tmp_path / "idx", unit="paragraph")
    (tmp_path / "soup.md").write_text("# Soup\n\nCook it.\n")
    with pytest.raises(InputError, match=r"'soup\.md#1' is in the index already"):
        index_paths(tmp_path / "soup.md", tmp_path / "idx", unit="paragraph", add=True)
    with pytest.raises(InputError, match="no text with id 'soup'"):
        index_paths(tmp_path / "soup.md", tmp_path / "idx", unit="paragraph", remove=["soup"])
    with pytest.raises(InputError, match="no such file"):  # nothing was removed before that was known
        index_paths(tmp_path / "absent.md", tmp_path / "idx", unit="paragraph", remove=["soup.md"])
    assert lw.Index.open(tmp_path / "idx").ids() == ["soup.md#1", "soup.md#2", "rows.jsonl#1#1", "rows.jsonl#2#1"]
    index = index_paths(tmp_path / "soup.md", tmp_path / "idx", unit="paragraph", remove=["soup.md"])
    assert [(hit.id, hit.text) for hit in index.search("cook pour eat")] == [("soup.md#1", "Cook it.")]
    assert index.remove("rows.jsonl") == 2  # all rows of the file
    assert index.ids() == ["soup.md#1"]


def test_a_name_that_is_an_id_takes_no_parts_with_it():
    index = lw.Index.build(["one", "two", "three"], ids=["a", "a#1", "a#b"])
    assert index.remove(["a"]) == 1
    assert index.remove(["a"]) == 1
    assert index.ids() == ["a#b"]
