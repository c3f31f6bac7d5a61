"""Archives made to do harm, and damaged ones: what is not read is named, and memory is bounded."""

import io
import tarfile

import pytest
from tests.fuzz.seeds import tarred

from likewise.read import documents

FILES = {"a.txt": b"soup is hot", "b.txt": b"broth is hot", "c.txt": b"bread is not"}


def read(path, data):
    path.write_bytes(data)
    skipped = []
    found = [document.id.partition("/")[2] for document in documents(path, on_skip=skipped.append)]
    return found, [(one.reason, one.detail) for one in skipped]


def entries(*kinds):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for kind, target in kinds:
            entry = tarfile.TarInfo("a.txt")
            entry.type, entry.linkname = kind, target
            archive.addfile(entry)
    return out.getvalue()


def named_at_length(kind):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=kind) as archive:
        entry = tarfile.TarInfo("a" * (1 << 21))
        entry.size = 4
        archive.addfile(entry, io.BytesIO(b"soup"))
    return out.getvalue()


SOUND = tarred(FILES)
CASES = {
    "a damaged header": (SOUND[:1044] + b"?" + SOUND[1045:], ["a.txt"], "broken", "bad checksum"),
    "an end within a header": (SOUND[:1100], ["a.txt"], "truncated", "ends within"),
    "an end within a file": (SOUND[:2000], ["a.txt"], "broken", "unexpected end"),
    "folders only": (entries((tarfile.DIRTYPE, "")), [], "no text", "without files"),
    "links": (
        entries((tarfile.SYMTYPE, "/etc/passwd"), (tarfile.LNKTYPE, "../secret.txt"), (tarfile.CHRTYPE, "")),
        [],
        "unreadable",
        "a link or a device",
    ),
    "a long name": (named_at_length(tarfile.GNU_FORMAT), [], "too large", "2,097,153 bytes are said of one file"),
    "a long comment": (named_at_length(tarfile.PAX_FORMAT), [], "too large", "bytes are said of one file"),
}


@pytest.mark.parametrize("name", CASES)
def test_tar(tmp_path, name):
    data, found, reason, detail = CASES[name]
    seen, skipped = read(tmp_path / "a.tar", data)
    assert seen[: len(found)] == found
    assert len(seen) <= len(found) + 1
    assert {why for why, _ in skipped} == {reason}
    assert detail in skipped[-1][1]


def test_what_is_said_of_files_is_not_kept(tmp_path, monkeypatch):
    kept = []
    before = tarfile.TarFile.next
    monkeypatch.setattr(tarfile.TarFile, "next", lambda one: kept.append(len(one.members)) or before(one))
    seen, skipped = read(tmp_path / "a.tar", tarred({f"{number}.txt": b"soup is hot" for number in range(50)}))
    assert len(seen) == 50
    assert not skipped
    assert max(kept) <= 2
