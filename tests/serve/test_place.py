"""Search hits open where they stand: in the book if there is one, between their neighbours otherwise."""

import re

from tests.serve.test_match import wait_for

SOUP = "# Soup\n\nClear soup is boiled from bones and roots for many hours, 2 < 3.\n\nServe it hot, with bread.\n"
STOCK = "# Stock\n\nStock is boiled from bones and roots for many hours too.\n\n## Cold\n\nJelly sets when cold.\n"
BOOK = {"1-soup.md": SOUP, "2-stock.md": STOCK}


def indexed(client, folder, unit):
    kitchen = folder / "kitchen"
    kitchen.mkdir()
    for name, text in BOOK.items():
        (kitchen / name).write_text(text, encoding="utf-8")
    body = {"name": "shelf", "source": "kitchen", "options": {"unit": unit}}
    assert wait_for(client, client.post("/api/index", json=body).json()["id"])["state"] == "done"


def first(client, query):
    return client.get("/api/search", params={"index": "shelf", "query": query}).json()["hits"][0]


def opened(client, identity, query):
    return client.get("/search/text", params={"index": "shelf", "id": identity, "query": query}, follow_redirects=False)


def test_between_its_neighbours(client, tmp_path):
    indexed(client, tmp_path, "paragraph")
    page = opened(client, first(client, "roots soup")["id"], "roots soup")
    assert page.status_code == 200
    assert "<mark>soup</mark> is boiled from bones and <mark>roots</mark>" in page.text
    assert page.text.index('id="here"') < page.text.index("Serve it hot, with bread.")
    assert "2 &lt; 3" in page.text
    assert "Jelly" not in page.text  # of another document
    assert str(tmp_path) not in page.text


def test_in_the_book_at_the_passage(client, tmp_path):
    indexed(client, tmp_path, "section")
    job = client.post("/api/link", json={"left": "kitchen"}).json()["id"]
    assert wait_for(client, job)["state"] == "done"
    answer = opened(client, first(client, "bread")["id"], "bread")
    assert answer.status_code == 303
    target = re.fullmatch(rf"/read/{job}\?unit=(\d+)", answer.headers["location"])
    assert target is not None
    assert f'/api/link/{job}/book#u{target[1]}"' in client.get(answer.headers["location"]).text
    passage = re.search(rf'id="u{target[1]}".*?Serve it hot', client.get(f"/api/link/{job}/book").text, re.DOTALL)
    assert passage is not None
    assert 'id="u' not in passage[0][5:]


def test_what_is_not_there(client, tmp_path):
    indexed(client, tmp_path, "section")
    for identity in ("nothing", "7", "9" * 30):
        answer = opened(client, identity, "soup")
        assert answer.status_code == 422
        assert "no text with id" in answer.text
