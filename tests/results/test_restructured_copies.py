"""Targets and lines in reStructuredText: they part no list, stand in no code, and quote nothing."""

from likewise.read import Document, ReadOptions
from likewise.read.rst import read_rst
from likewise.results.copies.pointers import Additions, Pointer
from likewise.results.copies.restructured import copy
from likewise.segment import passages

SOURCE = """Soup
====

**Clear** soup is good for all who are ill or weak, and it is made so::

   Boil it.

Boil it.

.. figure:: pot.png

   A pot.

:Author: a cook

(a) Bones in it.

one
  A bone.
two
  A root.

- Strained soup keeps for a week in a cold place if you do it like so::

      strain()

  Strain it.
"""
COPY = """.. _see-00000000:

Soup
====

.. _see-00000001:

**Clear** soup is good for all who are ill or weak, and it is made so::

   Boil it.

*See also:* :ref:`There <see-00000001>`

.. _see-00000003:

.. _see-00000005:

.. _see-00000006:

.. _see-00000007:

.. _see-00000008:

.. _see-0000000a:

Boil it.

*See also:* :ref:`There <see-00000003>`

.. figure:: pot.png

   A pot.

:Author: a cook

   *See also:* :ref:`There <see-00000005>`

(a) Bones in it.

    *See also:* :ref:`There <see-00000006>`

one
  A bone.
two
  A root.

  *See also:* :ref:`There <see-00000007>`

- Strained soup keeps for a week in a cold place if you do it like so::

      strain()

  *See also:* :ref:`There <see-00000008>`

  Strain it.

  *See also:* :ref:`There <see-0000000a>`
"""


def test_nothing_is_parted_or_put_into_code(tmp_path):
    (tmp_path / "a.rst").write_text(SOURCE, encoding="utf-8")
    page = read_rst(SOURCE, ReadOptions())
    document = Document("a.rst", page.text, str(tmp_path / "a.rst"), blocks=page.blocks)
    found = tuple(passages(document, "en"))
    text = [place for place, one in enumerate(found) if one.role in ("body", "heading")]
    names = {place: f"see-{place:08x}" for place in text}
    pointers = {place: (Pointer("There", "", name),) for place, name in names.items() if found[place].kind != "title"}
    assert copy(document, found, Additions(names, pointers)) == COPY
    assert [one.kind for one in found][-3:] == ["item", "code", "quote"]
