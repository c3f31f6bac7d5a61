import secrets

import pytest
from tests.serve.test_match import wait_for

from likewise.results.paraphrases import Paraphrases

PLACES = ["spring", "summer", "autumn", "winter", "time"]


def text(token):
    line = "The new law of {token} {verb} in the {place} of {year}. "
    return "".join(
        line.format(token=token, verb=verb, place=place, year=year)
        for verb in ("took effect", "came into force")
        for place in PLACES
        for year in range(1990, 1993)
    )


def test_mine_and_look_up(client, tmp_path):
    (tmp_path / "laws.txt").write_text(text("tax"))
    body = {"name": "pp", "source": "laws.txt", "options": {"support": 1}}
    job = client.post("/api/mine", json=body)
    assert job.status_code == 202, job.text
    done = wait_for(client, job.json()["id"])
    assert done["state"] == "done", done["message"]
    found = client.get("/api/paraphrases", params={"table": "pp.parquet", "phrase": "took effect"}).json()["found"]
    expected = Paraphrases.read(tmp_path / ".likewise" / "uploads" / "pp.parquet").of("took effect")
    assert [pair["paraphrase"] for pair in found] == [pair.paraphrase for pair in expected]
    assert found[0]["paraphrase"] == "came into force"
    assert found[0]["samples"]
    assert str(tmp_path) not in str(found)
    best = client.get("/api/paraphrases", params={"table": "pp.parquet", "limit": 1}).json()
    assert len(best["found"]) == 1
    assert "came into force" in client.get("/api/paraphrases/download", params={"table": "pp.parquet"}).text


def test_the_curve_of_a_folder(client, tmp_path):
    (tmp_path / "parts").mkdir()
    for number in range(4):
        (tmp_path / "parts" / f"{number}.txt").write_text(text("tax"))
    body = {"name": "pp", "source": "parts", "options": {"support": 1}, "curve": True}
    job = client.post("/api/mine", json=body).json()["id"]
    done = wait_for(client, job)
    assert done["state"] == "done", done["message"]
    points = done["result"]["curve"]
    assert len(points) == 4
    assert points[-1][1] == done["result"]["pairs"]
    assert client.get(f"/api/mine/{job}/curve").text.startswith("<svg")
    assert client.get("/api/mine/0123456789abcdef/curve").status_code == 404


@pytest.mark.parametrize(
    ("params", "status"),
    [({"table": "none.parquet"}, 404), ({"table": "laws.txt"}, 409), ({"table": "x", "limit": 0}, 422)],
)
def test_refusals(client, tmp_path, params, status):
    (tmp_path / "laws.txt").write_text("x")
    assert client.get("/api/paraphrases", params=params).status_code == status


def test_page(start_server, page, tmp_path, photograph, accessible):
    token = secrets.token_hex(4)
    source = tmp_path / "laws.txt"
    source.write_text(text(token))
    folder = tmp_path / "served"
    folder.mkdir()
    rows = [("came into force", "took effect", 7), ("first", "second", 9), ("colour", "color", 5)]
    Paraphrases.of_rows(rows).write(folder / "hand.parquet")
    server = start_server(folder)
    page.goto(f"{server.address}/paraphrases")
    page.get_by_text("The best of 3 pairs").wait_for()
    accessible()
    page.get_by_text("Mine paraphrases").click()
    page.locator("#source-file").set_input_files(source)
    page.get_by_text("Mine laws.txt.").wait_for()
    page.get_by_label("Fewest contexts").fill("1")
    page.get_by_role("button", name="Mine", exact=True).click()
    page.locator("#table option", has_text="paraphrases.parquet").wait_for(state="attached")  # the page after the job
    page.get_by_label("in", exact=True).select_option("paraphrases.parquet")
    page.get_by_label("Phrase", exact=True).fill("took effect")
    page.keyboard.press("Enter")
    page.locator("#groups strong", has_text="came into force").wait_for()
    page.locator(".evidence", has_text=token).first.wait_for()
    photograph("paraphrases")
    accessible()
