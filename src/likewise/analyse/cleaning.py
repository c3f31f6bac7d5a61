"""Cleaning: what people do to texts before they compare them, as named steps, a file, or a function of their own.

``accents`` folds them; ``companies`` takes legal forms off (``GmbH & Co. KG``, ``Inc.``, ``S.A. de C.V.``); a file, or
a mapping, of abbreviations writes short forms out.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from likewise.analyse.folding import without_accents
from likewise.errors import FormatError, OptionError

Clean = Callable[[str], str]
STEPS = ("accents", "companies")  # those that have a name
_LONGEST_FORM = 5
_MARKS = re.compile(r"[\W_]+")
_WORD = re.compile(r"\w+(?:[.'’]\w+)*\.?")


def cleaner(steps: Any) -> Clean:
    """Return the function that does what ``steps`` say, one after the other.

    A step is ``"accents"``, ``"companies"``, a path of a file of abbreviations (a line each: the short form, a tab, the
    long one), a mapping from short to long forms, or a function of a text. Several: a list, or names by commas.

    >>> cleaner("accents, companies")("Müller & Söhne GmbH & Co. KG")
    'Muller & Sohne'
    >>> cleaner([{"st.": "street", "n": "north"}, str.upper])("12 N Main St.")
    '12 NORTH MAIN STREET'
    """
    made = [_step(step) for step in _listed(steps)]
    if not made:
        raise OptionError("clean names no step; name accents, companies, a file of abbreviations, or give a function")

    def clean(text: str) -> str:
        for step in made:
            text = step(text)
            if not isinstance(text, str):
                raise OptionError(f"clean must give a text, not {text!r}")
        return text

    return clean


def with_files_read(steps: Any) -> Any:
    """Return steps that other machines can do: what files of abbreviations say stands for the files.

    >>> with_files_read("accents, companies"), with_files_read({"st.": "street"}), with_files_read(None)
    (['accents', 'companies'], [{'st.': 'street'}], None)
    """
    if steps is None:
        return None
    return [read_abbreviations(step) if _is_file(step) else step for step in _listed(steps)]


def _is_file(step: Any) -> bool:
    return isinstance(step, str | os.PathLike) and step not in STEPS


def _listed(steps: Any) -> list[Any]:
    if isinstance(steps, str):
        return [part.strip() for part in steps.split(",") if part.strip()]
    if isinstance(steps, Sequence):
        return [one for step in steps for one in (_listed(step) if isinstance(step, str) else [step])]
    return [steps]


def _step(step: Any) -> Clean:
    if step == "accents":
        return _fold_accents
    if step == "companies":
        return without_legal_form
    if isinstance(step, Mapping):
        return _written_out(step)
    if _is_file(step):
        return _written_out(read_abbreviations(step))
    if callable(step):
        return step  # type: ignore[no-any-return]  # a function of a text
    raise OptionError(
        "clean must be accents, companies, a file or a mapping of abbreviations, or a function of a text, "
        f"not {type(step).__name__}"
    )


def _fold_accents(text: str) -> str:
    """Fold accents and leave the case of letters alone."""
    return text if text.isascii() else "".join(map(_plain_letter, unicodedata.normalize("NFC", text)))


@cache
def _plain_letter(letter: str) -> str:
    plain = without_accents([letter.lower()])[0]
    return plain.title() if letter.isupper() else plain


def without_legal_form(name: str) -> str:
    """Return the name of a company without its legal form; one that is nothing else stays.

    >>> [without_legal_form(name) for name in ("Apple Inc.", "Acme Sp. z o.o.", "Société X, S.A.R.L.", "The Limited")]
    ['Apple', 'Acme', 'Société X', 'The']
    >>> without_legal_form("株式会社トヨタ"), without_legal_form("GmbH")
    ('トヨタ', 'GmbH')
    """
    ends, joined = _legal_forms()
    name = name.strip()
    words = name.split()
    while True:
        for size in range(min(_LONGEST_FORM, len(words) - 1), 0, -1):
            if _MARKS.sub("", "".join(words[-size:])).casefold() in ends:
                del words[-size:]
                break
        else:
            break
        while len(words) > 1 and not _MARKS.sub("", words[-1]):  # what joined the two: & + ,
            del words[-1]
    kept = " ".join(words).rstrip(" ,;") if len(words) < len(name.split()) else name
    for form in joined:
        kept = kept.removeprefix(form).removesuffix(form).strip() or kept
    return kept


@cache
def _legal_forms() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the forms that stand at the end, without marks and case, and those that are written without a space."""
    lines = files("likewise.analyse").joinpath("legal-forms.txt").read_text(encoding="utf-8").splitlines()
    forms = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    unspaced = [form for form in forms if not form.isascii() and re.search(r"[\u3000-\u9fff]", form)]
    ends = {_MARKS.sub("", form).casefold() for form in forms if form not in unspaced}
    return frozenset(ends), tuple(sorted(unspaced, key=len, reverse=True))


def _written_out(abbreviations: Mapping[str, str]) -> Clean:
    """Return what replaces short forms, as whole words, with or without their dot, in any case."""
    known = {short.strip().rstrip(".").casefold(): long for short, long in abbreviations.items()}

    def long_form(found: re.Match[str]) -> str:
        return known.get(found[0].rstrip(".").casefold(), found[0])

    return lambda text: _WORD.sub(long_form, text)


def read_abbreviations(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read a file of abbreviations: a line each, the short form, a tab (or comma, semicolon, =), the long one.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "short.tsv"
    >>> _ = file.write_text("# streets\\nst.\\tstreet\\n", encoding="utf-8")
    >>> read_abbreviations(file)
    {'st.': 'street'}
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise OptionError(
            f"clean must be accents, companies or a file of abbreviations; {os.fspath(path)!r} cannot be read: "
            f"{error.strerror}"
        ) from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{os.fspath(path)} is not UTF-8: {error}") from error
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in re.split(r"\t|,|;|=", line, maxsplit=1)]
        if len(parts) != 2 or not all(parts):
            raise FormatError(f"{os.fspath(path)}, line {number}: a short form, a tab and the long form are wanted")
        found[parts[0]] = parts[1]
    return found
