"""Kill -9, and lose power, at counted moments: what is there afterwards is what was before, or what is new, whole.

    python -m benchmarks.kills [--kills 1000] [--seed 1] [--figures FILE]

A process that has imported everything forks a child for each kill. The child counts its changes of files (opening for
writing, renaming, removing, making folders) and dies just before one of them, drawn anew each time. Where the power
goes, what was not synced goes with it: files are cut short or zeroed, renames and removals undone. SQLite syncs by
itself and out of our sight; judgements and the service (with its jobs, which are processes of their own) are killed by
the clock and counted by what was acknowledged. A run of mining that was killed goes on, and ends with the same bytes.

With ``--figures`` a run adds to what the file has, at other moments; ``--cases mine service`` does only those.
"""

import argparse
import builtins
import contextlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz import flips

import likewise as lw
from benchmarks.serving import served
from likewise import Index, Paraphrases, Spectra
from likewise.evaluate.judging import Study
from likewise.evaluate.judging.sampling import Item
from likewise.evaluate.judging.schemes import SCHEMES
from likewise.jobs.questions.ask import Nuggets
from likewise.jobs.questions.nuggets import nuggets
from likewise.measure import load
from likewise.results.parts import write_whole
from likewise.seals import sealed
from likewise.storage import atomic_write

TEXTS = [f"text {n} of the {('river', 'lake', 'sea')[n % 3]}" for n in range(40)]
QUESTION = "When was the transistor invented?"


class Disk:
    """What a child changed, and what of it would survive if the power went."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.unsynced: set[str] = set()
        self.synced: set[str] = set()
        self.undo: list[tuple[str, Callable[[], object]]] = []  # folder that is not synced yet, how to take it back

    def look(self, event: str, arguments: tuple[Any, ...]) -> bool:
        """Note a change that is about to be made; say whether it was one."""
        if event == "open":
            path, _, flags = arguments
            writes = (
                isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR) and isinstance(path, str | os.PathLike)
            )
            if not writes or str(path).startswith(("/dev/", "/proc/")):
                return False
            self.unsynced.add(os.path.abspath(path))
            self.synced.discard(os.path.abspath(path))
            return True
        if event == "os.rename":
            source, target = (os.path.abspath(one) for one in arguments[:2])
            old = Path(target).read_bytes() if os.path.isfile(target) else None
            self.undo.append((os.path.dirname(target), lambda: _rename_back(source, target, old)))
            if os.path.isfile(source) and source not in self.synced:
                self.unsynced.add(target)
            self.unsynced.discard(source)
            return True
        if event == "os.remove":
            path = os.path.abspath(arguments[0])
            if os.path.isfile(path):
                data = Path(path).read_bytes()
                self.undo.append((os.path.dirname(path), lambda: Path(path).write_bytes(data)))
            return True
        return event in ("os.mkdir", "os.rmdir")

    def synchronise(self, descriptor: int) -> None:
        """Note that a file, or the names in a folder, are on disk."""
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        self.unsynced.discard(path)
        self.synced.add(path)
        self.undo = [(folder, back) for folder, back in self.undo if folder != path]

    def lose_power(self) -> None:
        """Take back names that were not synced, from the last one on, and spoil what was not written out."""
        for _, back in reversed(self.undo[self.chance.randint(0, len(self.undo)) :]):
            with contextlib.suppress(OSError):
                back()
        for path in self.unsynced:
            if os.path.isfile(path) and os.path.getsize(path):
                size = os.path.getsize(path)
                with builtins.open(path, "r+b") as file:
                    if self.chance.random() < 0.5:
                        file.truncate(self.chance.randrange(size))
                    else:
                        file.seek(self.chance.randrange(size))
                        file.write(bytes(size - file.tell()))


def _rename_back(source: str, target: str, old: bytes | None) -> None:
    os.replace(target, source)
    if old is not None:
        Path(target).write_bytes(old)


def child(action: Callable[[Path], object], place: Path, point: int, power: bool, seed: int) -> int:
    """Do something in a child that dies at its ``point``-th change; return how many it made if it did not die."""
    reader, writer = os.pipe()
    process = os.fork()
    if process:
        os.close(writer)
        with os.fdopen(reader, "rb") as told:
            said = told.read()
        _, status = os.waitpid(process, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            return -1
        if status:
            raise AssertionError(f"the child failed: {said.decode(errors='replace')}")
        return int(said)
    try:
        disk, seen, busy = Disk(random.Random(seed)), [0], [False]

        def look(event: str, arguments: tuple[Any, ...]) -> None:
            if busy[0] or event not in ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir"):
                return
            busy[0] = True  # what the model itself does to files is none of it
            dies = seen[0] + 1 == point and event != "open"  # then it is not done any more, and not to be taken back
            if dies or disk.look(event, arguments):
                seen[0] += 1
                if seen[0] == point:
                    if power:
                        disk.lose_power()
                    os.kill(os.getpid(), signal.SIGKILL)
            busy[0] = False

        real = os.fsync

        def fsync(descriptor: int) -> None:
            real(descriptor)
            disk.synchronise(descriptor)

        os.fsync = fsync
        sys.addaudithook(look)
        action(place)
        busy[0] = True
        os.write(writer, str(seen[0]).encode())
        os._exit(0)
    except BaseException as error:
        os.write(writer, repr(error).encode())
        os._exit(1)


@dataclass(frozen=True)
class Case:
    """Something that changes files: what is there before, what is done, and what can be seen of it afterwards."""

    prepare: Callable[[Path], object]
    act: Callable[[Path], object]
    see: Callable[[Path], Any]
    then: Callable[[Path], object] = field(default=lambda place: None)  # after this no stray file may be there
    power: bool = True


def _index(place: Path) -> None:
    index = Index.build(TEXTS, path=place / "i")
    index.add(["one more text"])


def _ids(place: Path) -> Any:
    index = Index.open(place / "i")
    return index.ids(), index.search("river", top=50).ids


def _on_index(act: Callable[[Index], object]) -> Case:
    return Case(
        _index, lambda place: act(Index.open(place / "i")), _ids, lambda place: Index.open(place / "i").add(["x"])
    )


def _facts(place: Path, text: str) -> None:
    (place / "a.txt").write_text(text)
    nuggets(place / "a.txt", place / "n")


def _written(name: str) -> Case:
    """A result file that replaces an older one."""
    return Case(
        lambda place: (place / name).write_bytes(b"what was there before"),
        lambda place: _result().write(place / name),
        lambda place: (place / name).read_bytes(),
        lambda place: _result().write(place / name),
    )


def _result() -> Any:
    return lw.match(TEXTS[:12], TEXTS[12:24], top=2)


def _link(name: str) -> Case:
    soup = [
        "Clear soup is boiled from bones for hours.",
        "Bones are boiled for clear soup.",
        "Bread is baked in ovens.",
    ]

    def act(place: Path) -> None:
        getattr(lw.link(soup, min_matches=1), "to_html" if name.endswith("html") else "write")(place / name)

    return Case(
        lambda place: (place / name).write_bytes(b"before"), act, lambda place: (place / name).read_bytes(), act
    )


def _copy(place: Path) -> str:
    """Return one copy: of several files each is whole, whichever of them are of before."""
    return (place / "copies" / "soup.md").read_text()


def _copied(place: Path, word: str) -> None:
    (place / "soup.md").write_text(
        f"# {word}\n\nClear soup is boiled from bones.\n\nBones are boiled for clear soup.\n"
    )
    lw.link(place / "soup.md", min_matches=1).write(place / "copies")


def _parts(place: Path, name: str, others: Sequence[str]) -> None:
    """Write a result to a folder of Parquet files, as engines do."""
    write_whole(lw.match(TEXTS[:12], others, top=2).table, place / name)


def _part_files(place: Path) -> Any:
    return {path.name: path.read_bytes() for path in (place / "parts").iterdir()}


def _state(place: Path) -> Any:
    return flips.KINDS["people.state"].ask(place / "p.state")


def _add_people(place: Path) -> None:
    lw.dedupe(place / "p.state", add=flips.PEOPLE[47:])


def _linked(place: Path, word: str) -> None:
    (place / "soup.md").write_text(f"# Soup\n\nClear soup is boiled from {word}.\n\nOf {word} clear soup is boiled.\n")
    lw.link(place / "soup.md", update=place / "l.json", min_matches=1)


def _kept_links(place: Path) -> Any:
    values = json.loads((place / "l.json").read_text())
    found = lw.link(place / "soup.md", update=place / "l.json", min_matches=1)
    return sealed({key: value for key, value in values.items() if key != "checksum"}) == values, len(found.links)


def _study(place: Path) -> None:
    (place / "s.judge").unlink(missing_ok=True)
    Study.create(place / "s.judge", [Item("21", "Early", 1, "a", "b", "Soup.", "Broth.")], SCHEMES["links"]).close()


def _begun(place: Path) -> Any:
    if not (place / "s.judge").exists():
        return None
    study = Study(place / "s.judge")
    study.judge("ada", 1, "correct")
    items = study.items()
    study.close()
    return items


def _save_text(place: Path) -> None:
    with atomic_write(place / "a.txt", "w") as file:
        file.write("new")


PAPER = " ".join(
    f"In the end {name}, who {word} {verb} the {size} council of Rome, was not sad at all."
    for name, word in (("Ada King", "quietly"), ("Bob Stone", "finally"), ("Eve Moor", "soon"))
    for size in ("old", "new", "great")
    for verb in ("withdrew from", "pulled out of")
)


def _mine(place: Path) -> None:
    lw.mine(place / "p.txt", output=place / "m.parquet", support=2, threads=1, work=str(place / "work"))


def _mined(place: Path) -> Any:
    if not (place / "m.parquet").exists():
        _mine(place)  # goes on where it was
    return (place / "m.parquet").read_bytes()


def _again(place: Path) -> None:
    (place / "m.parquet").unlink(missing_ok=True)
    _mine(place)


LABELS = [("0", "0", True), ("1", "1", True), ("0", "7", False), ("2", "3", False)]
TABLE = "id,name\n" + "".join(f"{n},{text}\n" for n, text in enumerate(TEXTS))


def _dedupe(place: Path, rows: int) -> None:
    (place / "t.csv").write_text("".join(TABLE.splitlines(keepends=True)[: rows + 1]))
    lw.dedupe(place / "t.csv", on="name", min_score=0.9).write(place / "o.csv")


CASES: dict[str, Case] = {
    "mine": Case(lambda place: (place / "p.txt").write_text(PAPER), _mine, _mined, _again),
    "dedupe -o o.csv": Case(lambda place: _dedupe(place, 10), lambda place: _dedupe(place, 20),
                            lambda place: (place / "o.csv").read_bytes(), lambda place: _dedupe(place, 30)),
    "index build": Case(_index, lambda place: Index.build(TEXTS[:20], path=place / "i"), _ids,
                        lambda place: Index.open(place / "i").add(["x"])),
    "index add": _on_index(lambda index: index.add(["river of new texts", "another"])),
    "index remove": _on_index(lambda index: index.remove([1, 2])),
    "index compact": _on_index(lambda index: (index.remove([3]), index.compact())),
    "index refit": _on_index(lambda index: index.refit()),
    "nuggets": Case(lambda place: _facts(place, "In 1947, Bell Labs invented the transistor at night.\n"),
                    lambda place: _facts(place, "In 1948, Bell Labs invented the transistor by day.\n"),
                    lambda place: [(one.date, one.count) for one in Nuggets(place / "n").ask(QUESTION)],
                    lambda place: _facts(place, "In 1949, they invented the transistor again.\n")),
    "measure": Case(lambda place: Spectra(weights="c.idf").fit(TEXTS[:9]).save(place / "m.json"),
                    lambda place: Spectra(weights="c.idf").fit(TEXTS[3:20]).save(place / "m.json"),
                    lambda place: load(place / "m.json").score(TEXTS[0], "river text"),
                    lambda place: Spectra(weights="c.idf").fit(TEXTS[:9]).save(place / "m.json")),
    "paraphrases": Case(lambda place: Paraphrases.of_rows([("law", "act", 5)]).write(place / "p.parquet"),
                        lambda place: Paraphrases.of_rows([("law", "rule", 6)]).write(place / "p.parquet"),
                        lambda place: Paraphrases.read(place / "p.parquet").to_arrow().to_pylist(),
                        lambda place: Paraphrases.of_rows([("a", "b", 6)]).write(place / "p.parquet")),
    "text": Case(lambda place: (place / "a.txt").write_text("before"), _save_text,
                 lambda place: (place / "a.txt").read_text(), _save_text),
    "dedupe --state": Case(lambda place: lw.dedupe(flips.TWICE[:50], id="key", state=place / "p.state"),
                           lambda place: lw.dedupe(flips.TWICE[20:], id="key", state=place / "p.state"),
                           _state, _add_people),
    "dedupe --add": Case(lambda place: lw.dedupe(flips.TWICE[:50], id="key", state=place / "p.state"),
                         lambda place: lw.dedupe(place / "p.state", add=flips.TWICE[50:]), _state, _add_people),
    "dedupe --remove": Case(lambda place: lw.dedupe(flips.TWICE, id="key", state=place / "p.state"),
                            lambda place: lw.dedupe(place / "p.state", remove=["1", "2b"]), _state, _add_people),
    "model": Case(lambda place: flips.KINDS["model.json"].make(place / "m.json"),
                  lambda place: lw.match(flips.PEOPLE[:20], flips.OTHERS, id="key", labels=LABELS).model.save(
                      place / "m.json"),
                  lambda place: flips.KINDS["model.json"].ask(place / "m.json"),
                  lambda place: flips.KINDS["model.json"].make(place / "m.json")),
    "recogniser": Case(lambda place: lw.recognise(flips.PAIRS, folds=2, repeats=1).save(place / "r.json"),
                       lambda place: lw.recognise(flips.PAIRS[4:], folds=2, repeats=1).save(place / "r.json"),
                       lambda place: flips.KINDS["recogniser.json"].ask(place / "r.json"),
                       lambda place: lw.recognise(flips.PAIRS, folds=2, repeats=1).save(place / "r.json")),
    "link --update": Case(lambda place: _linked(place, "bones"), lambda place: _linked(place, "roots"), _kept_links,
                          lambda place: _linked(place, "fish")),
    "study": Case(lambda place: None, _study, _begun, _study),
    "match -o folder": Case(lambda place: _parts(place, "parts", TEXTS[12:24]),
                            lambda place: _parts(place, "parts", TEXTS[20:40]), _part_files,
                            lambda place: _parts(place, "parts", TEXTS[12:24])),
    "link -o folder": Case(lambda place: _copied(place, "Soup"), lambda place: _copied(place, "Broth"), _copy,
                           lambda place: _copied(place, "Stock")),
    **{f"match -o {name}": _written(name) for name in ("o.csv", "o.tsv", "o.jsonl", "o.parquet", "o.csv.gz", "o.xlsx")},
    **{f"link -o {name}": _link(name) for name in ("o.html", "o.jsonl", "o.parquet", "o.graphml")},
}  # fmt: skip


def kill_once(case: Case, place: Path, point: int, power: bool, seed: int, states: list[Any]) -> str:
    """Kill one child; return what is there then: ``"before"`` or ``"after"``, or what is wrong."""
    case.prepare(place)
    if child(case.act, place, point, power, seed) != -1:
        return "not killed"
    try:
        found = case.see(place)
    except Exception as error:
        return f"damaged: {type(error).__name__}: {error}"[:200]
    if found not in states:
        return "neither before nor after"
    return "before" if found == states[0] else "after"


def strays(case: Case, place: Path, whole: set[str]) -> list[str]:
    """Do the next thing; return the files that nobody knows."""
    case.then(place)
    return sorted(name for name in _names(place) if name.startswith(".") and name not in whole)


def _names(place: Path) -> set[str]:
    return {path.name for path in place.rglob("*")}


def judge(place: Path, chance: random.Random) -> str:
    """Kill a judge at a moment of the clock; every judgement that was acknowledged must be there."""
    items = [Item("21", "Early", n, f"a{n}", f"b{n}", "Soup.", "Broth.") for n in range(1, 200)]
    Study.create(place / "s.judge", items, SCHEMES["links"]).close()
    reader, writer = os.pipe()
    process = os.fork()
    if not process:
        study = Study(place / "s.judge")
        signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.002, 0.2))
        signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        for number in study.items():
            study.judge("ada", number, "correct")
            os.write(writer, b".")
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        acknowledged = len(told.read())
    os.waitpid(process, 0)
    study = Study(place / "s.judge")
    kept = len(study.verdicts("ada"))
    study.close()
    return "after" if acknowledged <= kept <= acknowledged + 1 else f"lost: {acknowledged} acknowledged, {kept} kept"


def service(place: Path, chance: random.Random) -> str:
    """Kill a service at a moment of the clock; what it acknowledged, files and jobs, must be there and be finished."""
    files: dict[str, bytes] = {}
    jobs: list[str] = []
    with served(place) as (address, pid):
        for number in range(chance.randint(1, 5)):
            files[f"f{number}.csv"] = data = TABLE.replace("river", f"river {number}").encode()
            asked(f"{address}/api/files/f{number}.csv", data, "PUT")
            jobs.append(asked(f"{address}/api/match", {"left": f"f{number}.csv", "options": {"on": ["name"]}})["id"])
        time.sleep(chance.uniform(0, 1.5))
        os.kill(pid, signal.SIGKILL)
    with served(place) as (address, _):
        for name, data in files.items():
            if (place / ".likewise" / "uploads" / name).read_bytes() != data:
                return f"lost: {name}"
        for job in jobs:
            while (state := asked(f"{address}/api/jobs/{job}"))["active"]:
                time.sleep(0.05)
            if state["state"] != "done":
                return f"lost: a job is {state['state']}: {state['message']}"
    return "after"


def asked(address: str, body: object = None, method: str | None = None) -> Any:
    """Ask the service something."""
    data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    kind = {} if isinstance(body, bytes) else {"content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(address, data, kind, method=method), timeout=60) as answer:
        return json.loads(answer.read() or b"null")


BY_CLOCK = {"judgements": judge, "service": service}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", nargs="*", default=[*CASES, *BY_CLOCK])
    parser.add_argument("--figures", type=Path)
    chosen = parser.parse_args()
    there = chosen.figures is not None and chosen.figures.exists()
    figures = {name: Counter(seen) for name, seen in json.loads(chosen.figures.read_text()).items()} if there else {}
    chance = random.Random(chosen.seed + sum(seen.total() for seen in figures.values()))
    for name in chosen.cases:
        share = -(-chosen.kills // len(chosen.cases))
        seen = run_case(CASES[name], share, chance) if name in CASES else by_clock(BY_CLOCK[name], share, chance)
        print(name, dict(seen), flush=True)
        figures[name] = figures.get(name, Counter()) + seen
        if chosen.figures is not None:
            chosen.figures.write_text(json.dumps(figures, indent=1))
    bad = [
        name for seen in figures.values() for name in seen if name.startswith(("damaged", "neither", "lost", "stray"))
    ]
    sys.exit(1 if bad else 0)


def by_clock(kill: Callable[[Path, random.Random], str], kills: int, chance: random.Random) -> Counter[str]:
    """Kill so many processes at a moment of the clock."""
    seen: Counter[str] = Counter()
    for _ in range(kills):
        with tempfile.TemporaryDirectory() as folder:
            seen[kill(Path(folder), chance)] += 1
    return seen


def run_case(case: Case, kills: int, chance: random.Random) -> Counter[str]:
    """Kill so many children of one case, half of them with the power."""
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "whole"
        place.mkdir()
        case.prepare(place)
        states = [case.see(place)]
        changes = child(case.act, place, 0, False, 0)
        states.append(case.see(place))
        case.then(place)
        whole = _names(place)
        for number in range(kills):
            place = Path(folder) / str(number)
            place.mkdir()
            power = case.power and number % 2 == 1
            outcome = kill_once(case, place, chance.randint(1, changes), power, chance.randrange(1 << 30), states)
            seen[f"{outcome}{' (power)' if power else ''}"] += 1
            if outcome in ("before", "after") and not power and (left := strays(case, place, whole)):
                seen["stray files"] += 1
                print("stray", left)
            shutil.rmtree(place)
    return seen


if __name__ == "__main__":
    main()
