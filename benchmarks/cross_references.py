"""Cross references of a book, taken out before linking: how many of them are among their passage's five best links.

    python benchmarks/cross_references.py FOLDER [--glob '*.html'] [--sample 50] [--seed 1] [--set name=value …]

``FOLDER`` is a manual as HTML (Sphinx or DocBook). Every reference from a paragraph to a section of the book ("see
Packages", "described in 7.2") is removed from the text; it is found again if one of the five best links of its passage
leads into that section. References within one section are left out, as are those to whole pages.
"""

import argparse
import json
import random
import re
import tempfile
import time
from dataclasses import dataclass, fields
from pathlib import Path

from resiliparse.parse.html import HTMLTree

from likewise.jobs.link import LinkOptions, link
from likewise.read import ReadOptions

HEADING = re.compile(r"h[1-6]$")
BLOCKS = ("p", "li", "dd")
REFERENCES = "a.internal, a.xref"


@dataclass(frozen=True)
class Reference:
    """From a passage of a page to a section of a page."""

    page: str
    text: str
    target_page: str
    target_title: str


def words(text):
    return " ".join(re.findall(r"\w+", text.lower()))


def parent(node, names):
    while node is not None and node.tag not in names:
        node = node.parent
    return node


def title_of(node):
    """The title of the section that an id stands for."""
    while node is not None and node.tag not in ("body", "html"):
        for found in [node, *node.query_selector_all("h1, h2, h3, h4, h5, h6")]:
            if HEADING.match(found.tag or ""):
                return words(found.text)
        node = node.parent
    return ""


def take_out(folder, glob, target):
    """Write the pages without their references; return these."""
    pages = {path.relative_to(folder).as_posix(): path for path in sorted(folder.glob(glob))}
    trees = {name: HTMLTree.parse(path.read_text(encoding="utf-8")) for name, path in pages.items()}
    found = []
    for name, tree in trees.items():
        for anchor in tree.body.query_selector_all(REFERENCES):
            address, _, fragment = (anchor.getattr("href") or "").partition("#")
            there = (Path(name).parent / address).as_posix() if address else name
            block = parent(anchor, BLOCKS)
            if there not in trees or not fragment or block is None or anchor.query_selector("code") is not None:
                continue
            section = trees[there].document.get_element_by_id(fragment)
            if section is None:
                continue
            found.append((name, block, anchor, there, title_of(section), title_of(block)))
    for _, _, anchor, *_ in found:
        anchor.decompose()
    references = []
    for name, block, _, there, title, home in found:
        text = words(block.text)
        if title and (there, title) != (name, home) and len(text.split()) >= 12:
            references.append(Reference(name, text, there, title))
    for name, tree in trees.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(str(tree), encoding="utf-8")
    return list(dict.fromkeys(references))


def measure(folder, glob, sample, seed, changes):
    with tempfile.TemporaryDirectory() as place:
        references = take_out(folder, glob, Path(place))
        started = time.process_time()
        found = link(place, read=ReadOptions(main_content=True), **changes)
        seconds = time.process_time() - started
    # The five best of a passage, as --choices has them; how many of them are links stands beside.
    best = {unit: [one.other for one in found.choices.of(unit)] for unit in range(len(found.book.units))}
    published = {unit: {there for _, there in ends} for unit, ends in found.ends().items()}
    pages = [document.id for document in found.book.documents]
    units = {}
    for number, unit in enumerate(found.book.units):
        passage = found.book.passages[unit.document][unit.passage]
        text = words(passage.span.of(found.book.documents[unit.document].text))
        units.setdefault((pages[unit.document], text[:60]), number)
    known = [(one, units.get((one.page, one.text[:60]))) for one in references]
    known = [(one, unit) for one, unit in known if unit is not None]

    def leads(unit, one):
        there = found.unit(unit)
        titles = {words(title) for title in there.titles}
        return pages[there.document] == one.target_page and one.target_title in titles

    # What reading or too few words leaves out cannot be found.
    known = [(one, unit) for one, unit in known if any(leads(there, one) for there in range(len(found.book.units)))]
    if sample:
        known = random.Random(seed).sample(known, min(sample, len(known)))
    ranks, linked = [], 0
    for one, unit in known:
        hits = [rank for rank, there in enumerate(best.get(unit, ()), start=1) if leads(there, one)]
        ranks.append(hits[0] if hits else None)
        linked += any(leads(there, one) for there in published.get(unit, ()))
    share = {k: round(sum(rank is not None and rank <= k for rank in ranks) / max(len(ranks), 1), 3) for k in (1, 3, 5)}
    links = sum(not one.copy for one in found)
    return {
        "references": len(known),
        "found among the best": share,
        "among the links": round(linked / max(len(ranks), 1), 3),
        "links": links,
        "passages": len(found.book.units),
        "seconds": round(seconds, 1),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--glob", default="**/*.html")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], help="an option of link, as name=value")
    given = parser.parse_args()
    known = {field.name for field in fields(LinkOptions)}
    changes = {}
    for entry in given.set:
        name, _, value = entry.partition("=")
        assert name in known, f"unknown option {name}"
        try:
            changes[name] = value if name == "preset" else json.loads(value)
        except ValueError:
            changes[name] = value
    print(json.dumps(measure(given.folder, given.glob, given.sample, given.seed, changes)))


if __name__ == "__main__":
    main()
