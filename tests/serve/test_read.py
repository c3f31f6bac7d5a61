import json
import secrets

from tests.serve.test_match import wait_for

BOOK = """# Of soup

Clear soup is boiled slowly from bones and vegetables for many hours, {token} says.

## Of bread

Bread is made from flour, water and salt, and is baked in a hot stone oven until the crust is brown.

## Of stock

For a good stock, bones and vegetables are boiled slowly for many hours, like a clear soup.

## Of ovens

A stone oven must be hot before bread of flour, water and salt is baked until its crust is brown.

<script>parent.document.title = "taken"</script>
"""


def start(client, **body):
    return client.post("/api/link", json=body)


def test_links_as_in_python(client, tmp_path):
    import likewise as lw

    (tmp_path / "book.md").write_text(BOOK.format(token="somebody"))
    job = start(client, left="book.md").json()
    done = wait_for(client, job["id"])
    assert done["state"] == "done", done["message"]
    rows = client.get(f"/api/link/{job['id']}/download?format=jsonl").text.splitlines()
    expected = lw.link(tmp_path / "book.md")
    assert [json.loads(row)["score"] for row in rows] == [row["score"] for row in expected.rows()]
    assert done["result"]["links"] == len(expected) > 0
    for format_ in ("parquet", "csv", "graphml", "html"):
        answer = client.get(f"/api/link/{job['id']}/download?format={format_}")
        assert answer.status_code == 200
        assert "attachment" in answer.headers["content-disposition"]


def test_the_book_cannot_reach_the_service(client, tmp_path):
    (tmp_path / "book.md").write_text(BOOK.format(token="somebody"))
    job = start(client, left="book.md").json()
    wait_for(client, job["id"])
    answer = client.get(f"/api/link/{job['id']}/book")
    policy = answer.headers["content-security-policy"]
    assert "sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy
    assert "script-src 'sha256-" in policy
    assert "<script>parent" not in answer.text


def test_books_of_the_folder(client, tmp_path):
    import likewise as lw

    (tmp_path / "book.md").write_text(BOOK.format(token="somebody"))
    lw.link(tmp_path / "book.md").to_html(tmp_path / "book.html")
    (tmp_path / "other.html").write_text("<script>alert(1)</script>")
    assert {item["name"]: item["kind"] for item in client.get("/api/files").json()["files"]}["book.html"] == "book"
    assert "sandbox" in client.get("/api/books/book.html").headers["content-security-policy"]
    assert client.get("/api/books/other.html").status_code == 404
    assert "book.html" in client.get("/read").text
    assert client.get("/read/shelf/book.html").status_code == 200
    assert client.get("/read/shelf/none.html", headers={"accept": "text/html"}).status_code == 404


def test_refusals(client, tmp_path):
    (tmp_path / "book.md").write_text("x")
    assert start(client, left="none.md").status_code == 404
    answer = start(client, left="book.md", options={"preset": "99"})
    assert answer.status_code == 422
    assert "99" in answer.json()["error"]["message"]
    assert client.get("/api/link/0000000000000000/book").status_code == 404


def test_folder_with_a_way_out_is_refused(client, tmp_path):
    inside = tmp_path / "book"
    inside.mkdir()
    (inside / "a.md").write_text("text")
    (inside / "out.md").symlink_to("/etc/passwd")
    refused = start(client, left="book")
    assert refused.status_code == 404
    assert refused.json()["error"]["message"] == "a link in 'book' leads out of the served folder; it is not used"


def test_page(start_server, page, tmp_path, photograph, accessible):
    token = secrets.token_hex(6)
    source = tmp_path / "kitchen.md"
    source.write_text(BOOK.format(token=token))
    folder = tmp_path / "served"
    folder.mkdir()
    server = start_server(folder)
    page.goto(f"{server.address}/read")
    page.locator("#left-file").set_input_files(source)
    page.get_by_text("Link the passages of kitchen.md.").wait_for()
    photograph("read")
    accessible()
    page.get_by_label("Title").fill("The kitchen")
    page.get_by_role("button", name="Link", exact=True).click()
    reader = page.frame_locator("#reader")
    reader.get_by_text(token).first.wait_for()
    photograph("book")
    accessible()
    page.get_by_label("Search inside").fill("stone oven")
    page.keyboard.press("Enter")
    page.locator("#found mark", has_text="oven").first.wait_for()
    page.locator("#found button").first.click()
    # Follow a link: the other passage opens beside it, with what they share marked in both.
    reader.locator("a[data-link]").first.click()
    reader.locator("#panel mark").first.wait_for()
    marked = {text.lower() for text in reader.locator("#panel mark").all_text_contents()}
    assert marked & {"soup", "bones", "bread", "oven", "flour"}
    assert page.title() == "The kitchen · Likewise"
