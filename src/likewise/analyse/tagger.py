"""Part-of-speech tags (Penn): the tagger of the core, the door for another one, and the tokens it works on.

:class:`Tagger` is the protocol. :class:`PerceptronTagger` is ours: compiled, about two million tokens a second, trained
by ``scripts/train_tagger.py`` on UD English EWT (licence in NOTICE). :class:`SpacyTagger` puts a spaCy pipeline in its
place (extra ``spacy``), :func:`foreign_tagger` any object with the method of the protocol.
"""

import functools
import importlib
from collections.abc import Sequence
from importlib import resources
from typing import Any, Protocol

from likewise.errors import MissingExtraError, OptionError
from likewise.read.document import Span

TAGGERS = ("perceptron", "frequency", "spacy", "own", "none")


class Tagger(Protocol):
    """Anything that gives each word of a sentence its Penn tag."""

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the tags of every sentence, one for each word."""


def tokenise(sentence: str) -> list[Span]:
    """Split a sentence into Penn-style tokens: marks apart, clitics apart, hyphenated words and numbers whole.

    >>> text = "He didn't pay Dr. Smith's $1,000.50 (well-meant) bill."
    >>> [span.of(text) for span in tokenise(text)]
    ['He', 'did', "n't", 'pay', 'Dr.', 'Smith', "'s", '$', '1,000.50', '(', 'well-meant', ')', 'bill', '.']
    """
    from likewise._core import penn_spans

    return [Span(start, end) for start, end in penn_spans(sentence)]


@functools.cache
def model() -> Any:
    """Return the weights that ship with the package, read on first use and shared by all threads."""
    from likewise._core import TaggerModel

    return TaggerModel(resources.files("likewise.analyse").joinpath("tagger-en.bin").read_bytes())


class PerceptronTagger:
    """The tagger of the core.

    >>> PerceptronTagger().tag([["The", "Platte", "River", "flows", "into", "it", "."]])
    [['DT', 'NNP', 'NNP', 'VBZ', 'IN', 'PRP', '.']]
    """

    def __init__(self) -> None:
        from likewise._core import Tagger as Core

        self._core = Core(model())
        self._names = model().tags

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the tags of every sentence, one for each word."""
        return [[self._names[number] for number in self._core.tag(list(words))] for words in sentences]


class SpacyTagger:
    """A spaCy pipeline as tagger; ``name`` is an installed model such as ``en_core_web_sm``, or a folder with one."""

    def __init__(self, name: str = "en_core_web_sm") -> None:
        try:
            import spacy
        except ImportError as error:
            raise MissingExtraError("spaCy", "spacy") from error
        try:
            self._pipeline = spacy.load(name, exclude=["parser", "ner", "lemmatizer"])
        except OSError as error:
            raise OptionError(f"tagger: spaCy has no model {name!r} installed") from error
        if "tagger" not in self._pipeline.pipe_names:
            raise OptionError(f"tagger: the spaCy model {name!r} has no component 'tagger', which gives Penn tags")

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the tags of every sentence, one for each word."""
        from spacy.tokens import Doc

        made = (Doc(self._pipeline.vocab, words=list(words)) for words in sentences)
        return [[token.tag_ for token in doc] for doc in self._pipeline.pipe(made)]


def foreign_tagger(kind: str, source: str | None) -> Tagger:
    """Return the tagger that is not ours: ``spacy`` with a model, or ``own``, a class named as ``module:name``.

    >>> type(foreign_tagger("own", "likewise.analyse.tagger:PerceptronTagger")).__name__
    'PerceptronTagger'
    """
    if kind == "spacy":
        return SpacyTagger(source or "en_core_web_sm")
    module, _, name = (source or "").partition(":")
    try:
        made: Tagger = getattr(importlib.import_module(module), name)()
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise OptionError(f"tagger_from must be the module:name of a tagger, not {source!r}: {error}") from error
    return made


def tag_numbers(tagger: Tagger, sentences: Sequence[Sequence[str]]) -> bytes:
    """Return the tags of all sentences as the core's numbers, a byte a token; a tag it lacks counts as foreign word."""
    number = {name: n for n, name in enumerate(model().tags)}
    other = number["FW"]
    found = tagger.tag(sentences)
    if [len(tags) for tags in found] != [len(words) for words in sentences]:
        raise OptionError(f"tagger: {type(tagger).__name__} gave another number of tags than there are words")
    return bytes(number.get(tag, other) for tags in found for tag in tags)
