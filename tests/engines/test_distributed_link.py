"""Linking on an engine: the links of one machine, with its ranks, whichever lists are asked for."""

import random
from pathlib import Path

import pytest

import likewise as lw
from likewise.errors import FormatError, OptionError, StorageError
from likewise.jobs import shards
from likewise.jobs.distributed import limits
from likewise.jobs.distributed import link as job
from likewise.jobs.distributed import texts as texts_job

WORDS = "soup bones water stove bread flour yeast oven salt pepper onion stock broth boil bake rest".split()  # noqa: SIM905


def texts(seed, count):
    """Passages of a few sentences that repeat each other's words in many ways; some are copies."""
    draw = random.Random(seed)
    made = {}
    for number in range(count):
        sentences = [" ".join(draw.choices(WORDS, k=draw.randint(4, 9))).capitalize() + "." for _ in range(3)]
        paragraphs = [" ".join(sentences[:2]), sentences[2] + " " + sentences[0]]
        made[f"d{number}"] = f"# Part {number % 5}\n\n" + "\n\n".join(paragraphs)
    made["copy"] = made["d1"]
    return made


LEFT, RIGHT = texts(1, 24), texts(2, 9)


def test_documents_in_several_languages_are_those_of_one_machine(tmp_path):
    german = "Der Hund und die Katzen sind nicht im Garten, aber sie kommen bald wieder zu uns in das alte Haus. "
    made = dict(texts(3, 12))
    made |= {f"g{i}": german * 3 + f"Das ist nun das {word} Brot." for i, word in enumerate(("neue", "gute", "alte"))}
    english = "This is what the cook said to all of us, and it was not what we had in mind for the soup. "
    texts_of = {name: text if name.startswith("g") else text + english * 2 for name, text in made.items()}
    here = lw.link(texts_of, boilerplate=False, preset="21+31sd", n=30, order="list")
    assert set(here.book.languages) == {"en", "de"}
    found = lw.link(
        texts_of, boilerplate=False, preset="21+31sd", n=30, order="list", engine="duckdb", work=str(tmp_path / "w")
    )
    assert found.book.languages == here.book.languages
    assert list(found.rows()) == list(here.rows())
    assert found.links


@pytest.mark.parametrize(
    ("named", "two"),
    [
        ({}, False),
        ({"preset": "21+31sd", "n": 40, "order": "list"}, False),
        ({"preset": "31", "n": 30, "pairs": "across"}, False),
        ({"preset": "24|3sd", "n": 25, "pairs": "within", "copies": "keep"}, False),
        ({"preset": "21", "min_score": 0.4}, True),
        ({"preset": "kin", "min_terms": 2}, True),
    ],
    ids=str,
)
def test_links_are_those_of_one_machine(named, two, monkeypatch, tmp_path):
    monkeypatch.setattr(job, "BLOCK", 7)
    right = RIGHT if two else None
    named = {"language": "english", "boilerplate": False, "min_terms": 2, **named}
    here = lw.link(LEFT, right, **named)
    found = lw.link(LEFT, right, engine="duckdb", threads=2, work=str(tmp_path / "w"), **named)
    assert list(found.rows()) == list(here.rows())
    assert found.lists == here.lists
    assert found.links
    if here.sentence_list is not None:
        assert found.sentence_list.table.equals(here.sentence_list.table)
    # A second run joins nothing again, and one of other texts is refused.
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "w" / "joins").rglob("*.parquet")}
    assert len(made) > 3
    again = lw.link(LEFT, right, engine="duckdb", threads=2, work=str(tmp_path / "w"), **named)
    assert list(again.rows()) == list(here.rows())
    assert made == {path: path.stat().st_mtime_ns for path in made}
    with pytest.raises(StorageError, match="other input or options"):
        lw.link(RIGHT, engine="duckdb", work=str(tmp_path / "w"), **named)


def test_texts_are_read_by_tasks_and_stay_in_files(monkeypatch, tmp_path):
    """Files of several kinds, one that cannot be read: the links, the page and the copies of one machine."""
    monkeypatch.chdir(tmp_path)
    for name, made in (("one", LEFT), ("two", RIGHT)):
        (tmp_path / name).mkdir()
        for place, (key, text) in enumerate(made.items()):
            ending = "html" if place % 3 == 0 else "md"
            page = "".join(f"<p>{part}</p>" for part in text.split("\n\n")) if ending == "html" else text
            (tmp_path / name / f"{key}.{ending}").write_text(page)
    (tmp_path / "one" / "broken.txt").write_bytes(bytes(99))
    monkeypatch.setattr(shards, "_SMALL", 400)
    books = {name: Path(name) for name in ("one", "two")}
    named = {"preset": "21", "n": 40, "language": "english", "min_terms": 2, "boilerplate": False, "books": ("across",)}
    here, found = lw.link(books, **named), lw.link(books, engine="duckdb", threads=2, **named)
    assert found.links
    assert list(found.rows()) == list(here.rows())
    assert (found.skipped, found.book.names) == (here.skipped, here.book.names)
    assert len(here.skipped) == 1
    for name, links in (("here", here), ("there", found)):
        links.write(f"{name}.html")
        links.write(name)
    assert Path("here.html").read_bytes() == Path("there.html").read_bytes()
    written = [sorted(path.read_text() for path in Path(name).rglob("*.md")) for name in ("here", "there")]
    assert written[0] == written[1]
    # No more documents are in memory than a few, however many there are.
    assert len(found.book.documents) == len(LEFT) + len(RIGHT)
    assert found.book.documents[3:5] == list(here.book.documents[3:5])
    assert len(found.book.documents._kept) <= texts_job._KEPT < len(LEFT) + len(RIGHT)
    with pytest.raises(FormatError, match=r"broken\.txt"):
        lw.link("one", engine="duckdb", strict=True)


def test_what_no_engine_can_link_is_told():
    assert lw.link([], engine="duckdb").notes == lw.link([]).notes
    with pytest.raises(OptionError, match="one process 1 GB of numbers, memory is 512MB: give it more"):
        lw.link([f"Word{place} of a text." for place in range(30_000)], engine="duckdb", memory="512MB")
    with pytest.raises(OptionError, match="update is for one machine"):
        lw.link(LEFT, engine="duckdb", update="kept.json")


def test_too_many_passages_are_refused_before_anything_of_them_is_held(monkeypatch, tmp_path):
    # They were counted when this process had the terms of all of them.
    monkeypatch.setattr(limits, "_PASSAGE", 16 << 20)
    monkeypatch.setattr(texts_job, "_merged", lambda *_: pytest.fail("the terms were put together"))
    named = {"language": "english", "memory": "512MB", "work": str(tmp_path / "w")}
    for _ in range(2):  # the second time what was cut is there already
        with pytest.raises(OptionError, match=r"to link \d+ passages takes one process .* memory is 512MB"):
            lw.link(LEFT, **named)
