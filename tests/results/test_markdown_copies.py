"""Anchors and lines in Markdown: whatever a passage stands in, a renderer sees the same document but for them."""

import re

import pytest

from likewise.read import Document
from likewise.read.markdown import _parser, _without_tools, read_markdown
from likewise.results.copies.markdown import in_source
from likewise.results.copies.pointers import Additions, Pointer
from likewise.segment import passages

SOURCES = {
    "definition list": "# Glossary\n\nbrine\n: Water with salt.\n\nroux\n"
    "~   Flour in butter.\n\n    Stirred for long.\n",
    "title with a rule": "Soups\n=====\n\nClear soup.\n\nStocks\n------\nOf bones.\n",
    "title without an empty line": "## Soups\nClear soup.\n## Stocks\n- Of bones.\n",
    "nested": "> - Clear soup\n>   of bones.\n> - # Stock\n>\n> Bread.\n\n- > Quoted soup.\n1. - Twice inside.\n",
    "items": "- [ ] To boil.\n- [x] To serve.\n-\tBehind a tab.\n10) Ten.\n\n"
    "    Its second paragraph.\n\n*   Far in.\n",
    "notes": "Soup.[^long-name]\n\n[^long-name]: A note on soup.\n",
    "admonition": "Bread.\n\n!!! note\n    Soup is hot.\n\nStock.\n",
    "table": "Soups:\n| soup | hot |\n|------|-----|\n| yes  | no  |\nBread.\n\n"
    "- | a | b |\n  |---|---|\n  | c | d |\n",
    "code": "Soup:\n```\nboil()\n```\nBread:\n\n    bake()\n\n- Stock:\n\n"
    "      boil()\n\n  ~~~\n  strain()\n  ~~~\n  Done.\n",
    "open code": "- Soup\n\n  ```\n  boil()\n\n```\nbake()\n",
    "HTML": "<p>Clear soup.</p>\n\n<table>\n<tr><td>Soup</td></tr>\n\n</table>\n"
    "Bread.\n\n<div>\n<p>One.</p>\n<p>Two.</p>\n</div>\n",
    "HTML in lines": "<b>Clear</b> soup.\n\n- <code>boil</code> it.\n- <div>Stock.</div>\n\n"
    "> <https://example.org> soup.\n",
    "trailing blanks": "- Clear soup.  \n\n\nStock. \t\n",
    "attributes": "Clear soup.\n{: .hot}\n\n> Stock.\n{: .warning}\n\n- Bread.\n{: .list}\n\nEnd.\n",
    "formula": "$$\na = b\n$$\nSoup.\n",
    "front matter": "---\ntitle: Soups\n---\nClear soup.\n",
}


def put(source):
    """The source with an anchor and a line for every passage, as an earlier run would have numbered them."""
    page = read_markdown(source)
    found = tuple(passages(Document("a", page.text, blocks=page.blocks), "en"))
    own = [passage.span.of(page.text).startswith("See also: ") for passage in found]
    real = [place for place, is_own in enumerate(own) if not is_own]
    names = {place: f"see-{number:08x}" for number, place in enumerate(real)}
    pointers = {place: (Pointer("There", "b.md", name),) for place, name in names.items()}
    return in_source(source, found, Additions(names, pointers)), in_source(source, found, Additions())


def rendered(source):
    page = re.sub(r'<a id="see-[0-9a-f]{8}"></a>|<!-- -->', "", _parser().render(_without_tools(source)))
    one = r'<a href="b.md#see-[0-9a-f]{8}">There</a>'
    page = re.sub(rf"<p>(?:\s*<em>See also:</em> {one}(?:; {one})*)?\s*</p>", "", page)
    # A list with lines between its items is set with paragraphs.
    return re.sub(r"\s+|</?p>", "", page)


@pytest.mark.parametrize("kind", SOURCES)
def test_the_document_stays_what_it_is(kind):
    source = SOURCES[kind]
    copy, _ = put(source)
    assert "*See also:*" in copy
    assert '<a id="see-00000000"></a>' in copy
    assert rendered(copy) == rendered(source)
    again, clean = put(copy)
    assert again == copy
    assert clean == source


def test_a_definition_still_begins_with_its_colon():
    copy, _ = put(SOURCES["definition list"])
    assert '\n: <a id="see-00000001"></a>Water with salt.\n\n  *See also:* [There]' in copy
