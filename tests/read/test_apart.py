"""PDF files are read in a process of their own, which may crash or run out of memory: that is a word here.

Workbooks are read so, too: ``test_workbooks.py``.
"""

import os
import signal
import sys
import zlib

import pytest
from tests.read.test_formats import pdf

from likewise.errors import MissingExtraError
from likewise.read import ReadOptions, answering, apart, documents, pdf_pages
from likewise.read.pdf import PDFS, read_pdf
from likewise.read.skipped import SkipError

pytest.importorskip("pypdfium2")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
SOUP = pdf([(10, 10, "Soup is hot.")])


@pytest.fixture(autouse=True)
def _no_process_of_before():
    PDFS.end()
    yield
    PDFS.end()


def test_a_process_is_kept_for_the_next_file():
    assert read_pdf(SOUP, ReadOptions()).text == "Soup is hot."
    (first,) = PDFS._free
    assert read_pdf(SOUP, ReadOptions()).text == "Soup is hot."
    assert PDFS._free == [first]


@pytest.mark.skipif(sys.platform == "win32", reason="there a process cannot be killed by a signal")
def test_a_crash_leaves_out_one_file(tmp_path):
    (tmp_path / "a.pdf").write_bytes(SOUP)
    (tmp_path / "b.pdf").write_bytes(SOUP)
    read_pdf(SOUP, ReadOptions())
    os.kill(PDFS._free[0]._process.pid, signal.SIGSEGV)
    skipped = []
    found = list(documents(tmp_path, on_skip=skipped.append))
    assert [(one.reason, one.detail) for one in skipped] == [
        ("broken", "the library that reads PDF files failed on it")
    ]
    assert [one.text for one in found] == ["Soup is hot."]


@linux
def test_text_that_hides_from_the_look_at_streams_ends_only_that_process(monkeypatch):
    """What is packed in two ways is not looked into; half a megabyte of it ended the process by its memory."""
    monkeypatch.setattr(apart, "_MEMORY", 192 << 20)
    hidden = zlib.compress(b"BT /F1 10 Tf 50 50 Td (a) Tj ET\n" * 600_000).hex()
    whole = SOUP.decode("latin-1")
    begin, _, rest = whole.partition("<< /Length ")
    end = rest.partition("endstream")[2]
    data = (
        f"{begin}<< /Length {len(hidden)} /Filter [/ASCIIHexDecode /FlateDecode] >>\nstream\n{hidden}\nendstream{end}"
    )
    with pytest.raises(SkipError, match=r"bomb.*needs more than \d+ MB of memory"):
        read_pdf(data.encode("latin-1"), ReadOptions())
    assert read_pdf(SOUP, ReadOptions()).text == "Soup is hot."


@pytest.mark.parametrize("outline", [(), [("Soup", 0, 0, ())]])
def test_time_is_looked_at_after_each_page_and_entry(outline):
    with pytest.raises(SkipError, match="more than 0 s of processor time"):
        read_pdf(pdf([(10, 10, "Soup is hot.")], outline=outline), ReadOptions(max_seconds=0))
    assert len(PDFS._free) == 1  # it said so itself
    assert read_pdf(SOUP, ReadOptions(max_seconds=float("inf"))).text == "Soup is hot."


def test_many_pages_come_some_at_a_time():
    pages = [[(10, 10, f"Soup {number} is hot.")] for number in range(25)]
    assert read_pdf(pdf(*pages), ReadOptions()).text.count("is hot.") == 25


def test_a_title_that_is_no_unicode_is_none():
    """Half a pair of UTF-16, also in what is not asked for, was a traceback."""
    whole = SOUP.replace(b"/Type /Catalog", b"/Type /Catalog /Title <FEFFD800> /Author <FEFFDC00>")
    whole = whole.replace(b"/Root 1 0 R", b"/Root 1 0 R /Info 1 0 R")
    assert read_pdf(whole, ReadOptions()).text == "Soup is hot."


def test_without_the_package_the_file_is_left_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(SkipError, match="missing package") as told:
        read_pdf(SOUP, ReadOptions())
    assert str(MissingExtraError("pypdfium2", "pdf")) in told.value.detail


def test_what_the_process_answers_of_a_pdf():
    said, *rows = pdf_pages.answers(pdf(*([[(10, 10, f"Soup {n}")] for n in range(25)])), {"seconds": 9})
    assert said == {"title": "", "outline": [], "rows": 25}
    assert [len(pages) for pages in rows] == [10, 10, 5]
    assert [pieces[0][0] for pages in rows for pieces in pages] == [f"Soup {n}" for n in range(25)]
    (refused,) = pdf_pages.answers(b"%PDF-1.4 and nothing", {"seconds": 9})
    assert refused["refused"][0] == "broken"
    said, _ = pdf_pages.answers(pdf([(10, 10, "Soup")], outline=[("Soup", 0, 5, ()), ("x", 9, 0, ())]), {"seconds": 9})
    ((title, depth, page, mode, view),) = said["outline"]
    assert (title, depth, page, mode, view[:2]) == ("Soup", 0, 0, 1, [50.0, 795.0])


def failing(error):
    def answers(data, request):
        yield {"rows": 1}
        raise error

    return list(answering.bounded(answers, b"", {"memory": 5 << 20, "what": "soups"}))[1:]


def test_what_a_library_fails_with_is_an_answer():
    assert failing(MemoryError()) == [{"refused": ["bomb", "needs more than 5 MB of memory"]}]
    for error in (ValueError(), KeyboardInterrupt(), SystemExit()):  # a panic of Rust is no Exception either
        assert failing(error) == [{"refused": ["broken", "the library that reads soups failed on it"]}]


@pytest.mark.parametrize(
    ("code", "reason", "detail"),
    [
        (-signal.SIGABRT, "bomb", "needs more than 1,024 MB of memory"),
        (-signal.SIGXCPU, "time limit", "more than 7.5 s of processor time"),
        (-signal.SIGKILL, "time limit", "more than 7.5 s of processor time"),
        (-signal.SIGSEGV, "broken", "the library that reads PDF files failed on it"),
        (1, "broken", "the library that reads PDF files failed on it"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="there a process is not ended by a signal")
def test_why_a_process_ended(code, reason, detail):
    refusal = PDFS.refusal(apart.EndedError(code), PDFS.request(b"", 7.5))
    assert (refusal.reason, refusal.detail) == (reason, detail)


def test_the_limits_of_a_request_grow_with_the_file():
    request = PDFS.request(bytes(1000), float("inf"), more=1)
    assert request == {"memory": (1 << 30) + 100_000, "seconds": 1 << 20, "what": "PDF files", "more": 1}
