"""Workbooks are read in a process of their own: what happens there is a sentence here."""

import io
import os
import signal
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.fuzz import seeds
from tests.fuzz.workbooks import (
    BINARY_CELLS,
    BINARY_END,
    binary_workbook,
    brt_row,
    brt_text,
    dimensions,
    label,
    old_workbook,
)

from likewise.errors import FormatError
from likewise.read import ReadOptions, apart, cells, documents, workbooks
from likewise.read.skipped import SkipError
from likewise.read.tables import read_table
from likewise.read.workbooks import WORKBOOKS, sheet_cells

pytest.importorskip("python_calamine")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")


@pytest.fixture(autouse=True)
def _no_process_of_before():
    WORKBOOKS.end()
    yield
    WORKBOOKS.end()


def pid():
    """The process that waits for the next workbook."""
    return WORKBOOKS._free[0]._process.pid


@pytest.mark.parametrize(("ending", "data"), [("xls", old_workbook()), ("xlsb", binary_workbook())])
def test_workbooks_of_before_and_binary_ones(tmp_path, ending, data):
    (tmp_path / f"a.{ending}").write_bytes(data)
    assert read_table(tmp_path / f"a.{ending}").table.to_pylist() == [
        {"id": "1", "name": "Ada"},
        {"id": "2.5", "name": "Gräce"},
    ]
    assert [one.text for one in documents(tmp_path, options=ReadOptions(text_column="name"))] == ["Ada", "Gräce"]


FEW = {
    "xls": old_workbook(label(0, 0, "a") + label(65535, 99, "b")),
    "xlsb": binary_workbook(BINARY_CELLS[: -len(BINARY_END)] + brt_row(65535) + brt_text(99, "b") + BINARY_END),
}


@pytest.mark.parametrize("ending", FEW)
def test_few_cells_of_a_binary_workbook_that_stand_for_millions_are_refused(ending):
    """There is room for them, but half a kilobyte took hundreds of megabytes."""
    with pytest.raises(SkipError, match=r"its \d cells stand for 6,553,600"):
        sheet_cells(FEW[ending], f"a.{ending}", None)


def test_a_large_old_workbook():
    rows = [[f"row {row} of the table", f"{row}"] for row in range(5000)]
    told = b"".join(label(row, column, text) for row, texts in enumerate(rows) for column, text in enumerate(texts))
    assert sheet_cells(old_workbook(told), "a.xls", None) == ("A", 1, rows)


def beside_a_damaged_part(cells: bytes) -> bytes:
    """A workbook of Excel with far cells in a part that Python's library does not unpack: its checksum is wrong."""
    data = bytearray(seeds.workbook(cells))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entry = archive.getinfo("xl/worksheets/sheet1.xml")
    at = data.rindex(entry.CRC.to_bytes(4, "little"))
    data[at : at + 4] = bytes(4)
    return bytes(data)


def far_apart(last: str) -> bytes:
    return seeds.SHEET.replace(b"</sheetData>", f'<row><c r="{last}"><v>1</v></c></row></sheetData>'.encode())


FAR = {
    "xls": old_workbook(label(0, 0, "a") + label(65535, 65535, "b")),
    "xls of millions of rows": old_workbook(dimensions(0xFFFFFF, 0xFFF) + label(0, 0, "a")),
    "xlsb": binary_workbook(BINARY_CELLS[: -len(BINARY_END)] + brt_row(1 << 20) + brt_text(16383, "b") + BINARY_END),
    "xlsx": seeds.workbook(far_apart("XFD1048576")),
    "ods": seeds.ods(seeds.CELLS.replace(b'rows-repeated="2"', b'rows-repeated="1048576"').replace(
        b'<table:table-cell office:value-type="float"',
        b'<table:table-cell office:value-type="float" table:number-columns-repeated="16384"')),
}  # fmt: skip


@linux
@pytest.mark.parametrize("name", FAR)
def test_cells_far_apart_are_refused_in_words(tmp_path, name):
    """The library makes all cells between, and ended the process where there was no room for them."""
    path = tmp_path / f"a.{name.split()[0]}"
    path.write_bytes(FAR[name])
    with pytest.raises(
        FormatError, match=r"bomb \((needs more than 1,024 MB of memory|its \d+ cells stand for [\d,]+)\)"
    ):
        read_table(path)
    skipped = []
    assert list(documents(path, on_skip=skipped.append)) == []
    assert [one.reason for one in skipped] == ["bomb"]
    path.write_bytes(old_workbook())
    assert read_table(path).table.num_rows == 2


@linux
@pytest.mark.parametrize("name", FAR)
def test_one_process_ends_of_a_workbook_for_whose_cells_there_is_no_room(name, monkeypatch):
    """It was opened again to be looked through, and ended the next process."""
    begun = []
    begin = apart._Process.__init__
    monkeypatch.setattr(apart._Process, "__init__", lambda self, *places: begun.append(places) or begin(self, *places))
    for _ in range(2):
        with pytest.raises(SkipError, match="bomb"):
            sheet_cells(FAR[name], f"a.{name}", None)
        assert len(WORKBOOKS._free) == 1
    assert len(begun) <= 3


@linux
def test_cells_that_hide_in_a_damaged_part_are_no_way_around():
    with pytest.raises(SkipError, match=r"broken|bomb"):
        sheet_cells(beside_a_damaged_part(far_apart("XFD1048576")), "a.xlsx", None)


def test_small_workbooks_share_a_process_and_a_large_one_gives_its_memory_back(monkeypatch):
    sheet_cells(old_workbook(), "a.xls", None)
    first = pid()
    sheet_cells(binary_workbook(), "a.xlsb", None)
    assert pid() == first
    assert len(WORKBOOKS._free) == 1
    monkeypatch.setattr(apart, "_LARGE", 100)
    sheet_cells(old_workbook(), "a.xls", None)
    assert WORKBOOKS._free == []


@pytest.mark.skipif(sys.platform == "win32", reason="there a process cannot be killed by a signal")
def test_a_process_that_has_ended_meanwhile_is_begun_anew():
    sheet_cells(old_workbook(), "a.xls", None)
    process = WORKBOOKS._free[0]._process
    process.stdin.close()  # as if it had waited for too long
    assert process.wait() == 0
    process.stdin = open(os.devnull, "wb")  # noqa: SIM115 - what is written to the ended one is lost
    assert sheet_cells(old_workbook(), "a.xls", None)[0] == "A"
    os.kill(pid(), signal.SIGSEGV)
    with pytest.raises(SkipError, match="the library that reads workbooks failed on it"):
        sheet_cells(old_workbook(), "a.xls", None)
    assert sheet_cells(old_workbook(), "a.xls", None)[0] == "A"


@linux
def test_a_workbook_that_takes_for_ever_is_given_up(tmp_path, monkeypatch):
    script = tmp_path / "cells.py"
    with open(cells.__file__, encoding="utf-8") as file:
        source = file.read()
    script.write_text(source.replace("    rows = sheet", "    while True: pass\n    rows = sheet"), encoding="utf-8")
    monkeypatch.setattr(cells, "__file__", str(script))
    monkeypatch.setattr(workbooks, "_SECONDS", 0.1)
    with pytest.raises(SkipError, match="time limit"):
        sheet_cells(old_workbook(), "a.xls", None)


def test_a_library_that_fails_in_a_way_of_its_own_is_a_sentence():
    """A part of it believes what a record says of its length, and panics, which is no exception of Python's."""
    cut = old_workbook(label(0, 0, "a")[:-1] + b"\x03\x02\x02\x00ab")
    with pytest.raises(SkipError, match="broken"):
        sheet_cells(cut, "a.xls", None)


def test_threads_have_a_process_each():
    books = [old_workbook(label(0, 0, f"{number}")) for number in range(40)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda data: sheet_cells(data, "a.xls", None)[2], books))
    assert found == [[[f"{number}"]] for number in range(40)]
    assert 1 <= len(WORKBOOKS._free) <= 4


def test_without_the_package_a_workbook_is_left_out(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(SkipError, match="missing package"):
        sheet_cells(old_workbook(), "a.xls", None)


ASKED = {"sheet": None, "bomb_bytes": 1 << 26, "bomb_ratio": 250, "count": False, "open": True}


def test_what_the_process_answers_of_a_workbook():
    rows = [[f"row {row}"] for row in range(2500)]
    book = old_workbook(b"".join(label(row, 0, text) for row, (text,) in enumerate(rows)))
    said, *some = cells.answers(book, ASKED)
    assert said == {"name": "A", "of": 1, "rows": 2500}
    assert [len(lines) for lines in some] == [1000, 1000, 500]
    assert [row for lines in some for row in lines] == rows
    assert list(cells.answers(book, {**ASKED, "sheet": "B"})) == [{"sheets": ["A"], "rows": 0}]
    assert next(cells.answers(book, {**ASKED, "sheet": "1"}))["name"] == "A"
    assert list(cells.answers(seeds.workbook(), {**ASKED, "open": False})) == [{}]
    (refused,) = cells.answers(b"no workbook", ASKED)
    assert refused["refused"][0] == "broken"
    assert "not a workbook that can be read" in refused["refused"][1]
    for name in ("xlsx", "ods"):
        (refused,) = cells.answers(FAR[name], {**ASKED, "count": True, "open": False})
        assert refused["refused"][0] == "bomb"
