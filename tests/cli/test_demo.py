"""``likewise demo``: every chapter runs on any machine and leaves its results."""

import pytest

from likewise.demo import CHAPTERS

RESULTS = {
    "compare": [],
    "match": ["match.csv"],
    "link": ["book.html", "links.jsonl"],
    "search": ["index/manifest.json"],
    "mine": ["paraphrases.parquet"],
}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter(cli, tmp_path, chapter):
    done = cli("demo", "out", "--chapters", chapter)
    assert done.returncode == 0, done.stderr
    assert "$ likewise" in done.stdout
    for name in RESULTS.get(chapter, []):
        assert (tmp_path / "out" / name).stat().st_size > 0


def test_unknown_chapter(cli):
    done = cli("demo", "out", "--chapters", "sing")
    assert done.returncode == 2
    assert "compare" in done.stderr
