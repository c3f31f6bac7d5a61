"""After an edit only what has changed is read; the links are those of a run from scratch, to the byte."""

import json

import pytest
from tests.jobs.link.books import topics

from likewise.errors import DamagedError, OptionError
from likewise.jobs.link import link
from likewise.seals import sealed, unsealed


@pytest.fixture
def book(tmp_path):
    folder = tmp_path / "book"
    folder.mkdir()
    for document in topics()[:6]:
        (folder / f"{document.id}.md").write_text(f"# {document.id}\n\n{document.text[:3000]}", encoding="utf-8")
    (folder / "page.html").write_text("<h1>Names</h1><p>A <b>name</b> is bound to an object by assignment.")
    (folder / "odd.bin").write_bytes(bytes(50))
    return folder


def outputs(found, folder):
    folder.mkdir()
    for name in ("links.jsonl", "book.html", "links.graphml", "copies"):
        found.write(folder / name)
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def edit(book):
    path = sorted(book.glob("*.md"))[2]
    path.write_text(path.read_text(encoding="utf-8") + "\n\nA new paragraph on names and objects.\n", encoding="utf-8")


def add(book):
    (book / "another.md").write_text("# Another\n\nObjects are bound to names by assignment.\n")


def remove(book):
    sorted(book.glob("*.md"))[0].unlink()


def swap(book):
    one, two = sorted(book.glob("*.md"))[1:3]
    first = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(first)


@pytest.mark.parametrize(
    ("change", "counts"),
    [
        (edit, "documents read: 1, as before: 6"),
        (add, "documents read: 1, as before: 7"),
        (remove, "documents read: 0, as before: 6"),
        (swap, "documents read: 2, as before: 5"),
        (lambda book: None, "documents read: 0, as before: 7"),
    ],
)
def test_an_update_is_a_run_from_scratch_with_less_reading(book, tmp_path, change, counts):
    state = tmp_path / "state"
    first = link(book, update=state, min_strength=0.0)
    assert first.notes[-1] == "documents read: 7, as before: 0"
    change(book)
    again = link(book, update=state, min_strength=0.0)
    assert again.notes[-1] == counts
    fresh = link(book, min_strength=0.0)
    assert len(fresh) > 3
    assert again.skipped == fresh.skipped
    assert outputs(again, tmp_path / "again") == outputs(fresh, tmp_path / "fresh")


def test_named_books_and_two_corpora_are_kept(book, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.txt").write_text("Objects are bound to names by assignment, and names to objects.")
    state = tmp_path / "state"
    for sources in (({"one": book, "two": other},), (book, other)):
        link(*sources, update=state)
        again = link(*sources, update=state, min_strength=0.0)
        assert again.notes[-1] == "documents read: 0, as before: 8"
        assert again.links == link(*sources, min_strength=0.0).links


def test_what_was_kept_under_other_settings_does_not_count(book, tmp_path):
    state = tmp_path / "state"
    link(book, update=state)
    assert link(book, update=state, main_content=True).notes[-1] == "documents read: 7, as before: 0"
    german = link(book, update=state, main_content=True, language="german")
    assert german.links == link(book, main_content=True, language="german").links
    again = link(book, update=state, main_content=True, min_strength=0.0)
    assert again.links == link(book, main_content=True, min_strength=0.0).links


def test_only_files_can_be_kept_and_damage_is_told(book, tmp_path):
    with pytest.raises(OptionError, match="update needs files or folders"):
        link(["One text of words.", "Another text of words."], update=tmp_path / "state")
    state = tmp_path / "state"
    link(book, update=state)
    state.write_text(state.read_text().replace("assignment", "assignments", 1))
    with pytest.raises(DamagedError, match="has changed since it was written"):
        link(book, update=state)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda values: {**values, "files": []}, "files: an object is wanted"),
        (lambda values: {**values, "files": {key: {"documents": []} for key in values["files"]}}, "lacks skipped"),
        (lambda values: _with(values, "document", ["a", 5]), "Document.text: str is wanted, not 5"),
        (lambda values: _with(values, "passages", [["paragraph", [0]]]), "Span lacks end"),
    ],
)
def test_what_somebody_else_wrote_is_refused_in_words(book, tmp_path, change, said):
    state = tmp_path / "state"
    link(book, update=state)
    state.write_text(json.dumps(sealed(change(unsealed(json.loads(state.read_text()), state)))))
    with pytest.raises(DamagedError, match=f"{said}.*; without it all is read anew"):
        link(book, update=state)


def _with(values, name, value):
    for file in values["files"].values():
        for one in file["documents"]:
            one[name] = value
    return values
