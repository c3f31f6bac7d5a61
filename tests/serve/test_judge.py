import json
import os
import secrets
import signal
import threading

import httpx
import pytest
from tests.serve.test_jobs import http, until

from likewise.evaluate.judging import Study


def rows(count, token=""):
    return "".join(
        json.dumps(
            {"left": f"a{i}", "right": f"b{i}", "left_text": f"left {token} {i} <i>x</i>", "right_text": f"right {i}"}
        )
        + "\n"
        for i in range(count)
    )


@pytest.fixture
def study(client, tmp_path):
    (tmp_path / "list.jsonl").write_text(rows(12))
    made = client.post("/api/judge", json={"name": "mine", "lists": ["list.jsonl"], "size": 2})
    assert made.status_code == 201, made.text
    return made.json()["name"]


def test_a_study_from_beginning_to_end(client, study, tmp_path):
    seen = []
    for _ in range(6):
        turn = client.get(f"/api/judge/{study}/turn", params={"judge": "ada"}).json()
        assert turn["judged"] == len(seen)
        # Blind: nothing that tells list, stratum or rank.
        assert set(turn["pair"]) == {"number", "left_text", "right_text", "left_place", "right_place", "verdict"}
        seen.append(turn["pair"]["number"])
        body = {"judge": "ada", "item": turn["pair"]["number"], "verdict": "correct"}
        assert client.put(f"/api/judge/{study}/judgements", json=body).status_code == 204
    assert client.get(f"/api/judge/{study}/turn", params={"judge": "ada"}).json()["pair"] is None
    assert seen == Study(tmp_path / ".likewise" / "uploads" / study).order("ada")
    figures = client.get(f"/api/judge/{study}/table").json()
    assert figures["judged"] == 6
    assert figures["strata"]["Total"]["list"]["correct pairs"]["hits"] == 6
    assert client.get("/api/judge").json()["studies"][0]["judges"] == {"ada": 6}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"judge": "ada", "item": 1, "verdict": "perhaps"}, 422),
        ({"judge": "ada", "item": 99, "verdict": "wrong"}, 422),
        ({"judge": " ", "item": 1, "verdict": "wrong"}, 422),
        ({"judge": "ada", "item": 1}, 422),
    ],
)
def test_refusals(client, study, body, status):
    assert client.put(f"/api/judge/{study}/judgements", json=body).status_code == status


def test_a_study_is_not_overwritten(client, study):
    again = client.post("/api/judge", json={"name": "mine", "lists": ["list.jsonl"]})
    assert again.status_code == 409
    assert client.get("/api/judge/list.jsonl/turn", params={"judge": "a"}).status_code == 404


def test_kill_loses_no_acknowledged_judgement(start_server, tmp_path):
    (tmp_path / "list.jsonl").write_text(rows(300))
    server = start_server(tmp_path)
    made = {"name": "s", "lists": ["list.jsonl"], "size": 100}
    assert http.post(f"{server.address}/api/judge", json=made).status_code == 201
    acknowledged = {}

    def judge(name):
        with httpx.Client(timeout=None) as client:
            for item in range(1, 301):
                verdict = ("correct", "acceptable", "wrong")[item % 3]
                try:
                    body = {"judge": name, "item": item, "verdict": verdict}
                    if client.put(f"{server.address}/api/judge/s.judge/judgements", json=body).status_code == 204:
                        acknowledged[name, item] = verdict
                except httpx.HTTPError:
                    return

    threads = [threading.Thread(target=judge, args=(name,)) for name in ("ada", "bob")]
    for thread in threads:
        thread.start()
    until(lambda: len(acknowledged), lambda count: count > 30)
    os.kill(server.process.pid, signal.SIGKILL)
    for thread in threads:
        thread.join()
    server.stop()
    kept = Study(tmp_path / ".likewise" / "uploads" / "s.judge")
    for (name, item), verdict in acknowledged.items():
        assert kept.verdicts(name)[item] == verdict


def test_page(start_server, page, tmp_path, photograph, accessible):
    token = secrets.token_hex(6)
    (tmp_path / "list.jsonl").write_text(rows(12, token))
    server = start_server(tmp_path)
    page.goto(f"{server.address}/judge")
    accessible()
    page.get_by_label("Name").fill("blind")
    page.get_by_label("Pairs for each column").fill("2")
    page.get_by_role("button", name="Make the study").click()
    page.get_by_label("You are").fill("ada")
    page.get_by_role("button", name="Judge").click()
    page.get_by_text(token).wait_for()
    photograph("judge")
    accessible()
    page.keyboard.press("c")
    page.get_by_text("Pair 2 of 6, 1 judged").wait_for()
    page.keyboard.press("w")
    page.get_by_text("Pair 3 of 6, 2 judged").wait_for()
    page.get_by_text("The table so far").click()
    page.get_by_text("2 of 6 pairs judged by ada").wait_for()
    # Restart: what was judged is still there, and judging goes on where it stopped.
    address = page.url.replace(server.address, "")
    server.stop(signal.SIGKILL)
    again = start_server(tmp_path)
    page.goto(again.address + address)
    page.get_by_label("You are").fill("ada")
    page.get_by_role("button", name="Judge").click()
    page.get_by_text("Pair 3 of 6, 2 judged").wait_for()
    assert page.locator("i").count() == 0
