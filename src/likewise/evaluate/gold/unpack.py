"""A gold set as plain files, for the commands: tables of texts, gold pairs, queries and qrels."""

import csv
import json
import os
from pathlib import Path

from likewise.errors import InputError
from likewise.evaluate.gold import collections, trec
from likewise.evaluate.gold.sets import GoldSet
from likewise.storage import atomic_write


def find(data: str | os.PathLike[str], name: str) -> tuple[str, GoldSet]:
    """Return the task (er or ir) and the gold set of a name, as the spectra paper calls it or as its file does."""
    if name in collections.IR_NAMES:
        found, task = collections.ir_set(Path(data), name), "ir"
    else:
        found, task = collections.er_set(Path(data), name), "er"
    if found is None:
        known = ", ".join((*collections.ER_FILES, *collections.IR_NAMES))
        raise InputError(f"{os.fspath(data)} holds no data set {name!r}; known names: {known}, or a SecondString file")
    return task, found


def unpack(gold: GoldSet, task: str, folder: str | os.PathLike[str]) -> list[Path]:
    """Write a gold set as plain files and return their names.

    Retrieval: ``documents.jsonl``, ``queries.tsv``, ``qrels.txt``. Entity resolution: ``left.csv``, ``right.csv``,
    ``gold.csv``.
    """
    target = Path(folder)
    if task == "ir":
        files = [target / name for name in ("documents.jsonl", "queries.tsv", "qrels.txt")]
        with atomic_write(files[0], "w", encoding="utf-8") as file:
            for key, text in zip(gold.right_ids, gold.rights, strict=True):
                file.write(json.dumps({"id": key, "text": text}, ensure_ascii=False) + "\n")
        with atomic_write(files[1], "w", encoding="utf-8") as file:
            file.writelines(
                f"{key}\t{' '.join(text.split())}\n" for key, text in zip(gold.left_ids, gold.lefts, strict=True)
            )
        trec.write_qrels(files[2], gold.qrels())
        return files
    files = [target / name for name in ("left.csv", "right.csv", "gold.csv")]
    for path, ids, texts in zip(files, (gold.left_ids, gold.right_ids), (gold.lefts, gold.rights), strict=False):
        with atomic_write(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("id", "text"), *zip(ids, texts, strict=True)])
    with atomic_write(files[2], "w", encoding="utf-8", newline="") as file:
        pairs = [(gold.left_ids[left], gold.right_ids[right]) for left, right in gold.gold.tolist()]
        csv.writer(file, lineterminator="\n").writerows([("left", "right"), *pairs])
    return files
