"""Links as a GraphML file: passages are nodes, links are edges."""

import os
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from likewise.storage import atomic_write

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook

_NODE_KEYS = (("document", "string"), ("titles", "string"), ("text", "string"))
_EDGE_KEYS = (
    ("score", "double"),
    ("rank", "int"),
    ("strongest", "boolean"),
    ("copy", "boolean"),
    ("neighbours", "boolean"),
)
# XML has no way to write these at all.
_FORBIDDEN = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 65534, 65535])


def write_graphml(links: "LinkedBook", path: str | os.PathLike[str]) -> None:
    """Write the linked passages and their links; passages without a link are left out."""
    used = sorted({number for link in links.links for number in (link.left, link.right)})
    with atomic_write(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        file.write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        for kind, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
            for name, value in keys:
                file.write(f'<key id="{name}" for="{kind}" attr.name="{name}" attr.type="{value}"/>\n')
        file.write('<graph id="links" edgedefault="undirected">\n')
        for number in used:
            unit = links.unit(number)
            values = {
                "document": links.book.documents[unit.document].id,
                "titles": " › ".join(unit.titles),
                "text": links.text(number),
            }
            file.write(f"<node id={_attribute(unit.id)}>{_data(values)}</node>\n")
        for link in links.links:
            values = {name: _value(getattr(link, name)) for name, _ in _EDGE_KEYS}
            ends = f"source={_attribute(links.unit(link.left).id)} target={_attribute(links.unit(link.right).id)}"
            file.write(f"<edge {ends}>{_data(values)}</edge>\n")
        file.write("</graph>\n</graphml>\n")


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _attribute(text: str) -> str:
    return quoteattr(text.translate(_FORBIDDEN))


def _data(values: dict[str, str]) -> str:
    return "".join(f'<data key="{key}">{escape(text.translate(_FORBIDDEN))}</data>' for key, text in values.items())
