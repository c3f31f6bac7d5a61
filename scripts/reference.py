"""Write docs/reference/ and src/likewise/__init__.pyi from what the code says. ``--check`` only compares.

python scripts/reference.py [--check]
"""

import dataclasses
import importlib
import pkgutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import likewise
import stubs
from docstrings import as_markdown

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "reference"
NOTE = "<!-- Written by scripts/reference.py; change the code and run it again. -->\n"


def main() -> int:
    texts = {"python.md": python(), "cli.md": command_line(), "http.md": http(), "options.md": options()}
    pages = {TARGET / name: text for name, text in texts.items()} | {stubs.TARGET: stubs.text()}
    if "--check" not in sys.argv[1:]:
        TARGET.mkdir(parents=True, exist_ok=True)
        for path, text in pages.items():
            path.write_text(text, encoding="utf-8")
        return 0
    old = [str(path.relative_to(ROOT)) for path, text in pages.items() if _read(path) != text]
    if old:
        print(f"not what the code says: {', '.join(old)}; run scripts/reference.py", file=sys.stderr)
    return 1 if old else 0


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def python() -> str:
    """The public names, in the order of their alphabet; mkdocstrings fills in the rest when the site is built."""
    lines = [NOTE, "# Python", "", "Everything below is importable from `likewise` itself.", ""]
    shown = "the site (`make docs`); in a checkout `help(likewise.match)` shows them."
    lines += [f"The lines with `:::` become signatures and docstrings in {shown}", ""]
    homes: dict[str, list[str]] = {}
    for name in likewise.__all__:
        value = getattr(likewise, name)
        homes.setdefault(f"{value.__module__}.{value.__qualname__}", []).append(name)
    for home, names in homes.items():
        words = " or ".join(f"`{name}`" for name in names)
        lines.append(f"- [{words}][{home}]: {_summary(getattr(likewise, names[0]))}")
    for home in homes:
        lines += ["", f"::: {home}"]
    return "\n".join(lines) + "\n"


def _summary(value: Any) -> str:
    return as_markdown((value.__doc__ or "").strip().split("\n")[0])


def command_line() -> str:
    """Every command as its --help has it."""
    import typer

    from likewise.cli import COMMANDS
    from likewise.cli.app import build

    functions = {}
    for name, place in COMMANDS.items():
        module, _, function = place.partition(":")
        functions[name] = getattr(importlib.import_module(module), function)
    lines = [NOTE, "# Command line", ""]
    lines += ["Data goes to stdout, messages to stderr; exit 0 done, 1 nothing found (look-ups), 2 error."]
    for name, command in _commands("likewise", typer.main.get_command(build(functions))):
        lines += ["", f"## {name}", "", *_help(command)]
    return "\n".join(lines) + "\n"


def _commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield name, command
        return
    for word, each in inner.items():
        yield from _commands(f"{name} {word}", each)


def _help(command: Any) -> list[str]:
    lines = [_plain(command.help or ""), "", "| | | default |", "|---|---|---|"]
    for parameter in command.params:
        argument = parameter.param_type_name == "argument"
        if parameter.name == "help":
            continue
        shown = parameter.name.upper() if argument else ", ".join([*parameter.opts, *parameter.secondary_opts])
        default = (
            "" if parameter.required or parameter.default in (None, (), [], "") else f"`{_default(parameter.default)}`"
        )
        lines.append(f"| `{_cell(shown)}` | {_cell(getattr(parameter, 'help', None) or '')} | {default} |")
    return lines


def _default(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else _cell(str(value))


def _plain(text: str) -> str:
    paragraphs = (" ".join(part.split()) for part in text.replace("\b", "").split("\n\n"))
    return "\n\n".join(f"    {part}" if part.startswith("likewise ") else part for part in paragraphs)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def http() -> str:
    """Every route, its parameters, body and answer, from the OpenAPI document of the service."""
    from likewise.serve.app import create_app

    with tempfile.TemporaryDirectory() as folder:
        document = create_app(folder).openapi()
    schemas = document["components"]["schemas"]
    lines = [NOTE, "# HTTP", "", "The service describes itself at `/openapi.json`; this page is made from that."]
    lines += [
        "",
        'Every refusal is JSON: `{"error": {"kind": …, "message": …}}`; [Serve](../guide/serve.md) lists them.',
    ]
    groups: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            groups.setdefault(operation["tags"][0], []).extend(_operation(method.upper(), path, operation, schemas))
    for group, text in groups.items():
        lines += ["", f"## {group}", *text]
    used = sorted(name for name in schemas if name != "ValidationError" and not name.startswith("HTTP"))
    lines += ["", "## Bodies and answers"]
    for name in used:
        schema = schemas[name]
        lines += ["", f"### {name}", "", " ".join(schema.get("description", "").split()), "", *_fields(schema)]
    return "\n".join(lines) + "\n"


def _operation(method: str, path: str, operation: dict[str, Any], schemas: dict[str, Any]) -> list[str]:
    lines = ["", f"### {method} {path}", "", " ".join(operation.get("description", "").split())]
    parameters = operation.get("parameters", [])
    if parameters:
        lines += ["", "| parameter | | type | default |", "|---|---|---|---|"]
    for one in parameters:
        default = one["schema"].get("default")
        shown = "" if default is None else f"`{default}`"
        lines.append(f"| `{one['name']}` | {_cell(one.get('description', ''))} | {_type(one['schema'])} | {shown} |")
    body = operation.get("requestBody", {}).get("content", {})
    for media, content in body.items():
        lines += ["", f"Body: {_type(content.get('schema', {}))} as `{media}`."]
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            kinds = [f"{_type(one.get('schema', {}))} as `{media}`" for media, one in answer.get("content", {}).items()]
            lines += ["", f"Answers {status}" + (f": {', '.join(kinds)}." if kinds else ".")]
    return lines


def _fields(schema: dict[str, Any]) -> list[str]:
    lines = ["| field | | type | default |", "|---|---|---|---|"]
    for name, field in schema.get("properties", {}).items():
        default = f"`{field['default']}`" if field.get("default") is not None else ""
        lines.append(f"| `{name}` | {_cell(field.get('description', ''))} | {_type(field)} | {_cell(default)} |")
    return lines


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(
        schema.get("type", ""), schema.get("type", "bytes")
    )


def options() -> str:
    """Every options dataclass: the only source of defaults and help for Python, command line and HTTP alike."""
    lines = [NOTE, "# Options", "", "One frozen dataclass per stage; flags and request fields are made from them."]
    for kind in sorted(_option_classes(), key=lambda kind: kind.__qualname__):
        lines += ["", f"## {kind.__name__}", "", f"`{kind.__module__}`: {_summary(kind)}", ""]
        lines += ["| option | | default |", "|---|---|---|"]
        for field in dataclasses.fields(kind):
            choices = field.metadata.get("choices")
            text = field.metadata.get("help", "") + (f" One of: {', '.join(map(str, choices))}." if choices else "")
            made = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
            lines.append(f"| `{field.name}` | {_cell(text)} | `{_cell(repr(made))}` |")
    return "\n".join(lines) + "\n"


def _option_classes() -> set[type]:
    found: set[type] = set()
    for module in pkgutil.walk_packages(likewise.__path__, "likewise."):
        if module.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__.startswith("likewise"):
                fields = dataclasses.fields(value)
                if fields and all("help" in field.metadata for field in fields):
                    found.add(value)
    return found


if __name__ == "__main__":
    sys.exit(main())
