"""Folders are read as the books they are: in the order of their contents, and no page twice."""

import pytest

from likewise.read import documents


def names(folder):
    return [document.id for document in documents(folder)]


def write(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


ORDERS = {
    "mdBook": (
        {"src/SUMMARY.md": "* [Z](z.md)\n* [A](sub/a.md)\n", "src/z.md": "Z.", "src/sub/a.md": "A.", "src/b.md": "B."},
        ["src/z.md", "src/sub/a.md", "src/SUMMARY.md", "src/b.md"],
    ),
    "a page before the listed ones": (
        {"SUMMARY.md": "* [Z](z.md)\n* [A](a.md)\n", "README.md": "R.", "a.md": "A.", "z.md": "Z."},
        ["README.md", "z.md", "a.md", "SUMMARY.md"],
    ),
    "mkdocs": (
        {"mkdocs.yml": "site: x\nnav:\n  - Start: z.md\n  - a.md\n", "docs/a.md": "A.", "docs/z.md": "Z."},
        ["docs/z.md", "docs/a.md", "mkdocs.yml"],
    ),
    "sphinx": (
        {"index.rst": "I\n=\n\n.. toctree::\n   :maxdepth: 2\n\n   z\n   Title <sub/a>\n", "z.rst": "Z.", "sub/a.rst": "A.",  # noqa: E501
         "b.rst": "B."},
        ["index.rst", "z.rst", "sub/a.rst", "b.rst"],
    ),
    "html next": (
        {"index.html": '<link rel="next" href="z.html">I', "z.html": '<a accesskey="n" href="a.html">n</a>', "a.html": "A"},  # noqa: E501
        ["index.html", "z.html", "a.html"],
    ),
    "html of a language": (
        {"index.en.html": '<link rel="next" href="z.en.html">I', "z.en.html": "Z", "a.en.html": "A"},
        ["index.en.html", "z.en.html", "a.en.html"],
    ),
    "html index": (
        {"index.html": '<a href="z.html">Z</a> <a href="a.html#x">A</a>', "z.html": "Z", "a.html": "A"},
        ["index.html", "z.html", "a.html"],
    ),
    "by name": ({"b.md": "B.", "a.md": "A."}, ["a.md", "b.md"]),
}  # fmt: skip


@pytest.mark.parametrize("case", ORDERS)
def test_a_book_is_read_in_its_own_order(tmp_path, case):
    files, expected = ORDERS[case]
    write(tmp_path, files)
    assert names(tmp_path) == expected


def test_sources_beside_their_pages_are_noticed(tmp_path):
    write(tmp_path, {"a.html": "<p>A", "_sources/a.rst.txt": "A", "_sources/b.rst.txt": "B\n=\n\nText."})
    skipped = []
    found = list(documents(tmp_path, on_skip=skipped.append))
    assert [document.id for document in found] == ["a.html", "_sources/b.rst.txt"]
    assert found[1].format == "rst"
    assert [(skip.reason, skip.detail) for skip in skipped] == [("source", "a.html is made of it")]


def test_a_chain_of_many_pages_is_followed_to_its_end(tmp_path):
    # One page lists the next: followed by calls within calls, that went deeper than Python goes.
    pages = ["index", *(f"p{9999 - number}" for number in range(1500))]
    page = ".. toctree::\n\n   {}\n\nText.\n"
    write(
        tmp_path, {f"{name}.rst": page.format(after) for name, after in zip(pages, [*pages[1:], "none"], strict=True)}
    )
    assert names(tmp_path) == [f"{name}.rst" for name in pages]


@pytest.mark.parametrize(
    ("name", "piece"),
    [
        ("SUMMARY.md", "]("),
        ("mkdocs.yml", "a"),
        ("index.rst", " <"),
        ("index.html", "<a "),
        ("index.html", "<a href=a"),
    ],
)
def test_what_never_closes_in_a_table_of_contents_takes_no_square_of_time(tmp_path, name, piece):
    before = {"mkdocs.yml": "a: b\nnav:\n", "index.rst": ".. toctree::\n\n"}.get(name, "")
    write(tmp_path, {name: before + piece * (300_000 // len(piece)) + "\n", "a.md": "A."})
    assert "a.md" in names(tmp_path)
