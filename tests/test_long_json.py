"""JSON with long lists: the same text and the same values as in one piece, however it is cut."""

import json

import pytest

from likewise import TfIdf, long_json
from likewise.long_json import Parts, pieces, with_parts
from likewise.measure import from_json

# Texts that look like what stands between two of them, or behind a list.
AWKWARD = ["a", ", ", '", "', '\\", "', "\\", '"', "]", '], "document_frequencies": [', "é", "日本", "]}", ""]


def _saved(terms: list[str]) -> dict[str, object]:
    numbers = list(range(1, len(terms) + 1))
    statistics = {"texts": 3, "words": 9, "terms": terms, "document_frequencies": numbers, "occurrences": numbers}
    return {"measure": "tfidf", "options": {"stop": None}, "statistics": statistics}


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
@pytest.mark.parametrize("terms", [[], ["one"], AWKWARD, AWKWARD[::-1], [f"word{n}" for n in range(300)]])
def test_lists_are_the_same_in_parts(terms, size, monkeypatch):
    monkeypatch.setattr(long_json, "_PART", size)
    values = [_saved(terms), {"measure": "counts", "options": {}, "statistics": None}, _saved(terms[:1])]
    text = json.dumps(values, ensure_ascii=False)

    def cut(values):
        if isinstance(values, dict):
            return {name: cut(one) for name, one in values.items()}
        if isinstance(values, list) and not any(isinstance(one, dict) for one in values):
            return Parts(lambda: (values[first : first + size] for first in range(0, len(values), size)))
        return [cut(one) for one in values] if isinstance(values, list) else values

    def whole(values):
        if isinstance(values, dict):
            return {name: whole(one) for name, one in values.items()}
        if isinstance(values, list):
            return [whole(one) for one in values]
        return values.whole() if isinstance(values, Parts) else values

    assert "".join(pieces(cut(values))) == text
    found = with_parts(text.encode())
    assert isinstance(found[0]["statistics"]["terms"], Parts)
    assert whole(found) == values


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(_saved(["a", "b"]), indent=1),
        json.dumps(_saved(["a", "b"]), separators=(",", ":")),
        '{"a": [1, {"list of statistics": 0}]}',
        "[]",
    ],
)
def test_what_was_written_in_another_way_is_read_whole(text):
    assert with_parts(text.encode()) == json.loads(text)


@pytest.mark.parametrize("broken", [-1, -2, -40, 60, 90])
def test_what_is_not_whole_is_no_json(broken):
    data = json.dumps(_saved(["a", "b"])).encode()
    with pytest.raises(ValueError, match=r"."):
        with_parts(data[:broken])


def test_a_measure_is_the_same_from_parts(monkeypatch):
    monkeypatch.setattr(long_json, "_PART", 10)
    measure = TfIdf().fit(["red fish", "blue fish", "two fish of the sea"])
    text = "".join(pieces(measure.in_parts()))
    assert json.loads(text) == measure.to_json()
    again = from_json(with_parts(text.encode()))
    assert again.to_json() == measure.to_json()
    assert again.score("red sea", "a red fish") == measure.score("red sea", "a red fish")
