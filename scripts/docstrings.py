"""How docstrings become pages: mkdocstrings loads this as a griffe extension when the documentation is built.

Docstrings are written to be read in an editor: examples as doctests, roles such as ``:class:`Hits```. On a page an
example is a block of code and a role is the name alone. Signatures are taken from the running package, since those of
the verbs are made from their option classes.
"""

import importlib
import inspect
import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:mod|class|func|meth|data|attr|exc):`~?([^`]+)`")
_EXAMPLE = re.compile(r"^ *>>> ")


def as_markdown(text: str) -> str:
    """Return a docstring as Markdown: roles are names in code, examples are fenced.

    >>> print(as_markdown("See :class:`likewise.Index`.\\n\\n>>> 1 + 1\\n2\\n\\nMore."))
    See `likewise.Index`.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    More.
    """
    lines: list[str] = []
    inside = False
    for line in _ROLE.sub(r"`\1`", text).split("\n"):
        if _EXAMPLE.match(line) and not inside:
            lines += ["", "```pycon"] if lines and lines[-1].strip() else ["```pycon"]
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)


class Pages(griffe.Extension):
    """Rewrites every docstring, and every signature that is known only when the package runs."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change what was read of one object."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
        if isinstance(obj, griffe.Function) and any(one.kind is _GATHERED for one in obj.parameters):
            signature = _running(obj.path)
            if signature is not None:
                obj.parameters = griffe.Parameters(*map(_parameter, signature.parameters.values()))


# Parameters given by ``**`` stand for the fields of an option class.
_GATHERED = griffe.ParameterKind.var_keyword
_KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: griffe.ParameterKind.positional_only,
    inspect.Parameter.POSITIONAL_OR_KEYWORD: griffe.ParameterKind.positional_or_keyword,
    inspect.Parameter.VAR_POSITIONAL: griffe.ParameterKind.var_positional,
    inspect.Parameter.KEYWORD_ONLY: griffe.ParameterKind.keyword_only,
    inspect.Parameter.VAR_KEYWORD: griffe.ParameterKind.var_keyword,
}


def _running(path: str) -> inspect.Signature | None:
    names = path.split(".")
    for length in range(len(names) - 1, 0, -1):
        try:
            value: Any = importlib.import_module(".".join(names[:length]))
            for name in names[length:]:
                value = getattr(value, name)
            return inspect.signature(value)
        except (ImportError, AttributeError, ValueError):
            continue
    return None


def _parameter(one: inspect.Parameter) -> griffe.Parameter:
    annotation = None if one.annotation is one.empty else _words(one.annotation)
    default = None if one.default is one.empty else repr(one.default)
    return griffe.Parameter(one.name, annotation=annotation, kind=_KINDS[one.kind], default=default)


def _words(annotation: Any) -> str:
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", str(annotation))
