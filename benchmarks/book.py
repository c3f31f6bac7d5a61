"""A book of 20,000 paragraphs: how long it takes to link and write, and to open and scroll in chromium.

    python benchmarks/book.py DATA [--paragraphs 20000] [--keep book.html]

The paragraphs are the first ones of ``DATA/bench/paras_100k.txt.gz``, forty to a document.
"""

import argparse
import gzip
import itertools
import resource
import tempfile
import time
from pathlib import Path

from likewise.jobs.link import link
from likewise.read import Document

SCROLL = """async () => {
  const frames = [];
  let last = performance.now();
  for (let i = 0; i < 90; i++) {
    window.scrollBy(0, 1200);
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
  }
  frames.sort((a, b) => a - b);
  return { median: frames[45], p95: frames[85], worst: frames[89] };
}"""

STEP = """async (what) => {
  const began = performance.now(), level = document.getElementById("level");
  if (what === "filter") {
    level.value = String((Number(level.value) % 9) + 1);
    level.dispatchEvent(new Event("input"));
  } else document.body.dispatchEvent(new KeyboardEvent("keydown", { key: what, bubbles: true }));
  await new Promise(requestAnimationFrame);
  document.body.offsetHeight;
  return performance.now() - began;
}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--paragraphs", type=int, default=20_000)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    with gzip.open(arguments.data / "bench" / "paras_100k.txt.gz", "rt", encoding="utf-8") as file:
        paragraphs = [line.strip() for line in itertools.islice(file, arguments.paragraphs)]
    documents = [
        Document(f"part-{begin // 40:04}", "\n\n".join(paragraphs[begin : begin + 40]))
        for begin in range(0, len(paragraphs), 40)
    ]
    started = time.perf_counter()
    found = link(documents)
    linked = time.perf_counter()
    path = arguments.keep or Path(tempfile.mkdtemp()) / "book.html"
    found.to_html(path)
    written = time.perf_counter()
    print(f"{len(found.book.units):,} passages, {len(found):,} links: linked in {linked - started:.1f} s, ", end="")
    print(f"written in {written - linked:.1f} s, {path.stat().st_size / 1e6:.1f} MB, ", end="")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started_browser:
        browser = started_browser.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        began = time.perf_counter()
        page.goto(path.resolve().as_uri())
        print(f"opened in {time.perf_counter() - began:.1f} s")
        print("frames while scrolling (ms):", {k: round(v, 1) for k, v in page.evaluate(SCROLL).items()})
        page.evaluate(
            "document.querySelectorAll('section')[document.querySelectorAll('section').length >> 1].scrollIntoView()"
        )
        for what in ("filter", "j", "k"):
            took = sorted(page.evaluate(STEP, what) for _ in range(9))
            print(f"{what}: {took[4]:.0f} ms until the next frame (median of 9), {took[-1]:.0f} ms at most")
        browser.close()


if __name__ == "__main__":
    main()
