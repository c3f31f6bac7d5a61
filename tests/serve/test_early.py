"""What is asked before a page has its script is answered: the form loads the page with the question in the address."""

import pytest

from likewise import Index, Paraphrases
from likewise.jobs.questions.nuggets import nuggets

# page, its field, what is asked, where the answer stands, what it says
ASKED = [
    ("ask", "Question", "When was the transistor invented?", "#answers strong", "1947"),
    ("search", "Query", "repealed law", "#hits mark", "repealed"),
    ("paraphrases", "Phrase", "took effect", "#groups strong", "came into force"),
]


@pytest.fixture(scope="module")
def served(start_server, tmp_path_factory):
    folder = tmp_path_factory.mktemp("early")
    (folder / "a.txt").write_text("In 1947, Bell Labs invented the first transistor. It was a cold winter.\n")
    nuggets(folder / "a.txt", folder / "facts")
    Index.build(["the law was repealed", "a month of rain"], path=folder / "laws")
    Paraphrases.of_rows([("came into force", "took effect", 7), ("law", "act", 5)]).write(folder / "pp.parquet")
    return start_server(folder)


@pytest.mark.parametrize(("name", "field", "asked", "place", "answer"), ASKED, ids=[case[0] for case in ASKED])
def test_a_question_asked_before_the_script_is_there(served, page, name, field, asked, place, answer):
    held = []
    page.route(f"**/static/{name}.js", lambda route: held.append(route), times=1)
    page.goto(f"{served.address}/{name}", wait_until="commit")
    page.get_by_label(field, exact=True).fill(asked)
    page.keyboard.press("Enter")
    page.locator(place, has_text=answer).first.wait_for()
    assert len(held) == 1


def test_a_file_chosen_before_the_script_is_there(served, page, tmp_path):
    path = tmp_path / "early.txt"
    path.write_text("Some text.")
    held = []
    page.route("**/static/ask.js", lambda route: held.append(route), times=1)
    page.goto(f"{served.address}/ask", wait_until="commit")
    page.locator("#source-file").set_input_files(path)
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    page.get_by_text("Collect from early.txt.").wait_for(state="attached")
