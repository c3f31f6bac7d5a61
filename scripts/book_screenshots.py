"""Link Python's language reference and photograph its HTML book for the documentation: docs/images/book-*.png."""

import argparse
import pydoc_data.topics
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from likewise.jobs.link import link
from likewise.read import Document

SHOTS = (("light", 1100, 720, "light"), ("dark", 1100, 720, "dark"), ("phone", 390, 720, "light"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("docs/images"))
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    topics = sorted(pydoc_data.topics.topics.items())
    path = Path(tempfile.mkdtemp()) / "book.html"
    link([Document(name, text) for name, text in topics]).to_html(path, "The Python Language Reference")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 560, "height": 900})
        page.goto(path.as_uri())
        page.locator("#chart").screenshot(path=arguments.folder / "book-map.png")
        for name, width, height, scheme in SHOTS:
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            anchor = page.locator('.links a[data-link="40"]').first
            anchor.scroll_into_view_if_needed()
            anchor.click()
            page.mouse.move(5, 5)
            page.wait_for_timeout(300)
            page.screenshot(path=arguments.folder / f"book-{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
