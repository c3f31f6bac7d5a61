import secrets

import pytest


def ask(client, **body):
    return client.post("/api/compare", json=body)


def test_same_as_python(client):
    import likewise as lw

    answer = ask(client, left="Gonzalo Gonzalez", right="Gonzales, Gonzalo", measure="spectra(q=3)").json()
    why = lw.Spectra(q=3).explain("Gonzalo Gonzalez", "Gonzales, Gonzalo")
    assert answer["score"] == why.score
    assert [part["value"] for part in answer["contributions"]] == [part.value for part in why.contributions]


def test_adaptive_measure_learns_from_the_collection(client):
    body = {"left": "red car", "right": "blue car", "measure": "tfidf(weights=idf)"}
    assert ask(client, **body).json()["score"] == 0  # of two texts alone: a word of both has no weight
    rare = ask(client, **body, collection=["a b", "c d", "e f"]).json()["score"]
    common = ask(client, **body, collection=["car", "car", "car b"]).json()["score"]
    assert rare > common


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"left": "a", "right": "b", "measure": "magic"}, "measure must be one of"),
        ({"left": "a", "right": "b", "measure": "spectra(q=99)"}, "q must be between"),
        ({"left": "a", "right": "b", "measure": "spectra(term_weights={"}, "closing bracket"),
        ({"left": "a", "right": "b", "measure": "spectra(term_weights={)"}, "cannot be read"),
        ({"left": "a", "right": "b", "measure": "spectra(stop=/etc/passwd)"}, "stop must be"),
        ({"left": "a", "right": "b", "more": 1}, "more"),
        ({"left": "a"}, "right"),
        ({"left": "a" * 100_001, "right": "b"}, "left"),
    ],
)
def test_refusals_say_what_is_allowed(client, body, says):
    answer = ask(client, **body)
    assert answer.status_code == 422
    assert says in answer.json()["error"]["message"]


def test_page(start_server, page, tmp_path, photograph, accessible):
    server = start_server(tmp_path)
    page.goto(f"{server.address}/compare")
    page.get_by_role("table").get_by_role("row").nth(1).wait_for()
    photograph("compare")
    accessible()
    token = secrets.token_hex(6)
    page.get_by_label("Left", exact=True).fill(f"the 🎉 word {token} here")
    page.get_by_label("Right", exact=True).fill(f"<script>document.title='x'</script> {token}")
    page.locator("#right-marked mark", has_text=token).wait_for()
    before = page.locator("#score").text_content()
    page.get_by_label("Measure", exact=True).select_option("matches")
    page.locator("#spec", has_text="matches").wait_for()
    assert page.locator("#score").text_content() == "1.0000" != before
    # Marks are exact also after characters outside the basic plane, and nothing of a text is ever executed.
    assert page.locator("#left-marked mark").all_text_contents() == [token]
    assert page.title() == "Compare · Likewise"
    page.get_by_label("Measure", exact=True).select_option("tfidf")
    page.locator("#score", has_text="0.0000").wait_for()
    page.get_by_label("Collection").fill("one\ntwo\nthree")
    page.locator("#score:not(:text('0.0000'))").wait_for()
    row = page.locator("#parts tbody tr").first
    row.focus()
    assert page.locator("#left-marked mark.strong").text_content() == token
