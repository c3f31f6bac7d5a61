"""What goes into an index: every file is read once, and columns keep their names."""

import json
import os
import sys

import pytest

import likewise as lw
from likewise.errors import InputError
from likewise.jobs.collect import CollectOptions, collect
from likewise.jobs.index_paths import index_paths, remove_named
from likewise.read import ReadOptions, documents


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


def test_what_is_added_is_taken_as_the_index_was_made(tmp_path):
    for name in ("soup", "bread", "tea"):
        (tmp_path / f"{name}.md").write_text(f"# {name.title()}\n\nPour the {name}.\n\nEat the {name}.\n")
    path = tmp_path / "idx"
    index_paths(tmp_path / "soup.md", path, unit="paragraph")
    lw.Index.open(path).refit()  # which writes all anew
    assert index_paths(tmp_path / "bread.md", path, add=True).ids()[2:] == ["bread.md#1", "bread.md#2"]
    index = index_paths(tmp_path / "tea.md", path, add=True, unit="document")
    assert index.ids()[4:] == ["tea.md"]
    assert index.settings == {"unit": "paragraph"}


def test_rows_are_added_by_the_columns_of_before_and_documents_as_documents(tmp_path):
    (tmp_path / "a.csv").write_text("key,title,plot\nk1,Metropolis,A city.\nk2,Vertigo,A tower.\n")
    (tmp_path / "b.csv").write_text("key,title,plot\nk3,Rope,A chest.\n")
    (tmp_path / "c.txt").write_text("A note of a rope.")
    path = tmp_path / "idx"
    index_paths(tmp_path / "a.csv", path, on=["title"], id="key")
    index_paths(tmp_path / "b.csv", path, add=True)
    index = index_paths(tmp_path / "c.txt", path, add=True)
    assert index.ids() == ["k1", "k2", "k3", "c.txt"]
    assert not index.search("chest", forgive=False)
    assert index.search("rope", filters={"plot": "A chest."}).ids == ["k3"]


def test_an_index_of_before_settings_were_kept_is_opened(tmp_path):
    from likewise.seals import Manifest

    index = lw.Index.build(["red fish"], path=tmp_path / "idx")
    manifest = Manifest.read(tmp_path / "idx", "likewise index", 1)
    del manifest.options["settings"]
    manifest.write(tmp_path / "idx")
    index = lw.Index.open(tmp_path / "idx")
    assert index.settings == {}
    assert index.add(["blue fish"]) == [1]


def test_a_name_that_is_an_id_takes_no_parts_with_it():
    index = lw.Index.build(["one", "two", "three"], ids=["a", "a#1", "a#b"])
    assert index.remove(["a"]) == 1
    assert index.remove(["a"]) == 1
    assert index.ids() == ["a#b"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take no such names")
def test_a_file_whose_name_is_not_unicode_is_read_under_one_that_can_be_written(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for name in (b"a\xff.txt", b"a\xfe.txt", "ä.txt".encode()):
        (folder / os.fsdecode(name)).write_text("Soup is hot.")
    found = list(documents(folder))
    assert sorted(one.id for one in found) == ["a\\xfe.txt", "a\\xff.txt", "ä.txt"]
    index = index_paths(folder, tmp_path / "index")
    assert index.search("soup").ids
    assert len(index) == 3
    assert len(lw.mine(folder, output=tmp_path / "pairs.parquet")) == 0


@pytest.mark.parametrize("name", ["\u00b2", "9" * 5000])
def test_digits_that_are_no_number_are_no_name_either(name):
    """``int`` refuses them, and that was a traceback."""
    with pytest.raises(InputError, match="no text with id"):
        remove_named(lw.Index.build(["red fish"]), [name])
