"""First stage: documents become checked sentences of numbered words (Arrow), a pure function on batches.

Schema of ``sentences/*.arrow`` (an Arrow stream; each batch has its own dictionary of words):

==========  ==============================  ==========================================================
document    string                          id of the document
tokens      list<dictionary<int32, string>>  Penn-style tokens as found in the text
tags        list<uint8>                     Penn tags by number, if the anchors need them (else absent)
==========  ==============================  ==========================================================
"""

import itertools
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from likewise import _core
from likewise.analyse.tagger import foreign_tagger, model, tag_numbers
from likewise.jobs.mine.closed_class import closed_class, keep_sentences, sentences_of_words
from likewise.jobs.mine.options import MineOptions
from likewise.read import Document
from likewise.read.document import PROSE
from likewise.segment import blocks, sentences

# Text that is analysed in one go: large enough for the vocabulary to pay, small enough to bound the memory.
BATCH_CHARACTERS = 4 << 20
# A paragraph beyond this is cut at a blank: real ones are far shorter, and one sentence must not hold the memory.
_LONGEST_PARAGRAPH = 1 << 17
# Where the rows of a table begin.
_ROW = re.compile(r"\n(?!\s)")

FATES = ("kept", "fewer words", "more words", "no verb", "no lower case", "long word", "numbers")
_local = threading.local()


def split(document: Document, tables: bool = False) -> Iterator[str]:
    """Yield the sentences of a document; titles too, which the checks sort out; with ``tables`` their rows as well."""
    # Half surrogates (broken JSON) cannot be encoded; one for one, so that the spans of blocks stay right.
    text = document.text if document.text.isascii() else document.text.encode("utf-8", "replace").decode()
    if document.layout == "lines":
        parts: Iterable[str] = text.split("\n")
    else:
        parts = _parts(document, text, tables)
    for part in parts:
        part = part if part.isascii() else unicodedata.normalize("NFC", part)  # é is one letter, however it is stored
        while len(part) > _LONGEST_PARAGRAPH:
            cut = part.rfind(" ", 0, _LONGEST_PARAGRAPH) + 1 or _LONGEST_PARAGRAPH
            yield from (span.of(part) for span in sentences(part[:cut]))
            part = part[cut:]
        yield from (span.of(part) for span in sentences(part))


def _parts(document: Document, text: str, tables: bool) -> Iterator[str]:
    for block in blocks(document):
        if block.kind in (*PROSE, "title"):
            yield block.span.of(text)
        elif block.kind == "table" and tables:
            # A line that is set in goes on with the row before.
            yield from (" ".join(row.replace("|", " ").split()) for row in _ROW.split(block.span.of(text)))


def batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Group documents so that each group has about :data:`BATCH_CHARACTERS` of text."""
    group: list[Document] = []
    size = 0
    for document in documents:
        group.append(document)
        size += len(document.text)
        if size >= BATCH_CHARACTERS:
            yield group
            group, size = [], 0
    if group:
        yield group


def analyse(documents: list[Document], options: MineOptions) -> tuple[pa.RecordBatch, Counter[str]]:
    """Return the sentences of ``documents`` that pass the checks, and what became of the others.

    >>> text = "The treaty came into force in the spring. Nothing more."
    >>> batch, counts = analyse([Document("a", text)], MineOptions())
    >>> [" ".join(row) for row in batch.column("tokens").to_pylist()]
    ['The treaty came into force in the spring .']
    >>> counts["sentences"], counts["kept"], counts["fewer words"]
    (2, 1, 1)
    """
    texts: list[bytes] = []
    owners: list[int] = []
    for number, document in enumerate(documents):
        found = [sentence.encode("utf-8", "replace") for sentence in split(document)]
        texts += found
        owners += [number] * len(found)
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in texts], out=offsets[1:])
    kept = _analyser().run(
        b"".join(texts),
        offsets,
        np.array(owners, np.int32),
        options.min_words,
        options.max_words,
        tagged=options.tagged,
        keep_tags=options.anchors != "ngram",
        english=not options.any_language and options.tagged,
        tags=_foreign_tags(texts, options),
    )
    if options.tagger == "frequency":
        kept = _by_frequency(kept)
    counts: Counter[str] = Counter(dict(zip(FATES, kept["fates"].tolist(), strict=True)))
    counts["documents"] = len(documents)
    counts["sentences"] = len(texts)
    counts["tokens"] = kept["tokens"]
    counts["tokens kept"] = len(kept["ids"])
    counts["not English"] = kept["foreign_documents"]
    counts["in documents not English"] = kept["foreign_sentences"]
    return _to_arrow(kept, [document.id for document in documents], np.array(owners, np.int32)), counts


def _by_frequency(kept: dict[str, Any]) -> dict[str, Any]:
    """Drop the sentences with too few words of closed classes, which count as without a verb."""
    letters, ends = bytes(kept["vocabulary"]), kept["word_offsets"].tolist()
    vocabulary = [letters[start:end].decode() for start, end in itertools.pairwise(ends)]
    closed = closed_class(vocabulary, np.bincount(kept["ids"], minlength=len(vocabulary)))
    enough = sentences_of_words(closed, kept["ids"], kept["sentence_offsets"])
    fates = kept["fates"].copy()
    fates[FATES.index("kept")] -= np.count_nonzero(~enough)
    fates[FATES.index("no verb")] += np.count_nonzero(~enough)
    return {**keep_sentences(kept, enough), "fates": fates}


def _analyser() -> _core.MineAnalyser:
    """One for each thread: it remembers the words it has seen."""
    if not hasattr(_local, "analyser"):
        _local.analyser = _core.MineAnalyser(model())
    analyser: _core.MineAnalyser = _local.analyser
    return analyser


def _foreign_tags(texts: list[bytes], options: MineOptions) -> np.ndarray[Any, np.dtype[np.uint8]]:
    if options.tagger not in ("spacy", "own"):
        return np.empty(0, np.uint8)
    wanted = (options.tagger, options.tagger_from)
    if getattr(_local, "foreign", None) != wanted:
        _local.tagger, _local.foreign = foreign_tagger(*wanted), wanted
    sentences = [text.decode() for text in texts]
    words = [[text[start:end] for start, end in _core.penn_spans(text)] for text in sentences]
    return np.frombuffer(tag_numbers(_local.tagger, words), np.uint8)


def _to_arrow(kept: dict[str, Any], ids: list[str], owners: np.ndarray[Any, Any]) -> pa.RecordBatch:
    words = pa.StringArray.from_buffers(
        len(kept["word_offsets"]) - 1, pa.py_buffer(kept["word_offsets"]), pa.py_buffer(kept["vocabulary"])
    )
    tokens = pa.DictionaryArray.from_arrays(pa.array(kept["ids"]), words)
    offsets = pa.array(kept["sentence_offsets"])
    columns = {
        "document": pa.array(ids, pa.string()).take(pa.array(owners[kept["sentences"]])),
        "tokens": pa.ListArray.from_arrays(offsets, tokens),
    }
    if len(kept["tags"]) or not len(kept["ids"]):
        columns["tags"] = pa.ListArray.from_arrays(offsets, pa.array(kept["tags"], pa.uint8()))
    return pa.RecordBatch.from_pydict(columns)


def to_core(batch: pa.RecordBatch, fold_case: bool) -> _core.MineBatch:
    """Return the view of a batch that the kernels take; with ``fold_case`` its words are folded, once each."""
    tokens = batch.column("tokens")
    words = tokens.values.dictionary
    if fold_case:
        words = pa.array([word.casefold() for word in words.to_pylist()], pa.string())
    _, word_offsets, letters = words.buffers()
    size = len(words) + 1
    tags = batch.column("tags").values.to_numpy() if "tags" in batch.schema.names else np.empty(0, np.uint8)
    return _core.MineBatch(
        np.frombuffer(letters, np.uint8) if letters is not None and letters.size else np.empty(0, np.uint8),
        np.frombuffer(word_offsets, np.int32)[:size] if len(words) else np.zeros(1, np.int32),
        tokens.values.indices.to_numpy(),
        tags,
        tokens.offsets.to_numpy(),
    )
