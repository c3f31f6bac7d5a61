"""The HTML book in a real browser: links lead where they say, marks sit on the right words, nothing runs or leaves."""

import re
from pathlib import Path

import pytest

from likewise.errors import FormatError, StorageError
from likewise.jobs.link import link
from likewise.read import Document
from likewise.results.link_decisions import decided, read_decisions

HOSTILE = (
    "Hot <script>window.pwned = 1</script> soup &amp; <img src=x onerror='window.pwned = 2'> stock are boiled from "
    "bones and vegetables; see <a href='javascript:window.pwned=3'>here</a> </p></section></main> and --> or ]]> too."
)
TEXTS = {
    "soup.md": "Clear soup 😀 is boiled from bones and vegetables for many hours. Bones give it body.\n\n" + HOSTILE,
    "stock.md": "For stock, bones and vegetables are boiled for many hours, like a clear soup 😀 of bones.\n\n"
    "Knives are sharpened on a wet stone.\n\nSharpen knives on a stone that is wet, and strop them.\n\n"
    "    code(block) = 1;\n\nBread dough rises in a warm place until it has doubled.",
    "bread.md": "Dough of bread rises in a warm place, and it has doubled when it is ready.\n\n"
    "A sharp knife cuts bread; sharpen knives on a wet stone.\n\nClear soup with bread is eaten hot.",
}


@pytest.fixture(scope="module")
def links():
    return link([Document(name, text) for name, text in TEXTS.items()], preset="21", n=8, min_terms=3)


@pytest.fixture(scope="module")
def book(links, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("book") / "book.html"
    links.to_html(path, "Soups & <b>breads</b>")
    return path


@pytest.fixture
def page(browser, book):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(0)  # the time limit of all tests is enough
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda request: complaints.append(request.url) if request.url != book.as_uri() else None)
    page.goto(book.as_uri())
    yield page
    context.close()
    assert not complaints, complaints


def test_a_book_is_called_as_its_front_page(tmp_path):
    (tmp_path / "a.html").write_text("<title>A</title><p>Soup is boiled.")
    (tmp_path / "index.en.html").write_text("<title>The Soup Book</title><p>All soups.")
    link(tmp_path).to_html(tmp_path / "book.out.html")
    assert "<title>The Soup Book</title>" in (tmp_path / "book.out.html").read_text()


def test_links_lead_where_they_say(page, links):
    anchors = page.locator(".links a")
    assert anchors.count() == 2 * len(links)
    for i in range(anchors.count()):
        anchor = anchors.nth(i)
        target = page.locator(anchor.get_attribute("href"))
        assert target.count() == 1
        words = anchor.inner_text().rstrip("…").split("md ")[-1]
        assert " ".join(target.inner_text().split()).startswith(" ".join(words.split()[-3:])) or words.split()[-1] in (
            target.inner_text()
        )


def test_every_passage_is_there_as_it_was(page, links):
    for number, unit in enumerate(links.book.units):
        passage = links.book.passages[unit.document][unit.passage]
        assert page.locator(f"#u{number}").text_content() == passage.span.of(links.book.documents[unit.document].text)


def test_marks_sit_on_the_shared_words(page, links):
    for number, entry in enumerate(links):
        anchor = page.locator(f'a[data-link="{number}"][href="#u{entry.right}"]')
        anchor.click()
        shared = links.shared(entry)
        for unit, place, side in ((entry.right, "#panel .target", "right"), (entry.left, f"#u{entry.left}", "left")):
            spans = sorted({span for term in shared if " " not in term.term for span in getattr(term, side)})
            text = links.book.documents[links.unit(unit).document].text
            marks = page.locator(f"{place} mark").all_text_contents()
            assert marks == [span.of(text) for span in spans]
        sentences = page.locator("#panel .target .sentence").count()
        assert bool(sentences) == bool(entry.sentences)
    page.keyboard.press("Escape")
    assert page.locator("#panel").is_hidden()
    assert page.locator("main mark").count() == 0


def test_hostile_text_is_text(page):
    assert page.evaluate("window.pwned") is None
    assert "<script>window.pwned = 1</script>" in page.locator("main").inner_text()
    assert page.locator("main script, main img, main a[href^='javascript']").count() == 0
    page.locator(".links a").first.click()
    assert page.evaluate("window.pwned") is None


def test_the_filter(page, links):
    everything = page.locator(".links li:visible").count()
    assert everything == 2 * len(links)
    page.locator("nav details summary", has_text="Map").click()
    page.locator("#level").fill("10")
    left = page.locator(".links li:visible")
    assert 0 < left.count() < everything
    assert all(left.nth(i).get_attribute("data-level") == "10" for i in range(left.count()))
    assert page.locator("path.chord:visible:not(#chosen)").count() == 1
    page.locator("#level").fill("1")
    page.locator("#show-neighbours").uncheck()
    hidden = sum(entry.neighbours for entry in links)
    assert hidden > 0
    assert page.locator(".links li:visible").count() == everything - 2 * hidden
    page.locator("#only-strongest").check()
    assert page.locator(".links li:visible").count() == 2 * sum(e.strongest and not e.neighbours for e in links)


def test_keys(page):
    page.keyboard.press("j")
    assert page.locator("#panel").is_visible()
    first = page.evaluate("document.activeElement.dataset.link + document.activeElement.hash")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.dataset.link + document.activeElement.hash") != first
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.dataset.link + document.activeElement.hash") == first
    page.keyboard.press("Escape")
    assert page.locator("#panel").is_hidden()
    page.keyboard.press("Enter")
    assert page.locator("#panel").is_visible()
    page.locator("#panel .go").click()
    assert page.locator("#panel").is_hidden()
    assert page.url.split("#")[1] in first


def test_the_map_marks_chapters_and_leads_to_passages(page):
    assert page.locator("#chart .arc").count() == len(TEXTS)
    page.locator("nav details summary", has_text="Map").click()
    page.locator("#chart").click(position={"x": 330, "y": 60})
    assert page.locator("#chosen").get_attribute("d") != ""
    assert page.locator("#arc").inner_text() in page.locator("#chart title").all_text_contents()


def test_without_scripts_text_and_plain_links_remain(browser, book, links):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(book.as_uri())
    assert page.locator("#controls").is_hidden()
    assert page.locator(".links a:visible").count() == 2 * len(links)
    assert "Clear soup 😀" in page.locator("main").inner_text()
    page.locator(".links a").first.click()
    assert re.search(r"#u\d+$", page.url)
    context.close()


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (1280, "dark")])
def test_phone_and_dark(page, width, scheme):
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    page.locator(".links a").first.click()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(23, 24, 26)") == (scheme == "dark")


def test_each_block_runs_in_the_direction_of_its_first_letter(browser, tmp_path):
    (tmp_path / "a.md").write_text("# حساء\n\nيغلى الحساء الصافي.\n\nSoup is boiled.\n", encoding="utf-8")
    link(tmp_path / "a.md").to_html(tmp_path / "book.html")
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((tmp_path / "book.html").as_uri())
    sides = page.evaluate("""[...document.querySelectorAll("main h2, main p.body")].map(block => {
        const range = document.createRange();
        range.selectNodeContents(block);
        const [text, box] = [range.getBoundingClientRect(), block.getBoundingClientRect()];
        return text.left - box.left > box.right - text.right ? "right" : "left";
    })""")
    assert sides == ["right", "right", "left"]
    page.close()


def test_links_begin_beside_their_paragraph(browser, tmp_path):
    dishes = ["Clear soup is boiled from bones", "White bread is baked from flour", "Green tea is brewed from leaves"]
    for name in ("a", "b"):
        paragraphs = [f"{dish} and {name} for many long hours over a very small fire." for dish in dishes]
        text = "\n\n".join((paragraphs[0], paragraphs[1], "Nothing else.", paragraphs[2], "The end."))
        (tmp_path / f"{name}.md").write_text(f"# Book {name}\n\n{text}\n", encoding="utf-8")
    found = link([str(tmp_path / "a.md"), str(tmp_path / "b.md")], preset="21", n=2, min_strength=-9)
    found.to_html(tmp_path / "book.html")
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((tmp_path / "book.html").as_uri())
    beside = page.evaluate("""[...document.querySelectorAll("main .links")].map(links =>
        links.getBoundingClientRect().top - links.previousElementSibling.getBoundingClientRect().top)""")
    assert len(beside) == 6
    assert all(abs(distance) < 20 for distance in beside), beside
    page.close()


def test_print_shows_everything(page):
    page.emulate_media(media="print")
    assert page.locator("#controls").is_hidden()
    assert page.locator(".links li:visible").count() > 0


def test_nothing_serious_for_readers_with_aids(page):
    axe = pytest.importorskip("axe_playwright_python.base")
    page.evaluate(Path(axe.AXE_FILE_PATH).read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    assert not [
        (rule["id"], rule["nodes"][0]["html"][:120]) for rule in found if rule["impact"] in ("serious", "critical")
    ]


def test_a_book_of_two_corpora_and_an_empty_one(browser, tmp_path):
    two = link([Document("a", TEXTS["soup.md"])], [Document("b", TEXTS["stock.md"])], preset="21", min_terms=3)
    for name, made in (("two", two), ("none", link([Document("x", "")]))):
        path = tmp_path / f"{name}.html"
        made.to_html(path)
        page = browser.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
        page.goto(path.as_uri())
        assert page.locator(".links a").count() == 2 * len(made)
        page.close()
        assert not errors


def test_title_and_contents_come_first_and_lead_to_titles(browser, tmp_path):
    (tmp_path / "pot.png").write_bytes(bytes.fromhex(PIXEL))
    soup = "# Soups\n\n## Clear soup\n\nClear *soup* is boiled from `bones` and [stock](stock.md) for many hours.\n\n"
    soup += "![A pot of soup](pot.png)\n\n| part | hours |\n|---|---|\n| bones | 9 |\n\n[bad](javascript:alert(1))\n"
    stock = "# Stocks\n\n## Brown stock\n\nBrown stock and soup is boiled from bones for many hours, too.\n"
    for name, text in {"soup.md": soup, "stock.md": stock}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = link(tmp_path, min_strength=-9.0, min_matches=1)
    found.to_html(tmp_path / "book.html", "Kitchen")
    page = browser.new_page()
    page.goto((tmp_path / "book.html").as_uri())
    entries = page.locator("nav ol > li > a").all_inner_texts()
    assert entries == ["Soups", "Clear soup", "Stocks", "Brown stock"]
    page.locator("nav a", has_text="Brown stock").click()
    heading = page.locator("main h3", has_text="Brown stock")
    assert (
        page.evaluate("document.querySelector('header').getBoundingClientRect().bottom") <= heading.bounding_box()["y"]
    )
    assert "lit" in heading.get_attribute("class")
    assert page.locator("main em").inner_text() == "soup"
    assert page.locator("main code").inner_text() == "bones"
    assert page.locator("main p a", has_text="stock").first.get_attribute("href") == "#d1"
    assert page.locator("main img").evaluate("image => image.naturalWidth") == 1
    assert page.locator("main td").all_inner_texts() == ["bones", "9"]
    assert page.locator("a[href^=javascript]").count() == 0
    assert page.locator(".crumbs").first.inner_text() == "Kitchen › Soups · → Stocks"
    assert "Stocks › Brown stock" in page.locator(".links a b").all_inner_texts()
    page.close()


def test_a_long_book_is_split_into_pages_by_document(browser, tmp_path):
    soup = "# Soups\n\n## Clear soup\n\nClear soup is boiled from bones and vegetables for many hours.\n\nStrain it.\n"
    stock = "# Stocks\n\n## Brown stock\n\nStock like clear soup is boiled from bones and vegetables for many hours.\n"
    bread = "# Breads\n\nDough rises in a warm place, says [the chapter on stocks](stock.md).\n"
    for name, text in {"soup.md": soup, "stock.md": stock, "bread.md": bread}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = link(tmp_path, min_strength=-9.0, min_matches=1, index_terms=5, language="english")
    found.to_html(tmp_path / "book.html", "Kitchen", split_from=4)
    assert sorted(path.name for path in (tmp_path / "book-pages").glob("*.html")) == ["1.html", "2.html", "3.html"]
    page = browser.new_page()
    page.set_default_timeout(0)  # the time limit of all tests is enough
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "book.html").as_uri())
    assert page.locator("nav ol > li > a").all_inner_texts() == [
        "Breads",
        "Soups",
        "Clear soup",
        "Stocks",
        "Brown stock",
    ]
    assert page.locator("main p").count() == 0
    assert (
        page.locator(".subjects a", has_text="Clear soup").first.get_attribute("href").startswith("book-pages/2.html#u")
    )
    page.locator("nav a", has_text="Clear soup").first.click()
    page.wait_for_url("**/book-pages/2.html#t1-1")
    assert page.locator("main p.paragraph").count() == 2
    # A link to another page shows the sentence there, and leads there.
    page.locator(".links a", has_text="Stocks").first.click()
    assert "On another page." in page.locator("#panel").inner_text()
    assert "boiled from bones" in page.locator("#panel .target").inner_text()
    page.locator("#panel .verdict", has_text="Accept").click()
    page.locator("#panel .go").click()
    page.wait_for_url("**/book-pages/3.html#u*")
    assert "clear soup" in page.locator(":target").inner_text()
    # Hits name chapter and section.
    page.keyboard.press("/")
    page.keyboard.type("vegetables")
    page.wait_for_selector("#panel .hits li")
    assert page.locator("#panel .hits a").all_inner_texts() == ["Stocks › Brown stock"]
    page.locator("header h1 a").click()
    page.wait_for_url("**/book.html#contents")
    # The front has no text to search, but the decisions of all pages, and its map leads to them.
    assert page.locator("#query").count() == 0
    assert page.locator("#save").is_visible()
    page.locator("summary", has_text="Map of the links").click()
    size = page.locator("#chart").bounding_box()
    page.locator("#chart").click(position={"x": size["width"] / 2 + 9, "y": size["height"] / 2 + 2})
    page.wait_for_url("**/book-pages/*.html#u*")
    page.locator("header h1 a").click()
    page.wait_for_url("**/book.html#contents")
    page.locator("nav a", has_text="Breads").first.click()
    page.locator("main p a", has_text="the chapter on stocks").click()
    page.wait_for_url("**/book-pages/3.html#d2")
    page.close()
    assert not errors


PIXEL = (
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def test_search_forgives_typing_errors(page, links):
    page.keyboard.press("/")
    page.keyboard.type("vegetabels")
    page.wait_for_selector("#panel .hits li")
    assert "Showing results for “vegetables”" in page.locator("#panel").inner_text()
    for text in page.locator("#panel .hits p").all_inner_texts():
        assert "vegetables" in text
    assert page.locator("#panel .hits mark").first.inner_text() == "vegetables"
    page.locator("#panel .hits a").first.click()
    assert re.search(r"#u\d+$", page.url)
    assert page.locator("#panel").is_hidden()


def test_rejected_links_are_hidden_saved_and_gone_in_the_next_run(page, links, tmp_path):
    page.keyboard.press("j")
    number = int(page.evaluate("document.activeElement.dataset.link"))
    page.keyboard.press("r")
    assert page.locator(f'a[data-link="{number}"]:visible').count() == 0
    with page.expect_download() as saved:
        page.locator("#save").click()
    saved.value.save_as(tmp_path / "decisions.json")
    left = decided(links, read_decisions(tmp_path / "decisions.json"))
    assert [(x.left, x.right) for x in left] == [(x.left, x.right) for i, x in enumerate(links) if i != number]
    (tmp_path / "decisions.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(FormatError, match="holds no decisions"):
        read_decisions(tmp_path / "decisions.json")


def test_enter_goes_to_the_passage(page):
    page.keyboard.press("j")
    there = page.evaluate("document.activeElement.hash")
    page.keyboard.press("Enter")
    assert page.url.endswith(there)
    assert page.locator("#panel").is_hidden()


def test_pages_of_a_book_replace_only_pages_of_an_earlier_one(tmp_path):
    for number, text in enumerate(("Soup is boiled from bones.", "Stock is boiled from bones.", "Bread is baked.")):
        (tmp_path / f"{number}.md").write_text(text, encoding="utf-8")
    found, pages = link(tmp_path, min_strength=-9.0, min_matches=1), tmp_path / "book-pages"
    found.to_html(tmp_path / "book.html", split_from=1)
    (pages / "9.html").write_text("of a longer book", encoding="utf-8")
    found.to_html(tmp_path / "book.html", split_from=1)
    assert sorted(path.name for path in pages.glob("*.html")) == ["1.html", "2.html", "3.html"]
    (tmp_path / "own-pages").mkdir()
    (tmp_path / "own-pages" / "1.html").write_text("mine", encoding="utf-8")
    with pytest.raises(StorageError, match="own-pages is not empty"):
        found.to_html(tmp_path / "own.html", split_from=1)
    assert (tmp_path / "own-pages" / "1.html").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "own.html").exists()
