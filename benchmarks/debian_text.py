"""Text beyond enwiki for mining: the prose of Debian documentation packages as distinct gz shards of 1 MB.

    python -m benchmarks.debian_text FOLDER [--megabytes 150] [--packages name ...] [--pages FOLDER] [--html-mb 100]

Needs a Debian machine with a package mirror configured (``apt-get update`` done); packages are downloaded, never
installed. Their text and HTML files are read by Likewise, English ones kept, paragraphs that occurred before dropped
(licences, navigation: repeating text is no test of mining), the rest written as ``<doc>`` elements, a paragraph a line.
``--pages`` also keeps HTML files as they are, for the MB/s of reading them (``benchmarks.mining --pages``).
"""

import argparse
import gzip
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from html import escape
from pathlib import Path, PurePosixPath

from likewise.read import ReadOptions, documents
from likewise.read.document import PROSE
from likewise.segment import blocks

# Much English prose, by subject; a package that the mirror lacks is named and left out.
PACKAGES = """
anarchism debian-handbook debian-reference-en debian-policy developers-reference debian-faq installation-guide-amd64
gimp-help-en libreoffice-help-en-us apache2-doc postgresql-doc-15 sqlite3-doc git-doc exim4-doc-html vim-doc cmake-doc
linux-doc-6.1 python3.11-doc python-django-doc rust-doc erlang-doc libboost1.74-doc qtbase5-doc-html
nova-doc neutron-doc swift-doc cinder-doc glance-doc keystone-doc maxima-doc octave-doc r-doc-html c++-annotations-html
lilypond-doc-html llvm-14-doc python-astropy-doc python-scipy-doc python-pandas-doc python-sympy-doc wireshark-doc
qtdeclarative5-doc-html qttools5-doc-html qtcreator-doc libstdc++-12-doc openjdk-17-doc gnuradio-doc zsh-doc jargon-text
fp-docs-3.2.2 gcl-doc ghc-doc cppreference-doc-en-html gnucash-docs wx3.2-doc twisted-doc python-sklearn-doc racket-doc
lazarus-doc-2.2 pacemaker-doc python-statsmodels-doc libgtk-4-doc db5.3-doc derby-doc dpdk-doc virtuoso-vad-doc
crystal-doc libreoffice-dev-doc sumo-doc trilinos-doc libgtkmm-3.0-doc libdeal.ii-doc
""".split()  # noqa: SIM905 - words are easier to change than quoted ones
_WANTED = re.compile(r"\.(txt|text|html?|xhtml|rst)(\.en)?(\.gz)?$", re.IGNORECASE)
_UNWANTED = re.compile(r"(^|/)(changelog|copyright|genindex|search|_sources/|searchindex|NEWS)", re.IGNORECASE)
_SHARD = 1 << 20


def download(package: str, folder: Path) -> Path | None:
    """Fetch a package from the configured mirror."""
    done = subprocess.run(["apt-get", "download", package], cwd=folder, capture_output=True, text=True)
    found = sorted(folder.glob("*.deb"))
    if done.returncode or not found:
        print(f"{package}: left out ({(done.stderr.strip().splitlines() or ['no package'])[-1]})", file=sys.stderr)
        return None
    return found[0]


def unpack(package: Path, folder: Path) -> None:
    """Write the text and HTML files of a package into a folder, under numbers that keep their order."""
    with (
        subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as process,
        tarfile.open(fileobj=process.stdout, mode="r|") as archive,
    ):
        for number, member in enumerate(archive):
            name = PurePosixPath(member.name)
            if not member.isfile() or not _WANTED.search(name.name) or _UNWANTED.search(member.name):
                continue
            # The format is told by the name: rst reads as plain text, "page.html.en" as HTML.
            plain = re.sub(r"\.en(\.gz)?$", r"\1", name.name)
            plain = re.sub(r"\.rst(\.gz)?$", r".txt\1", plain)
            target = folder / f"{number:06d}-{plain}"
            with archive.extractfile(member) as source, open(target, "wb") as file:
                shutil.copyfileobj(source, file)


class Shards:
    """Writes ``<doc>`` elements; a shard ends after 1 MB of text. Paragraphs are written once."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.number, self.total, self.documents = folder, 0, 0, 0
        self._parts: list[bytes] = []
        self._size = 0
        self._seen: set[bytes] = set()

    def add(self, document, package: str) -> None:
        lines = []
        for block in blocks(document):
            line = " ".join(block.span.of(document.text).split())
            key = hashlib.blake2b(line.encode(), digest_size=8).digest()
            # Shorter ones are headings, menus and signatures of functions.
            if block.kind in PROSE and len(line) >= 60 and not line.startswith("<") and key not in self._seen:
                self._seen.add(key)
                lines.append(line)
        if not lines:
            return
        self.documents += 1
        title = escape(str(document.fields.get("title", document.id)))
        text = f'<doc id="{self.documents}" url="{package}" title="{title}">\n' + "\n".join(lines) + "\n</doc>\n"
        self._parts.append(text.encode())
        self._size += len(self._parts[-1])
        if self._size >= _SHARD:
            self.flush()

    def flush(self) -> None:
        if self._parts:
            # No name and no time in the header: the same packages give the same bytes.
            with (
                open(self.folder / f"debian-{self.number:04d}.txt.gz", "wb") as raw,
                gzip.GzipFile("", "wb", 6, raw, 0) as file,
            ):
                file.write(b"".join(self._parts))
            self.number, self.total = self.number + 1, self.total + self._size
            self._parts, self._size = [], 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--megabytes", type=int, default=150, help="stop after this much text")
    parser.add_argument("--packages", nargs="*", default=PACKAGES)
    parser.add_argument("--pages", type=Path, help="also keep HTML files here")
    parser.add_argument("--html-mb", type=int, default=100, help="how much HTML to keep")
    options = parser.parse_args()
    shards, html = Shards(options.folder), 0
    for package in options.packages:
        if shards.total >= options.megabytes << 20:
            break
        with tempfile.TemporaryDirectory() as name:
            found = download(package, Path(name))
            if found is None:
                continue
            unpacked = Path(name) / "files"
            unpacked.mkdir()
            unpack(found, unpacked)
            if not any(unpacked.iterdir()):
                print(f"{package}: no text or HTML in it", file=sys.stderr)
                continue
            before = shards.total + shards._size
            for document in documents(unpacked, options=ReadOptions(only_language="en")):
                shards.add(document, package)
            print(f"{package}: {(shards.total + shards._size - before) / 1e6:.1f} MB of text", flush=True)
            if options.pages:
                options.pages.mkdir(parents=True, exist_ok=True)
                share = html + (options.html_mb << 20) // 10  # pages of ten packages at least
                for page in sorted(unpacked.glob("*.html")):
                    if html < min(share, options.html_mb << 20):
                        html += page.stat().st_size
                        shutil.move(page, options.pages / f"{package}-{page.name}")
    shards.flush()
    print(f"{shards.number} shards, {shards.documents:,} documents, {shards.total / 1e6:.1f} MB of text")


if __name__ == "__main__":
    main()
