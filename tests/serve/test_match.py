import csv
import io
import json
import secrets
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.records.test_decision import people, worse

import likewise as lw


def wait_for(client, job):
    while (found := client.get(f"/api/jobs/{job}").json())["active"]:
        time.sleep(0.05)
    return found


def upload(client, name, rows):
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    assert client.put(f"/api/files/{name}", content=text.getvalue().encode()).status_code == 201


LEFT = [["name", "city"], ["Gonzalo Gonzalez", "Bogota"], ["Ada Lovelace", "London"], ["Nobody", "Nowhere"]]
RIGHT = [["person", "town"], ["Lovelace, Ada", "London"], ["Gonzales Gonzalo", "Bogotá"], ["Alan Turing", "London"]]


@pytest.fixture
def matched(client):
    """Return the id of a finished match of two tables by two fields."""
    upload(client, "left.csv", LEFT)
    upload(client, "right.csv", RIGHT)
    options = {"left_on": ["name", "city"], "right_on": ["person", "town"], "top": 3}
    job = client.post("/api/match", json={"left": "left.csv", "right": "right.csv", "options": options})
    assert job.status_code == 202
    done = wait_for(client, job.json()["id"])
    assert done["state"] == "done", done["message"]
    return done["id"]


def test_same_as_python(client, matched):
    found = client.get(f"/api/match/{matched}/pairs?threshold=0&order=best").json()["pairs"]
    left = [dict(zip(LEFT[0], row, strict=True)) for row in LEFT[1:]]
    right = [dict(zip(RIGHT[0], row, strict=True)) for row in RIGHT[1:]]
    expected = lw.match(left, right, left_on=["name", "city"], right_on=["person", "town"], top=3)
    ours = {(pair["left"], pair["right"], pair["score"]) for pair in found}
    assert ours == {(str(pair.left), str(pair.right), pair.score) for pair in expected}
    assert found[0]["score"] == max(pair.score for pair in expected)


def test_the_job_says_what_the_command_says(client):
    upload(client, "left.csv", LEFT)
    job = client.post("/api/match", json={"left": "left.csv", "options": {"on": ["name"], "min_score": 85}}).json()
    assert any("was 0.85 meant?" in note for note in wait_for(client, job["id"])["result"]["notes"])


def test_cleaning_by_named_steps_only(client):
    upload(client, "firms.csv", [["name"], ["Apple GmbH & Co. KG"], ["Apple Inc."], ["Pear S.A."]])
    body = {"left": "firms.csv", "options": {"on": ["name"], "clean": ["companies"], "top": 1}}
    done = wait_for(client, client.post("/api/match", json=body).json()["id"])
    best = client.get(f"/api/match/{done['id']}/pairs?threshold=0&order=best").json()["pairs"][0]
    assert (best["left_text"], best["right_text"], best["score"]) == ("Apple", "Apple", pytest.approx(1))
    body["options"]["clean"] = ["/etc/passwd"]
    assert client.post("/api/match", json=body).status_code == 422


def test_why_adds_up(client, matched):
    pair = client.get(f"/api/match/{matched}/pairs?threshold=0&order=best").json()["pairs"][0]
    why = client.get(f"/api/match/{matched}/why", params={"left": pair["left"], "right": pair["right"]}).json()
    assert why["score"] == pytest.approx(pair["score"])
    assert sum(part["value"] for part in why["contributions"]) == pytest.approx(pair["score"])
    assert client.get(f"/api/match/{matched}/why", params={"left": "7", "right": "x"}).status_code == 422


def test_threshold_order_and_histogram(client, matched):
    summary = client.get(f"/api/match/{matched}").json()
    assert sum(summary["counts"]) == summary["pairs"]
    every = client.get(f"/api/match/{matched}/pairs?threshold=0&order=best").json()["pairs"]
    scores = [pair["score"] for pair in every]
    assert scores == sorted(scores, reverse=True)
    middle = scores[1]
    above = client.get(f"/api/match/{matched}/pairs?threshold={middle}").json()
    assert above["above"] == sum(score >= middle for score in scores)
    assert [pair["score"] for pair in above["pairs"]] == sorted(score for score in scores if score >= middle)
    below = client.get(f"/api/match/{matched}/pairs?threshold={middle}&side=below").json()["pairs"]
    assert [pair["score"] for pair in below] == [score for score in scores if score < middle]


def test_decisions_change_the_download(client, matched):
    every = client.get(f"/api/match/{matched}/pairs?threshold=0&order=best").json()["pairs"]
    best, worst = every[0], every[-1]
    for pair, decision in ((best, "reject"), (worst, "accept")):
        body = {"left": pair["left"], "right": pair["right"], "decision": decision}
        assert client.put(f"/api/match/{matched}/decisions", json=body).status_code == 204
    text = client.get(f"/api/match/{matched}/download?threshold={best['score']}").text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["left"], row["right"], row["decision"]) for row in rows] == [(worst["left"], worst["right"], "accept")]
    body = {"left": best["left"], "right": best["right"], "decision": None}
    client.put(f"/api/match/{matched}/decisions", json=body)
    assert client.get(f"/api/match/{matched}").json()["rejected"] == 0


def test_every_format_holds_the_same(client, matched):
    def get(format_):
        return client.get(f"/api/match/{matched}/download?format={format_}")

    table = pq.read_table(pa.BufferReader(get("parquet").content))
    assert pa.ipc.open_file(get("arrow").content).read_all().equals(table)
    assert len(get("jsonl").text.splitlines()) == table.num_rows
    assert "matches.csv" in get("csv").headers["content-disposition"]


def test_pairs_of_one_table_are_listed_once(client):
    rows = [["name", "city"], *([f"{word} Smith", f"{word}ville"] for word in ("Ada", "Bob", "Cleo", "Dora") * 2)]
    upload(client, "twice.csv", rows)
    job = client.post("/api/match", json={"left": "twice.csv", "options": {"top": 3, "on": ["name"]}}).json()
    assert (done := wait_for(client, job["id"]))["state"] == "done"
    found = client.get(f"/api/match/{job['id']}/pairs?threshold=0&limit=500").json()["pairs"]
    assert len({frozenset((pair["left"], pair["right"])) for pair in found}) == len(found) == done["result"]["pairs"]


def test_clusters_of_one_table(client):
    token = secrets.token_hex(4)
    names = [["name"], [f"Acme {token} Ltd"], ["Zebra Holding"], [f"ACME {token} limited"], [f"acme {token}"]]
    upload(client, "one.csv", names)
    job = client.post("/api/match", json={"left": "one.csv", "options": {"top": 10}, "measure": "spectra()"}).json()
    assert wait_for(client, job["id"])["state"] == "done"
    found = client.get(f"/api/match/{job['id']}/clusters?threshold=0.5&linkage=components").json()
    assert found["groups"] == 1
    assert {record["id"] for record in found["clusters"][0]} == {"0", "2", "3"}


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"left": "none.csv"}, 404, "there is no 'none.csv'"),
        ({"left": "../x.csv"}, 404, "there is no"),
        ({"left": "left.csv", "options": {"top": 0}}, 422, "top must be"),
        ({"left": "left.csv", "options": {"tops": 1}}, 422, "tops"),
        ({"left": "left.csv", "measure": "/etc/passwd.json"}, 422, "measure must be one of"),
        ({"left": "left.csv", "options": {"one_to_one": True, "reciprocal": True}}, 422, "exclude each other"),
    ],
)
def test_refusals(client, body, status, says):
    upload(client, "left.csv", LEFT)
    answer = client.post("/api/match", json=body)
    assert answer.status_code == status
    assert says in answer.json()["error"]["message"]


def test_failure_is_told(client, tmp_path):
    upload(client, "left.csv", LEFT)
    job = client.post("/api/match", json={"left": "left.csv", "options": {"on": "street"}}).json()
    done = wait_for(client, job["id"])
    assert done["state"] == "failed"
    assert "no column 'street'; its columns: 'name', 'city'" in done["message"]
    assert str(tmp_path) not in done["message"]


def tables(client):
    """Upload two tables of people, most of them in both; return them."""
    random = np.random.default_rng(5)
    left = people(120)
    right = [worse(record, random) for record in left[:80]] + people(60, seed=9)
    for name, records in (("a.csv", left), ("b.csv", right)):
        upload(client, name, [list(records[0]), *([value or "" for value in record.values()] for record in records)])
    return left, right


def started(client, **body):
    answer = client.post("/api/match", json={"left": "a.csv", "right": "b.csv", **body})
    assert answer.status_code == 202, answer.text
    done = wait_for(client, answer.json()["id"])
    assert done["state"] == "done", done["message"]
    return done


def test_decided_as_in_python(client):
    expected = lw.match(*tables(client))
    done = started(client)
    summary = client.get(f"/api/match/{done['id']}").json()
    assert summary["threshold"] == expected.decision.threshold
    assert summary["decision"]["matches"] == expected.decision.matches
    found = client.get(f"/api/match/{done['id']}/pairs?limit=500").json()
    ours = {(int(pair["left"]), int(pair["right"]), pair["probability"]) for pair in found["pairs"]}
    assert ours == {(pair.left, pair.right, pair.probability) for pair in expected}
    assert found["above"] == len(expected)
    text = client.get(f"/api/match/{done['id']}/download").text
    assert len(text.splitlines()) == 1 + len(expected)
    one = expected[0]
    asked = {"left": str(one.left), "right": str(one.right)}
    weights = client.get(f"/api/match/{done['id']}/weights", params=asked).json()
    assert [tuple(weight) for weight in weights["weights"]] == list(expected.waterfall(one.left, one.right).weights)
    assert weights["probability"] == pytest.approx(one.probability, abs=2e-4)
    drawn = client.get(f"/api/match/{done['id']}/waterfall", params=asked)
    assert drawn.headers["content-type"].startswith("image/svg")
    assert drawn.text == expected.waterfall(one.left, one.right).to_svg()
    assert "How it was decided" in client.get(f"/match/{done['id']}").text
    # Any two records, also those that nobody looked at.
    looked_at = set(zip(expected.weighed.found.left.tolist(), expected.weighed.found.right.tolist(), strict=True))
    far = next((3, other) for other in range(140) if (3, other) not in looked_at)
    asked = {"left": str(far[0]), "right": str(far[1])}
    weights = client.get(f"/api/match/{done['id']}/weights", params=asked).json()
    there = expected.waterfall(*far)
    assert [tuple(weight) for weight in weights["weights"]] == list(there.weights)
    assert (weights["said"], weights["probability"]) == (there.said, there.probability)
    why = client.get(f"/api/match/{done['id']}/why", params=asked).json()
    assert why["score"] == expected.measure.score(*expected.weighed.texts(*far))
    nobody = client.get(f"/api/match/{done['id']}/weights", params={"left": "3", "right": "999"})
    assert nobody.status_code == 422
    assert "has the id '999'" in nobody.json()["error"]["message"]


def test_the_page_says_why_two_records_do_not_match(page, start_server, tmp_path):
    random, left = np.random.default_rng(5), people(60)
    for name, rows in (("a.jsonl", left), ("b.jsonl", [worse(row, random) for row in left[:40]])):
        (tmp_path / name).write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    server = start_server(tmp_path)
    job = page.request.post(f"{server.address}/api/match", data={"left": "a.jsonl", "right": "b.jsonl"}).json()
    while page.request.get(f"{server.address}/api/jobs/{job['id']}").json()["state"] not in ("done", "failed"):
        time.sleep(0.1)
    page.goto(f"{server.address}/match/{job['id']}")
    page.get_by_label("Id of the left record").fill("3")
    page.get_by_label("Id of the right record").fill("20")
    with page.expect_response(lambda answer: "/waterfall?left=3&right=20" in answer.url) as drawn:
        page.get_by_role("button", name="Why, or why not?").click()
    assert drawn.value.ok
    page.get_by_text("not given, as a record has one partner at most: 3 goes with 3").wait_for()
    page.expected_complaints = ("422",)
    page.get_by_label("Id of the right record").fill("77")
    page.get_by_role("button", name="Why, or why not?").click()
    page.get_by_text("has the id '77'").wait_for()


def test_the_labelling_loop(client):
    tables(client)
    done = started(client)
    first = client.get(f"/api/match/{done['id']}/pairs?order=best").json()["pairs"][0]
    client.put(
        f"/api/match/{done['id']}/decisions",
        json={"left": first["left"], "right": first["right"], "decision": "reject"},
    )
    again = started(client, labels=done["id"])
    assert client.get(f"/api/match/{again['id']}").json()["decision"]["labels"] == 1
    pairs = client.get(f"/api/match/{again['id']}/pairs?limit=500").json()["pairs"]
    assert (first["left"], first["right"]) not in {(pair["left"], pair["right"]) for pair in pairs}
    # What was judged on the page before counts in the next round, too.
    more = {"left": pairs[0]["left"], "right": pairs[0]["right"], "decision": "accept"}
    client.put(f"/api/match/{again['id']}/decisions", json=more)
    third = client.get(f"/api/match/{started(client, labels=again['id'])['id']}").json()
    assert (third["decision"]["labels"], third["accepted"], third["rejected"]) == (2, 1, 1)
    study = client.post(
        "/api/judge", json={"name": "doubt", "lists": [done["id"]], "scheme": "records", "size": 5}
    ).json()
    turn = client.get(f"/api/judge/{study['name']}/turn?judge=ada").json()
    assert turn["verdicts"] == {"y": "same", "n": "different", "u": "unsure"}
    body = {"judge": "ada", "item": turn["pair"]["number"], "verdict": "different"}
    assert client.put(f"/api/judge/{study['name']}/judgements", json=body).status_code == 204
    judged = started(client, labels=study["name"])
    assert client.get(f"/api/match/{judged['id']}").json()["decision"]["labels"] == 1


def test_a_model_decides_elsewhere(client, matched):
    tables(client)
    done = started(client)
    model = client.get(f"/api/match/{done['id']}/model")
    assert model.json()["format"] == "likewise model of matches"
    again = started(client, model=done["id"])
    pairs = [client.get(f"/api/match/{one['id']}/pairs?limit=500").json()["pairs"] for one in (done, again)]
    assert pairs[0] == pairs[1]
    assert client.get(f"/api/match/{matched}/model").status_code == 422
    assert client.get(f"/api/match/{matched}/weights?left=0&right=0").status_code == 422


def test_ids_and_columns_are_proposed(client):
    cities = ["Oak Lawn", "Paris", "Little Rock", "Bergen", "Graz"]
    upload(client, "a.csv", [["gid", "name", "people"], *([70 + n, city, 900 + n] for n, city in enumerate(cities))])
    upload(
        client, "b.csv", [["inhabitants", "city", "key"], *([900 + n, city, f"B{n}"] for n, city in enumerate(cities))]
    )
    two = {"left": "a.csv", "right": "b.csv"}
    found = client.get("/api/match/columns", params=two).json()
    assert found == {"left_id": "gid", "right_id": "key", "pairs": [["name", "city"], ["people", "inhabitants"]]}
    assert client.get("/api/match/columns", params=two | {"left_id": ""}).json()["left_id"] is None
    alone = client.get("/api/match/columns", params={"left": "a.csv"}).json()
    assert alone == {"left_id": "gid", "right_id": None, "pairs": [["name", "name"], ["people", "people"]]}
    assert client.get("/api/match/columns", params={"left": "none.csv"}).status_code == 404
    wrong = client.get("/api/match/columns", params=two | {"left_id": "nme"})
    assert wrong.status_code == 422
    assert "name" in wrong.json()["error"]["message"]


def test_page(start_server, page, tmp_path, photograph, accessible):
    token = secrets.token_hex(6)
    left, right = tmp_path / "left.csv", tmp_path / "right.csv"
    names = ["Gonzalo Gonzalez", "Ada Lovelace", "Alan Turing", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov"]
    left.write_text("name\n" + "\n".join([*names, f"Mr {token} Sample <b>bold</b>"]) + "\n")
    others = ["Gonzales, Gonzalo", "Lovelace Ada", "A. Turing", "G Hopper", "Dijkstra E.", "B. Liskow", "Grace Kelly"]
    right.write_text("person\n" + "\n".join([*others, f"Sample, {token} mr"]) + "\n")
    folder = tmp_path / "served"
    folder.mkdir()
    server = start_server(folder)
    page.goto(f"{server.address}/match")
    page.locator("#left-file").set_input_files(left)
    page.locator("#left .chosen").wait_for()
    page.locator("#right-file").set_input_files(right)
    page.locator("#right .chosen").wait_for()
    page.get_by_label("First row", exact=True).select_option("names the columns")
    page.locator("#pairs li").wait_for()
    photograph("match")
    accessible()
    page.get_by_label("Partners of a record").select_option("one at most")
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.get_by_role("button", name="Match", exact=True).click()
    assert sent.value.post_data_json["options"]["relation"] == "1:1"
    page.get_by_role("slider", name="Threshold").wait_for()
    slider = page.get_by_role("slider", name="Threshold")
    with page.expect_response(lambda answer: "/pairs?threshold=0.4&" in answer.url):
        slider.fill("0.4")
    row = page.locator("#pairs tbody tr", has_text=token)
    row.click()
    page.locator("#why-left mark", has_text=token).wait_for()
    photograph("matched")
    accessible()
    shown = page.locator("#above-count").text_content()
    with page.expect_response(lambda answer: "order=best" in answer.url):
        page.get_by_role("tab", name="Best").click()
    first = page.locator("#pairs tbody tr").first
    first.focus()
    first.press("r")
    page.get_by_text("0 accepted, 1 rejected by hand").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("link", name="csv").click()
    rows = list(csv.DictReader(saved.value.path().read_text(encoding="utf-8").splitlines()))
    assert len(rows) == int(shown) - 1
    assert any(token in row["left_text"] and token in row["right_text"] for row in rows)
    assert all(float(row["score"]) >= 0.4 for row in rows)
    # Kept: after a restart of the service the decision is still there.
    address = page.url.replace(server.address, "")
    server.stop()
    again = start_server(folder)
    page.goto(again.address + address)
    page.get_by_text("0 accepted, 1 rejected by hand").wait_for()
    assert page.locator("b").count() == 0


def test_pages_ask_for_every_format_that_can_be_read(client) -> None:
    match, read = client.get("/match").text, client.get("/read").text
    assert "Parquet, Arrow, CSV, TSV, JSON, Excel and OpenDocument, or one text a line" in match
    assert ".xlsx" in match
    assert "PDF, DOCX, ODT, EPUB" in read
    assert ".pdf," in read
    assert ".xlsx" not in read
