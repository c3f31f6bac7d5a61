"""Workbooks by hand: those of before Excel 2007 (.xls) and the binary ones (.xlsb), which no package here writes."""

import io
import struct
import zipfile

_END, _FAT = 0xFFFFFFFE, 0xFFFFFFFD  # in a table of sectors: the last of a chain, a part of the table itself
_SECTOR = 512
NAME = "A"


def record(kind: int, content: bytes = b"") -> bytes:
    """Return a record of a .xls workbook."""
    return struct.pack("<HH", kind, len(content)) + content


def _text(text: str) -> bytes:
    return bytes([0]) + text.encode("latin-1")


def label(row: int, column: int, text: str) -> bytes:
    """Return a cell with text."""
    return record(0x0204, struct.pack("<HHHH", row, column, 0, len(text)) + _text(text))


def number(row: int, column: int, value: float) -> bytes:
    """Return a cell with a number."""
    return record(0x0203, struct.pack("<HHHd", row, column, 0, value))


def dimensions(rows: int, columns: int) -> bytes:
    """Return what a sheet says of its size, which may be wrong."""
    return record(0x0200, struct.pack("<IIHHH", 0, rows, 0, columns, 0))


def _begins(kind: int) -> bytes:
    return record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0, 1996, 0, 6))


OLD_CELLS = (
    dimensions(3, 2)
    + (label(0, 0, "id") + label(0, 1, "name"))
    + (number(1, 0, 1) + label(1, 1, "Ada"))
    + (number(2, 0, 2.5) + label(2, 1, "Gr\xe4ce"))
)


def old_workbook(cells: bytes = OLD_CELLS) -> bytes:
    """Return a .xls workbook of one sheet with these records."""
    begin, place = _begins(0x0005) + record(0x0042, struct.pack("<H", 1200)), 0
    for _ in range(2):  # the record that says where the sheet begins stands before it
        told = record(0x0085, struct.pack("<IBBB", place, 0, 0, len(NAME)) + _text(NAME))
        place = len(begin + told + record(0x000A))
    return compound(begin + told + record(0x000A) + _begins(0x0010) + cells + record(0x000A))


def compound(stream: bytes) -> bytes:
    """Return the container of the old Office with one stream, the workbook."""
    sectors = max(8, -(-len(stream) // _SECTOR))  # what is shorter would lie in smaller sectors of its own
    tables = -(-(sectors + 1) // 127)  # each has the chains of 128 sectors, itself among them
    chains = [*[_FAT] * tables, _END, *range(tables + 2, tables + 1 + sectors), _END]
    table = struct.pack(f"<{len(chains)}I", *chains).ljust(_SECTOR * tables, b"\xff")
    folder = (
        _entry("Root Entry", 5, _END, 0, child=1) + _entry("Workbook", 2, tables + 1, _SECTOR * sectors) + bytes(256)
    )
    head = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<IIIIIIIII", 0, tables, tables, 0, 4096, _END, 0, _END, 0)
    head += struct.pack(f"<{tables}I", *range(tables)).ljust(4 * 109, b"\xff")
    return head + table + folder + stream.ljust(_SECTOR * sectors, b"\0")


def _entry(name: str, kind: int, start: int, size: int, child: int = 0xFFFFFFFF) -> bytes:
    written = (name + "\0").encode("utf-16-le")
    about = struct.pack("<64sHBBIII", written, len(written), kind, 1, 0xFFFFFFFF, 0xFFFFFFFF, child)
    return about + bytes(36) + struct.pack("<IQ", start, size)


def _brt(kind: int, content: bytes = b"") -> bytes:
    """Return a record of a .xlsb workbook: seven bits of its kind and of its length in a byte."""
    kinds = bytes([kind]) if kind < 128 else bytes([kind & 127 | 128, kind >> 7])
    return kinds + bytes([len(content) & 127 | 128, len(content) >> 7]) + content


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def brt_row(row: int) -> bytes:
    """Return the beginning of a row."""
    return _brt(0, struct.pack("<I", row))


def brt_text(column: int, text: str) -> bytes:
    """Return a cell with text."""
    return _brt(6, struct.pack("<II", column, 0) + _wide(text))


def brt_number(column: int, value: float) -> bytes:
    """Return a cell with a number."""
    return _brt(5, struct.pack("<IId", column, 0, value))


BINARY_END = _brt(0x92)
BINARY_CELLS = (
    (_brt(0x81) + _brt(0x94, struct.pack("<IIII", 0, 2, 0, 1)) + _brt(0x91))
    + (brt_row(0) + brt_text(0, "id") + brt_text(1, "name"))
    + (brt_row(1) + brt_number(0, 1) + brt_text(1, "Ada"))
    + (brt_row(2) + brt_number(0, 2.5) + brt_text(1, "Gr\xe4ce") + BINARY_END)
)


def binary_workbook(cells: bytes = BINARY_CELLS) -> bytes:
    """Return a .xlsb workbook of one sheet with these records."""
    out = io.BytesIO()
    parts = {
        "xl/workbook.bin": _brt(0x9C, struct.pack("<II", 0, 1) + _wide("r1") + _wide(NAME)) + _brt(0x90) + _brt(0x9D),
        "xl/_rels/workbook.bin.rels": b'<Relationships><Relationship Id="r1" Target="worksheets/sheet1.bin"/>'
        b"</Relationships>",
        "xl/worksheets/sheet1.bin": cells,
    }
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()
