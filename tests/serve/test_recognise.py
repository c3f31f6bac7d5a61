from tests.serve.test_match import wait_for

import likewise

PAIRS = [(f"the law of {i}", f"law of {i}" if i % 2 else f"rain in {i}", bool(i % 2)) for i in range(24)]


def test_same_as_python(client, tmp_path):
    rows = "".join(f"{left}\t{right}\t{int(label)}\n" for left, right, label in PAIRS)
    (tmp_path / "train.tsv").write_text("left\tright\tlabel\n" + rows)
    body = {"name": "law", "train": "train.tsv", "options": {"folds": 2, "repeats": 1}}
    started = client.post("/api/recognise", json=body)
    assert started.status_code == 202, started.text
    done = wait_for(client, started.json()["id"])
    assert done["state"] == "done", done["message"]
    here = likewise.recognise(PAIRS, folds=2, repeats=1)
    question = {"model": "law.json", "pairs": [{"left": "the law of 7", "right": "law of 7"}], "explain": True}
    answer = client.post("/api/recognise/decide", json=question).json()
    assert answer["threshold"] == here.threshold
    assert answer["decisions"][0]["score"] == here.scores(["the law of 7"], ["law of 7"])[0]
    assert answer["decisions"][0]["decision"] is True
    assert answer["decisions"][0]["why"]["decision"] is True


def test_refusals(client, tmp_path):
    (tmp_path / "train.tsv").write_text("left\tright\tlabel\na\tb\t1\n")
    assert client.post("/api/recognise", json={"train": "none.tsv"}).status_code == 404
    asked = {"model": "train.tsv", "pairs": [{"left": "a", "right": "b"}]}
    assert client.post("/api/recognise/decide", json=asked).status_code in (409, 422)
