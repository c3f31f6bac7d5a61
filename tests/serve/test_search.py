import secrets

import pytest
from tests.serve.test_match import wait_for

from likewise.index.index import Index
from likewise.results.paraphrases import Paraphrases
from likewise.serve.routes.search import open_index

TEXT = """# Law

The law took effect in May, {token} wrote.

It was repealed in June by the same court.

# Calendar

May is a month with thirty-one days <b>and</b> some law.
"""


@pytest.fixture
def indexed(client, tmp_path):
    (tmp_path / "text.md").write_text(TEXT.format(token="somebody"))
    body = {"name": "laws", "source": "text.md", "options": {"unit": "paragraph"}}
    job = client.post("/api/index", json=body)
    assert job.status_code == 202, job.text
    done = wait_for(client, job.json()["id"])
    assert done["state"] == "done", done["message"]
    assert done["result"]["texts"] == 3
    return "laws"


def test_same_as_python(client, indexed, tmp_path):
    found = client.get("/api/search", params={"index": indexed, "query": "law may"}).json()
    expected = Index.open(tmp_path / ".likewise" / "uploads" / indexed).search("law may")
    assert [hit["score"] for hit in found["hits"]] == expected.scores.tolist()
    assert str(tmp_path) not in str(found)
    for hit in found["hits"]:
        words = {hit["snippet"][span["start"] : span["end"]].lower() for span in hit["highlights"]}
        assert words <= {"law", "may"}


def test_corrections_are_told_and_can_be_taken_back(client, indexed):
    params = {"index": indexed, "query": "repeeled cuort"}
    found = client.get("/api/search", params=params).json()
    assert found["corrected"] == "repealed court"
    assert found["corrections"] == {"repeeled": "repealed", "cuort": "court"}
    assert found["hits"][0]["heading"] == "Law"
    assert not client.get("/api/search", params={**params, "forgive": False}).json()["hits"]


def test_query_language_and_why(client, indexed):
    found = client.get("/api/search", params={"index": indexed, "query": '"took effect" -month'}).json()["hits"]
    assert len(found) == 1
    why = client.get("/api/search/why", params={"index": indexed, "query": '"took effect" -month', "rank": 1}).json()
    assert why["score"] == pytest.approx(found[0]["score"])
    assert sum(part["value"] for part in why["contributions"]) == pytest.approx(why["score"])


@pytest.mark.parametrize(
    ("params", "status", "says"),
    [
        ({"index": "laws", "query": "(open"}, 422, "not closed"),
        ({"index": "none", "query": "x"}, 404, "there is no 'none'"),
        ({"index": "text.md", "query": "x"}, 409, "no index"),
        ({"index": "laws", "query": ""}, 422, "query"),
        ({"index": "laws", "query": "x", "filter": "oops"}, 422, "field=value"),
    ],
)
def test_refusals(client, tmp_path, params, status, says):
    Index.build(["the law"], path=tmp_path / "laws")
    (tmp_path / "text.md").write_text("no index")
    answer = client.get("/api/search", params=params)
    assert answer.status_code == status
    assert says in answer.json()["error"]["message"]


def test_reindex_is_taken_up(client, indexed, tmp_path):
    assert not client.get("/api/search", params={"index": indexed, "query": "zebra"}).json()["hits"]
    (tmp_path / "text.md").write_text("A zebra.\n\nA law.\n")
    body = {"name": "laws", "source": "text.md", "options": {"unit": "paragraph"}}
    wait_for(client, client.post("/api/index", json=body).json()["id"])
    assert client.get("/api/search", params={"index": indexed, "query": "zebra"}).json()["hits"]


def test_made_up_words_do_not_pile_up(client, indexed, monkeypatch):
    service = client.app.state.likewise
    first = open_index(service, indexed)
    first.search("law of somebody")
    assert open_index(service, indexed) is first
    monkeypatch.setattr("likewise.serve.service.MOST_WORDS", 20)
    client.get("/api/search", params={"index": indexed, "query": " ".join(f"word{n}" for n in range(30))})
    again = open_index(service, indexed)
    assert again is not first
    assert open_index(service, indexed) is again


def test_expansion_can_be_switched_off(client, tmp_path):
    Index.build(["the law took effect", "the statute came into force", "an act of war"], path=tmp_path / "laws")
    Paraphrases.of_rows([("law", "act", 5), ("law", "statute", 7)]).write(tmp_path / "pp.parquet")
    params = {"index": "laws", "query": "law", "expand": "pp.parquet"}
    wide = client.get("/api/search", params=params).json()
    assert len(wide["hits"]) == 3
    assert wide["widened"] == [{"phrase": "law", "also": ["statute", "act"], "off": []}]
    less = client.get("/api/search", params={**params, "without": ["act"]}).json()
    assert len(less["hits"]) == 2
    assert less["widened"] == [{"phrase": "law", "also": ["statute"], "off": ["act"]}]
    none = client.get("/api/search", params={**params, "without": ["act", "statute"]}).json()
    assert [hit["snippet"] for hit in none["hits"]] == ["the law took effect"]
    why = client.get("/api/search/why", params={**params, "rank": 3}).json()
    assert why["contributions"]


def test_page_with_expansion(start_server, page, tmp_path, photograph, accessible):
    token = secrets.token_hex(4)
    Index.build([f"the law {token}", f"the statute of {token}", "an act of war"], path=tmp_path / "laws")
    Paraphrases.of_rows([("law", "act", 5), ("law", "statute", 7)]).write(tmp_path / "pp.parquet")
    server = start_server(tmp_path)
    page.goto(f"{server.address}/search?index=laws&query=law&expand=pp.parquet")
    page.locator("#hits li", has_text="statute").wait_for()
    assert page.locator("#hits > li").count() == 3
    photograph("search-wide")
    accessible()
    page.get_by_label("statute", exact=True).uncheck()
    page.locator("#hits li", has_text="statute").wait_for(state="detached")
    assert page.locator("#hits > li").count() == 2
    page.get_by_label("act", exact=True).uncheck()
    page.locator("#hits li", has_text="war").wait_for(state="detached")
    assert token in page.locator("#hits").text_content()


def test_page(start_server, page, tmp_path, photograph, accessible):
    token = secrets.token_hex(6)
    source = tmp_path / "laws.md"
    source.write_text(TEXT.format(token=token))
    folder = tmp_path / "served"
    folder.mkdir()
    server = start_server(folder)
    page.goto(f"{server.address}/search")
    page.locator("#source-file").set_input_files(source)
    page.get_by_text("Index laws.md.").wait_for()
    accessible()
    page.get_by_role("button", name="Index", exact=True).click()
    page.get_by_label("Query", exact=True).wait_for()
    page.get_by_label("Query", exact=True).fill(f"law {token}")
    page.keyboard.press("Enter")
    page.locator("#hits mark", has_text=token).wait_for()
    page.get_by_role("button", name="why").first.click()
    page.locator(".why tbody td", has_text=token).first.wait_for()
    photograph("search")
    accessible()
    assert page.locator("#hits b").count() == 0
    page.get_by_label("Query", exact=True).fill("repeeled")
    page.keyboard.press("Enter")
    page.locator("#corrected", has_text="Showing results for repealed").wait_for()
    page.get_by_role("button", name="as written").click()
    page.get_by_text("Nothing found.").wait_for()
    page.expected_complaints = ("422",)
    page.get_by_label("Query", exact=True).fill("(law")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("not closed").wait_for()


def test_what_is_no_json_and_no_name_is_said_in_words(client, indexed):
    answer = client.post("/api/index", content=b"{name: laws", headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith("the body is not JSON: ")
    answer = client.post("/api/index", json={"name": "../x", "source": "text.md"})
    assert answer.json()["error"]["message"].startswith("'../x' is not a plain name")
