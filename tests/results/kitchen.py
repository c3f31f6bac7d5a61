"""A small book of recipes, and what is asked of its copies."""

import re

from likewise.jobs.link import link

LOOSE = {"min_strength": -9.0, "min_matches": 1}
SOUP = """---
title: Soups
---
# Clear soup

Clear *soup* is boiled from bones and vegetables for many hours.

1. Boil the bones and vegetables for many hours in clear water.
2. Strain the soup.
3. Season with salt.

> Bread of dough rises in a warm place over night.

Last line.
"""
STOCK = "# Stock\n\nFor stock, bones and vegetables are boiled for many hours, like a clear soup.\n"
BREAD = "# Bread\n\n- Dough of bread rises in a warm place over night.\n- Bake it.\n"


def written(folder, pages):
    """A folder with some pages."""
    folder.mkdir()
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def added(text):
    """The text without what was added."""
    text = re.sub(r'<a id="see-[0-9a-f]{8}(-\d+)?"></a>', "", text)
    return re.sub(r"\n[ >]*\n[ >]*\*See also:\* [^\n]*", "", text)


def indexed(source, target, **options):
    link(source, index_terms=8, language="english", **{**LOOSE, **options}).to_folder(target)
    return {str(path.relative_to(target)): path.read_bytes() for path in sorted(target.rglob("*")) if path.is_file()}
