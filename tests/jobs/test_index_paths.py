"""What goes into an index: every file is read once, and columns keep their names."""

import json

import likewise as lw
from likewise.jobs.collect import CollectOptions, collect
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
