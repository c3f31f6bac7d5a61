"""Script in every text, name, column and query, in a real browser, on every page: shown as what it is, never run."""

import json
from urllib.parse import quote, urlencode

import httpx
import pytest
from tests.serve.test_match import wait_for

import likewise as lw
from likewise.jobs.questions.nuggets import nuggets

SCRIPT = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'-alert(3)-'{{7*7}}${7*7}"
NAME = "\"><img src=x onerror=alert(4)>'-alert(5)-'{{7*7}}"
QUERY = "<script>alert(6)</script><img src=x onerror=alert(7)>"
TEXTS = [f"The {word} soup {SCRIPT} was boiled from bones in 1947 by {SCRIPT} for hours." for word in ("clear", "old")]


@pytest.fixture(scope="module")
def served(start_server, tmp_path_factory):
    folder = tmp_path_factory.mktemp("script")
    quoted = '"' + SCRIPT.replace('"', '""') + '"'
    (folder / f"{NAME}.csv").write_text(f"id,{quoted}\n1,{quoted}\n2,{quoted}\n")
    (folder / f"{NAME}.txt").write_text("\n\n".join([f"CHAPTER {SCRIPT}", *TEXTS, "Bread is baked in ovens."]))
    rows = [{"left": SCRIPT, "right": SCRIPT + str(n), "left_text": SCRIPT, "right_text": SCRIPT} for n in range(9)]
    (folder / f"{NAME}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lw.Index.build(TEXTS, ids=[NAME, "b"], path=folder / f"{NAME}.index")
    lw.Paraphrases.of_rows([(f"soup {SCRIPT}", SCRIPT, 7)]).write(folder / f"{NAME}.parquet")
    nuggets(folder / f"{NAME}.txt", folder / f"{NAME}.facts")
    lw.link(folder / f"{NAME}.txt", min_matches=1).to_html(folder / f"{NAME}.html")
    (folder / f"{NAME}.data").mkdir()
    server = start_server(folder)
    with httpx.Client(base_url=server.address, timeout=None) as client:
        yield server.address, client


def start(client, path, **body):
    made = client.post(path, json=body)
    assert made.status_code == 202, made.text
    done = wait_for(client, made.json()["id"])
    assert done["state"] == "done", done["message"]
    return done["id"]


def pages(client):
    """Give an address of each page, and what must be seen there: the script, as text."""
    table, text = f"{NAME}.csv", f"{NAME}.txt"
    match = start(client, "/api/match", left=table, right=table, options={"left_on": [SCRIPT], "right_on": [SCRIPT]})
    dedupe = start(client, "/api/dedupe", table=table, options={"on": [SCRIPT]})
    link = start(client, "/api/link", left=text, options={"min_matches": 1})
    asked = client.post("/api/reproduce", json={"data": f"{NAME}.data", "rows": SCRIPT})
    failed = wait_for(client, asked.json()["id"])
    assert failed["state"] == "failed"
    study = client.post("/api/judge", json={"name": "s", "lists": [f"{NAME}.jsonl"], "size": 2}).json()["name"]
    yield "/", NAME
    yield "/compare", None
    yield "/match", NAME
    yield f"/match/{match}", SCRIPT
    yield f"/jobs/{dedupe}", NAME
    yield "/read", NAME
    yield f"/read/{link}", NAME
    yield f"/read/shelf/{quote(NAME)}.html", NAME
    asked = {"query": f'soup -"{QUERY}"', "index": f"{NAME}.index", "expand": f"{NAME}.parquet"}
    yield f"/search?{urlencode(asked)}", SCRIPT
    found = {"index": f"{NAME}.index", "id": NAME, "query": f"soup {QUERY}"}
    yield f"/search/text?{urlencode(found)}", SCRIPT
    yield f"/ask?{urlencode({'question': f'When was the soup {SCRIPT} boiled?', 'nuggets': f'{NAME}.facts'})}", "1947"
    yield f"/paraphrases?{urlencode({'phrase': f'soup {SCRIPT}', 'table': f'{NAME}.parquet'})}", NAME
    yield "/judge", NAME
    yield f"/judge/{study}", None
    yield "/evaluation", NAME
    yield f"/evaluation/{failed['id']}", SCRIPT
    yield f"/nothing/{quote(SCRIPT)}", "alert"
    yield f"/login?next={quote(SCRIPT)}", None


def test_script_is_shown_and_never_run(served, page):
    address, client = served
    page.expected_complaints = ("404 (Not Found)",)
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for path, shown in pages(client):
        answer = page.goto(address + path)
        assert "unsafe" not in answer.headers["content-security-policy"]
        if shown is not None:
            page.locator("body", has_text=shown).wait_for(state="attached")
        # Nothing of what was given became an element or an attribute, here or in a frame.
        for frame in page.frames:
            assert frame.locator("img[src=x], script:text('alert(1)'), [onerror]").count() == 0, (path, frame.url)
    assert dialogs == []
