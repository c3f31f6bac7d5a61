"""The types of the public names, options spelled out: src/likewise/__init__.pyi, which scripts/reference.py writes.

Type checkers and editors cannot see what ``@verb`` makes of the options dataclasses, so it is written down for them.
"""

import ast
import importlib
import inspect
import subprocess
import sys
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import likewise
from likewise.measure.text import TextMeasure
from likewise.options import Field, fields_of

TARGET = Path(likewise.__file__).with_name("__init__.pyi")
HEAD = '"""Written by scripts/reference.py from the options dataclasses; change those and run it again."""\n'


class Stub:
    """The file in the making: what it imports, what it defines."""

    def __init__(self) -> None:
        self.imports: dict[str, set[str]] = {}
        self.bodies: list[str] = []

    def text(self) -> str:
        lines = [HEAD]
        plain = sorted(module for module, names in self.imports.items() if not names)
        lines += [f"import {module}" for module in plain]
        for module, names in sorted(self.imports.items()):
            lines += [f"from {module} import {name}" for name in sorted(names)]
        lines += ["", f"__version__: str\n__all__ = [{', '.join(repr(name) for name in likewise.__all__)}]\n"]
        return "\n".join(lines + self.bodies)

    def use(self, module: str, name: str) -> str:
        self.imports.setdefault(module, set()).add(name)
        return name.split(" as ")[-1]

    def add(self, name: str) -> None:
        module, _, inner = likewise._HOME[name].partition(":")
        value = getattr(likewise, name)
        if inspect.isfunction(value) and (hasattr(value, "groups") or inner):
            self.bodies.append(self.function(name, value))
        elif inspect.isclass(value) and (changed := self.changed(value)):
            self.use(module, f"{name} as _{name}")
            self.bodies.append(f"class {name}(_{name}):\n" + "\n".join(changed))
        else:
            self.use(module, f"{name} as {name}")

    def changed(self, kind: type) -> list[str]:
        """Return the methods of a class whose arguments come from options."""
        made = []
        if issubclass(kind, TextMeasure) and not inspect.isabstract(kind):
            values = ", ".join(self.parameter(field) for field in fields_of(kind.Options))
            made.append(f"    def __init__(self, *, {values}) -> None: ...")
        for name, method in vars(kind).items():
            if isinstance(method, classmethod) and hasattr(method.__func__, "groups"):
                made.append("    @classmethod\n    " + self.function(name, method.__func__, first="cls"))
            elif hasattr(method, "groups"):
                made.append("    " + self.function(name, method, first="self"))
        return made

    def function(self, name: str, function: Callable[..., Any], first: str = "") -> str:
        inner = inspect.unwrap(function)
        names = namespace(inner)
        hints = typing.get_type_hints(inner, names, include_extras=True)
        options = {field.name: field for kind in getattr(function, "groups", {}).values() for field in fields_of(kind)}
        parts: list[str] = []
        starred = False
        for place, one in enumerate(inspect.signature(function).parameters.values()):
            if place == 0 and first:
                parts.append(first)
                continue
            if one.kind is one.KEYWORD_ONLY and not starred:
                parts.append("*")
                starred = True
            if one.name in options:
                parts.append(self.parameter(options[one.name]))
                continue
            hint = hints.get(one.name, Any)
            if one.name in getattr(function, "groups", {}):
                hint = hint | None
            if one.name == "progress":
                hint = hint | bool
            default = "" if one.default is one.empty else f" = {shown(one.default)}"
            parts.append(f"{one.name}: {self.type(hint)}{default}")
        returned = self.type(hints.get("return", Any))
        summary = inspect.cleandoc(inner.__doc__ or "").split("\n\n")[0].replace("\n", " ")
        return f"def {name}({', '.join(parts)}) -> {returned}:\n    {'    ' if first else ''}{summary!r}"

    def parameter(self, field: Field) -> str:
        return f"{field.name}: {self.type(self.chosen(field))} = {shown(field.default)}"

    def chosen(self, field: Field) -> Any:
        """Return the type of an option, its words as a Literal."""
        if not field.choices:
            return field.type
        words = typing.Literal[field.choices]  # type: ignore[valid-type]
        inside = typing.get_args(field.type)
        if field.type is str:
            return words
        if type(None) in inside:
            return words | None
        return typing.Sequence[words] if typing.get_origin(field.type) is tuple else field.type  # type: ignore[valid-type]

    def type(self, hint: Any) -> str:
        """Return a type as it is written, and import what it needs."""
        if hint is None or hint is type(None):
            return "None"
        if hint is Any:
            return self.use("typing", "Any")
        if hint is Ellipsis:
            return "..."
        if isinstance(hint, typing.TypeVar):
            return self.use("typing", "Any")
        origin, inside = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType):
            written = [self.type(one) for one in inside]
            return " | ".join([one for one in dict.fromkeys(written) if one != "None"] + ["None"] * ("None" in written))
        if origin is typing.Literal:
            return f"{self.use('typing', 'Literal')}[{', '.join(map(repr, inside))}]"
        if isinstance(inside, tuple) and inside and origin is not None:
            if origin is Callable:
                arguments = "..." if inside[0] is ... else f"[{', '.join(map(self.type, inside[0]))}]"
                return f"{self.use('collections.abc', 'Callable')}[{arguments}, {self.type(inside[1])}]"
            return f"{self.named(origin)}[{', '.join(map(self.type, inside))}]"
        return self.named(hint)

    def named(self, kind: Any) -> str:
        if kind.__module__ == "builtins":
            return str(kind.__name__)
        if kind.__module__.startswith("pyarrow"):
            return f"{self.use('pyarrow as pa', '') or 'pa'}.{kind.__name__}"
        if kind.__name__ in likewise.__all__:
            return str(kind.__name__)
        module = {"os": "os"}.get(kind.__module__, kind.__module__)
        return self.use(module, kind.__name__)


def namespace(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the names that a function's annotations may use, those of its module's TYPE_CHECKING block included."""
    module = sys.modules[function.__module__]
    names = dict(vars(module))
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            for line in node.body:
                if isinstance(line, ast.ImportFrom):
                    home = importlib.import_module(str(line.module))
                    names.update({one.asname or one.name: getattr(home, one.name) for one in line.names})
                elif isinstance(line, ast.Import):
                    names.update({one.asname or one.name: importlib.import_module(one.name) for one in line.names})
    return names


def shown(value: Any) -> str:
    return repr(value) if isinstance(value, str | int | float | bool | tuple | None) else "..."


def formatted(text: str) -> str:
    ruff = Path(sys.executable).with_name("ruff")
    for arguments in (["check", "--select=I", "--fix", "-q"], ["format", "-q"]):
        done = subprocess.run(
            [ruff, *arguments, f"--stdin-filename={TARGET}", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        text = done.stdout
    return text


def text() -> str:
    """Return the whole file."""
    stub = Stub()
    for name in likewise.__all__:
        stub.add(name)
    return formatted(stub.text())
