"""Search hits open where they stand: in the book if there is one, between their neighbours otherwise."""

import re

from tests.serve.test_match import wait_for

from likewise import Index

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


def test_document_and_place_decide_where_words_are_the_same(client, tmp_path):
    folder = tmp_path / "kitchen"
    folder.mkdir()
    (folder / "a.md").write_text("# Soup\n\nServe it.\n\nBoil clear soup of bones.\n", encoding="utf-8")
    (folder / "b.md").write_text("# Bread\n\nBake rye.\n\nServe it.\n\n# Jam\n\nServe it.\n", encoding="utf-8")
    for unit in ("paragraph", "section", "document"):
        body = {"name": unit, "source": "kitchen", "options": {"unit": unit}}
        assert wait_for(client, client.post("/api/index", json=body).json()["id"])["state"] == "done"
    job = client.post("/api/link", json={"left": "kitchen"}).json()["id"]
    assert wait_for(client, job)["state"] == "done"
    book = Index.open(tmp_path / ".likewise" / "jobs" / job / "index")

    def passage(index, identity):
        parameters = {"index": index, "id": identity, "query": "serve"}
        answer = client.get("/search/text", params=parameters, follow_redirects=False)
        found = book.document(answer.headers["location"].rpartition("=")[2])
        return found.fields["document"], found.text

    assert passage("paragraph", "a.md#1") == ("a.md", "Soup\n\nServe it.")
    assert passage("paragraph", "a.md#2") == ("a.md", "Boil clear soup of bones.")
    assert passage("paragraph", "b.md#2") == ("b.md", "Serve it.")
    assert passage("paragraph", "b.md#3") == passage("section", "b.md#2") == ("b.md", "Jam\n\nServe it.")
    assert passage("section", "b.md#1") == passage("document", "b.md") == ("b.md", "Serve it.")


def test_an_index_made_elsewhere_is_of_no_book(client, tmp_path):
    indexed(client, tmp_path, "section")
    job = client.post("/api/link", json={"left": "kitchen"}).json()["id"]
    assert wait_for(client, job)["state"] == "done"
    Index.build(["Serve it hot, with bread.", "Ships sail."], path=tmp_path / "ships.index")
    answer = client.get("/search/text", params={"index": "ships.index", "id": "0", "query": "bread"})
    assert not answer.history
    assert "Serve it hot" in answer.text


def test_what_is_not_there(client, tmp_path):
    indexed(client, tmp_path, "section")
    for identity in ("nothing", "7", "9" * 30):
        answer = opened(client, identity, "soup")
        assert answer.status_code == 422
        assert "no text with id" in answer.text
