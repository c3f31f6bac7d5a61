"""The page of a decision: charts without scripts, numbers that add up, names that are escaped."""

import re
import xml.etree.ElementTree as ET

import pytest

import likewise as lw
from likewise.errors import InputError
from likewise.results.decision_charts import weights

ROWS = [{"name": f"person {chr(97 + k % 26)}{k * 7919 % 997} <b>", "code": f"k{k * 31:05}"} for k in range(60)]
WORSE = [{"name": row["name"].replace("person", "persn"), "code": row["code"]} for row in ROWS[:40]]


@pytest.fixture(scope="module")
def found():
    return lw.match(ROWS, WORSE)


def test_charts_are_svg_that_parses(found):
    html = found.decision._repr_html_()
    assert html.count("<svg") == 4
    for chart in html.split("<svg")[1:]:
        ET.fromstring("<svg" + chart.split("</svg>")[0] + "</svg>")
    assert "<script" not in html


def test_numbers_behind_the_charts(found):
    drawn = found.decision.curves
    assert sum(drawn.probabilities) == len(ROWS)
    recalls = [recall for _, _, recall in drawn.thresholds]
    assert recalls == sorted(recalls, reverse=True)
    shares = [share for _, share in drawn.unlinkable]
    assert shares == sorted(shares)
    assert {name for name, _, _ in drawn.weights} >= {"name", "code"}
    assert found.decision.to_json()["curves"]["probabilities"] == drawn.probabilities


def test_the_page(found, tmp_path):
    found.to_html(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "The least sure of what is given" in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    with pytest.raises(InputError, match="nothing to report"):
        lw.match(ROWS, WORSE, all=True).to_html(tmp_path / "other.html")


def test_bars_of_weights_end_before_their_figures():
    chart = weights([("rivals", 12.5, -2.3), ("name", -12.5, 3.0)], "What fields weigh")
    bars = [tuple(map(float, found)) for found in re.findall(r'<rect x="([\d.]+)" y="\d+" width="([\d.]+)"', chart)]
    at = float(re.findall(r'<text x="(\d+)"[^>]*>\+12.5 / -2.3<', chart)[0])
    assert len(bars) == 4
    assert max(x + wide for x, wide in bars) < at - 7 * len("+12.5 / -2.3")
    assert min(x for x, _ in bars) > 110
