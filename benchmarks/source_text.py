"""Much real text for near-duplicates: what programmers wrote, from Debian packages of sources, as one Parquet file.

    python -m benchmarks.source_text FILE.parquet [--megabytes 1000] [--packages name ...] [--downloaded FOLDER]
    python -m benchmarks.source_text FILE.parquet --megabytes 10000 --archives linux chromium llvm-toolchain-15 ...

Needs a Debian machine with a package mirror configured; packages are downloaded, never installed. Archives are those of
source packages, for which the mirror must be configured, too (deb-src); a downloaded one goes on from what is there. A
document is a file, or, of a long one, consecutive paragraphs of at most 4,000 characters. Documents that occurred
before, that have fewer than 20 words, and files over 1 MB (generated tables) are left out; what is alike without being
equal stays, as it does in every such corpus.
"""

import argparse
import contextlib
import hashlib
import io
import lzma
import re
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.debian_text import download

PACKAGES = ["linux-source-6.1", "openjdk-17-source", "golang-1.19-src", "rust-src", "glibc-source", "gdb-source"]
LONGEST, FEWEST, LARGEST = 4000, 20, 1 << 20
_GENERATED = re.compile(r"/asic_reg/|/testdata/|\.po$|\.json$")  # registers of graphics cards are half of Linux


def files(package: Path) -> Iterator[tuple[str, str]]:
    """Yield names and texts of the files of a package and of the archives in it."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
            yield from _members(archive)


def archived(package: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield names and texts of the files of a source package, which is fetched if it is not in the folder."""
    if not any(folder.glob(f"{package}_*.tar.*")):
        subprocess.run(["apt-get", "source", "--download-only", package], cwd=folder, check=True, capture_output=True)
    for path in sorted(folder.glob(f"{package}_*.tar.*[!c]")):  # not the signatures, .asc
        with tarfile.open(path, mode="r|*") as archive:
            yield from _members(archive)


def _members(archive: tarfile.TarFile) -> Iterator[tuple[str, str]]:
    for member in archive:
        file = archive.extractfile(member) if member.isfile() else None
        if file is None:
            continue
        if member.name.endswith(".tar.xz"):
            with lzma.open(file) as inner, tarfile.open(fileobj=inner, mode="r|") as inside:
                yield from _members(inside)
        elif member.name.endswith(".zip"):
            # Sources have broken and encrypted archives, too, to test what reads them.
            broken, raw = (zipfile.BadZipFile, RuntimeError), io.BytesIO(file.read())
            with contextlib.suppress(*broken), zipfile.ZipFile(raw) as inside:
                yield from _texts((name, inside.read(name)) for name in inside.namelist())
        elif member.size <= LARGEST:
            yield from _texts([(member.name, file.read())])


def _texts(found) -> Iterator[tuple[str, str]]:
    for name, raw in found:
        if len(raw) <= LARGEST and b"\0" not in raw and not _GENERATED.search(name):
            try:
                yield name, raw.decode("utf-8")
            except UnicodeDecodeError:
                continue


def pieces(text: str) -> Iterator[str]:
    """Yield a short text as it is, and of a long one its paragraphs, as many together as may be."""
    held: list[str] = []
    size = 0
    for paragraph in text.split("\n\n") if len(text) > LONGEST else [text]:
        if held and size + len(paragraph) > LONGEST:
            yield "\n\n".join(held)
            held, size = [], 0
        held.append(paragraph[:LONGEST])
        size += len(held[-1]) + 2
    yield "\n\n".join(held)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--megabytes", type=int, default=1000, help="stop after this much text")
    parser.add_argument("--packages", nargs="*", default=PACKAGES)
    parser.add_argument("--archives", nargs="*", default=[], help="source packages, read in place of packages")
    parser.add_argument("--downloaded", type=Path, help="folder of packages that are there already")
    options = parser.parse_args()
    schema = pa.schema([("id", pa.int64()), ("source", pa.string()), ("text", pa.string())])
    seen: set[bytes] = set()
    total = 0
    held: list[tuple[int, str, str]] = []
    with tempfile.TemporaryDirectory() as name, pq.ParquetWriter(options.file, schema, compression="zstd") as writer:

        def flush() -> None:
            writer.write_table(pa.table([list(column) for column in zip(*held, strict=True)], schema=schema))
            held.clear()

        folder = options.downloaded or Path(name)

        def texts(package: str) -> Iterator[tuple[str, str]]:
            if options.archives:
                return archived(package, folder)
            found = next(iter(sorted(folder.glob(f"{package}_*.deb"))), None) or download(package, folder)
            return files(found) if found else iter(())

        for package in options.archives or options.packages:
            for path, text in texts(package):
                for piece in pieces(text):
                    key = hashlib.blake2b(piece.encode(), digest_size=8).digest()
                    if key in seen or len(piece.split()) < FEWEST or total >= options.megabytes * 1_000_000:
                        continue
                    seen.add(key)
                    total += len(piece.encode())
                    held.append((len(seen) - 1, f"{package}:{path}", piece))
                if len(held) >= 10_000:
                    flush()
                if total >= options.megabytes * 1_000_000:
                    break
            print(f"{package}: {len(seen):,} documents, {total / 1e6:,.0f} MB so far", flush=True)
            if total >= options.megabytes * 1_000_000:
                break
        if held:
            flush()


if __name__ == "__main__":
    main()
