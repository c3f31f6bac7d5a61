import secrets

from tests.serve.test_match import wait_for

TEXT = "In 1947, Bell Labs invented the {token} transistor. It was a cold winter. Nothing happened for years.\n"


def test_ask(client, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT.format(token="first"))
    job = client.post("/api/nuggets", json={"name": "facts", "source": "a.txt"})
    assert job.status_code == 202, job.text
    done = wait_for(client, job.json()["id"])
    assert done["state"] == "done", done["message"]
    params = {"nuggets": "facts", "question": "When was the transistor invented?"}
    found = client.get("/api/ask", params=params).json()["answers"]
    assert [answer["date"] for answer in found] == ["1947"]
    assert str(tmp_path) not in str(found)
    assert client.get("/api/ask", params={**params, "nuggets": "a.txt"}).status_code == 409
    assert client.get("/api/ask", params={**params, "question": " "}).status_code == 422
    assert client.get("/api/ask", params={**params, "expand": "none"}).status_code == 404


def test_questions_with_known_answers(client, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT.format(token="first"))
    (tmp_path / "trec-q.tsv").write_text("1\tDATE\tWhen was the transistor invented?\n2\tDATE\tWhen was it not?\n")
    (tmp_path / "trec-p.tsv").write_text("1\t1947\n2\t1812\n")
    assert wait_for(client, client.post("/api/nuggets", json={"name": "facts", "source": "a.txt"}).json()["id"])
    body = {"nuggets": "facts", "questions": "trec-q.tsv"}
    done = wait_for(client, client.post("/api/questions", json=body).json()["id"])
    assert done["state"] == "done", done["message"]
    assert done["result"]["questions"] == 2
    [row] = done["result"]["rows"]
    assert (row["score"], row["first"], row["published"][0][2]) == (1.0, 1, 52.7)
    assert client.post("/api/questions", json={**body, "questions": "none-q.tsv"}).status_code == 404


def test_page(start_server, page, tmp_path, photograph, accessible):
    token = secrets.token_hex(6)
    source = tmp_path / "facts.txt"
    source.write_text(TEXT.format(token=token))
    folder = tmp_path / "served"
    folder.mkdir()
    server = start_server(folder)
    page.goto(f"{server.address}/ask")
    page.locator("#source-file").set_input_files(source)
    page.get_by_text("Collect from facts.txt.").wait_for()
    page.get_by_role("button", name="Collect", exact=True).click()
    page.get_by_label("Question").wait_for()
    page.get_by_label("Question").fill(f"When was the {token} transistor invented?")
    page.keyboard.press("Enter")
    page.locator("#answers strong", has_text="1947").wait_for()
    page.locator(".evidence", has_text=token).wait_for()
    photograph("ask")
    accessible()
