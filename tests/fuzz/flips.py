"""Turn single bits of the files that people share: each change is refused in words, or changes no answer.

    python -m tests.fuzz.flips [KIND ...] [--step N]

``--step 1`` turns a bit of every byte; the test takes fewer. What is neither refused nor harmless is printed, and the
number of each for every file; with ``--json`` the numbers take the place of those of an earlier run.
"""

import argparse
import atexit
import functools
import json
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from likewise import Index, Paraphrases, Spectra, TfIdf, dedupe, link, match
from likewise.errors import LikewiseError
from likewise.evaluate.judging import Study
from likewise.evaluate.judging.sampling import Item
from likewise.evaluate.judging.schemes import SCHEMES
from likewise.jobs.questions.ask import Nuggets
from likewise.jobs.questions.nuggets import nuggets
from likewise.jobs.recognise import Recogniser, recognise
from likewise.measure import load
from likewise.records.model import Model

TEXTS = [f"the {word} of the {other} river" for word in ("red", "blue", "old") for other in ("north", "south")]
PAIRS = [(f"the law of {i}", f"law of {i}" if i % 2 else f"rain in {i}", bool(i % 2)) for i in range(24)]


@dataclass(frozen=True)
class Shared:
    """A kind of file or folder: how it is made, and what is asked of it."""

    make: Callable[[Path], object]
    ask: Callable[[Path], Any]


def _index(measure: str) -> Callable[[Path], object]:
    def make(path: Path) -> None:
        index = Index.build(TEXTS, measure=measure, path=path)
        index.add(["one more river"])
        index.remove([0])

    return make


def _search(path: Path) -> Any:
    index = Index.open(path)
    found = [(hit.id, hit.score, hit.text) for query in ("river", "blue -old") for hit in index.search(query, top=9)]
    return found, index.ids(), index.match(["old river"], top=3).to_arrow().to_pylist()


def _make_nuggets(path: Path) -> None:
    source = path.parent / "source.txt"
    source.write_text("In 1947, Bell Labs invented the transistor. The bridge was opened in 1932.\n")
    nuggets(source, path)


def _study(path: Path) -> None:
    items = [Item("21", "Early", number, f"a{number}", f"b{number}", "Soup.", "Broth.") for number in range(1, 5)]
    study = Study.create(path, items, SCHEMES["links"])
    for number in study.items():
        study.judge("ada", number, "correct" if number % 2 else "wrong")
    study.close()


def _judged(path: Path) -> Any:
    study = Study(path)
    found = study.items(), study.verdicts("ada"), study.judges(), study.order("bob"), study.columns()
    study.close()
    return found


PEOPLE = [
    {"key": str(n), "name": f"{first} {last}", "city": city, "born": f"19{n % 90 + 10}-0{n % 9 + 1}-11"}
    for n, (first, last, city) in enumerate(
        (first, last, city)
        for first in ("Ada", "Grace", "Kurt", "Emmy", "Alan")
        for last in ("Lovelace", "Hopper", "Goedel", "Noether", "Turing")
        for city in ("London", "Vienna")
    )
]
OTHERS = [{**one, "name": one["name"].upper()[:-1]} for one in PEOPLE[:40]]
TWICE = [*PEOPLE[:45], *({**one, "key": f"{one['key']}b"} for one in OTHERS[:30])]


@functools.cache
def _model() -> Model:
    found = match(PEOPLE, OTHERS, id="key", labels=[("0", "0", True), ("1", "1", True), ("0", "7", False)])
    assert isinstance(found.model, Model)
    return found.model


def _matched(path: Path) -> Any:
    return match(PEOPLE, OTHERS, id="key", model=path).table.to_pylist()


def _changed(path: Path) -> Any:
    found = dedupe(path, add=PEOPLE[45:47], state=path.with_suffix(".later"))
    return found.table.to_pylist(), found.changes


def _linked(path: Path) -> Any:
    found = link(_source(), update=path, min_strength=0.0)
    return found.links, found.book.units, found.skipped, found.notes[-1]


@functools.cache
def _source() -> Path:
    """A file that is linked; it stays where it is, as its path is part of what is kept."""
    path = Path(tempfile.mkdtemp(prefix="likewise-flips-")) / "soup.md"
    atexit.register(shutil.rmtree, path.parent, ignore_errors=True)
    path.write_text(
        "# Soup\n\nPour *it*. Eat the red soup.\n\n- one [more](there.md)\n\n## Nuts\n\nThe red soup is *hot*.\n"
    )
    return path


KINDS = {
    "index-bm25": Shared(_index("bm25"), _search),
    "index-spectra": Shared(_index("spectra(weights=c.idf)"), _search),
    "measure-spectra.json": Shared(
        lambda path: Spectra(weights="c.idf").fit(TEXTS).save(path), lambda path: load(path).score(*TEXTS[:2])
    ),
    "measure-tfidf.json": Shared(
        lambda path: TfIdf().fit(TEXTS).save(path), lambda path: load(path).score(TEXTS[0], "an old river")
    ),
    "recogniser.json": Shared(
        lambda path: recognise(PAIRS, folds=2, repeats=1).save(path),
        lambda path: Recogniser.load(path).scores(["the law of 7"], ["law of 7"]).tolist(),
    ),
    "nuggets": Shared(_make_nuggets, lambda path: Nuggets(path).ask("When was the transistor invented?")),
    "study.judge": Shared(_study, _judged),
    "paraphrases.parquet": Shared(
        lambda path: Paraphrases.of_rows([("came into force", "took effect", 7), ("law", "act", 5)]).write(path),
        lambda path: Paraphrases.read(path).to_arrow().to_pylist(),
    ),
    "model.json": Shared(lambda path: _model().save(path), _matched),
    "people.state": Shared(lambda path: dedupe(TWICE, id="key", state=path), _changed),
    "link.json": Shared(lambda path: link(_source(), update=path), _linked),
}


def flip(kind: str, folder: Path, step: int = 1, seed: int = 0) -> tuple[Counter[str], list[str]]:
    """Turn one bit of every ``step``-th byte, one after the other; return what came of it, and what went wrong."""
    chance = random.Random(seed)
    shared = KINDS[kind]
    whole = folder / "whole" / kind
    whole.parent.mkdir(parents=True)
    shared.make(whole)
    expected = shared.ask(whole)
    files = [whole] if whole.is_file() else sorted(path for path in whole.rglob("*") if path.is_file())
    contents = {path.relative_to(whole.parent): path.read_bytes() for path in files if path.name != "writer.lock"}
    place = folder / "changed"
    seen: Counter[str] = Counter()
    wrong = []
    for name, data in contents.items():
        for at in range(chance.randrange(step), len(data), step):
            for other, bytes_ in contents.items():
                (place / other).parent.mkdir(parents=True, exist_ok=True)
                (place / other).write_bytes(bytes_)
            bit = 1 << chance.randrange(8)
            (place / name).write_bytes(data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :])
            try:
                outcome = "harmless" if shared.ask(place / kind) == expected else "another answer"
            except LikewiseError:
                outcome = "refused"
            except Exception as error:  # a traceback for the user: that is what is looked for
                outcome = f"{type(error).__name__}: {error}"
            seen[outcome if outcome in ("harmless", "refused") else "wrong"] += 1
            if outcome not in ("harmless", "refused"):
                wrong.append(f"{name} byte {at} bit {bit}: {outcome}")
            shutil.rmtree(place)
    return seen, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(KINDS))
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    known = chosen.json is not None and chosen.json.exists()
    figures = json.loads(chosen.json.read_text()) if known else {}
    for kind in chosen.kinds or KINDS:
        with tempfile.TemporaryDirectory() as folder:
            seen, wrong = flip(kind, Path(folder), chosen.step)
        print(kind, dict(seen), *wrong[:20], sep="\n  ", flush=True)
        figures[kind] = {**seen}
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
