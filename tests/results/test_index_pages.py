"""The subject index beside copies, and references to the entries of a glossary."""

import re

from tests.results.kitchen import LOOSE, SOUP, added, indexed, written

from likewise.jobs.link import link
from likewise.results.copies import outdated


def test_the_index_is_a_page_that_leads_to_sections(book, tmp_path):
    first = indexed(book, tmp_path / "one")
    page = first["subject-index.md"].decode()
    assert page.startswith("# Index\n\n*Made by likewise link")
    label, name, anchor = re.search(r"- clear soup: \[([^]]*)\]\((soup\.md)#(see-[0-9a-f]{8})\)", page).groups()
    assert label == "Soups › Clear soup"
    assert f'<a id="{anchor}"></a>Clear *soup*' in first[name].decode()
    assert added(first["soup.md"].decode()) == SOUP
    # Copies of the copies are the copies, and the check agrees.
    assert indexed(tmp_path / "one", tmp_path / "two") == first
    assert outdated(link(book, index_terms=8, language="english", **LOOSE), tmp_path / "one") == []
    # A file of the user's with that name stays what it is.
    (book / "subject-index.md").write_text("# Mine\n\nMy own index of soups.\n", encoding="utf-8")
    third = indexed(book, tmp_path / "three")
    assert third["subject-index.md"].decode().startswith("# Mine")
    assert third["subject-index-.md"].decode().startswith("# Index")


def test_references_lead_to_the_entry_of_a_glossary_that_sphinx_makes(tmp_path):
    glossary = (
        "Glossary\n========\n\n.. glossary::\n   :sorted:\n\n   quota\n      The space that a user may fill.\n\n"
        "   spool folder\n      A folder in which mail waits for a host. It has a quota.\n"
    )
    mail = "Mail\n====\n\nMail waits in a spool folder. Look at the spool folder.\n"
    source = written(tmp_path / "docs", {"glossary.rst": glossary, "mail.rst": mail})
    first = indexed(source, tmp_path / "one")
    said = first["mail.rst"].decode()
    assert said.endswith("\n*See also:* :term:`spool folder (glossary) <spool folder>`\n")
    glossary = first["glossary.rst"].decode()
    assert "      *See also:* :term:`quota (glossary) <quota>`" in glossary.replace("; ", "\n      *See also:* ")
    assert indexed(tmp_path / "one", tmp_path / "two") == first  # its own lines are known again
    assert glossary.count(".. _see-") <= 1  # for the page of the index


def test_places_of_one_name_are_told_apart_in_the_index(tmp_path):
    (tmp_path / "in").mkdir()
    lines = ["# Kitchen"]
    for dish in ("Soups", "Breads"):
        lines += [f"## {dish}", f"{dish} are good.", "### Warm oven", "A warm oven is good. The warm oven stays warm."]
    (tmp_path / "in" / "kitchen.md").write_text("\n\n".join([*lines, ""]), encoding="utf-8")
    (tmp_path / "in" / "cellar.md").write_text("# Cellar\n\nThe cellar is cold.\n", encoding="utf-8")
    page = indexed(tmp_path / "in", tmp_path / "out")["subject-index.md"].decode()
    line = next(line for line in page.splitlines() if line.startswith("- warm oven:"))
    named = re.findall(r"\[([^]]*)\]", line)
    assert named == ["Kitchen › Soups › Warm oven", "Kitchen › Breads › Warm oven"]


def test_restructured_text_keeps_what_two_colons_announce_and_its_glossary(tmp_path):
    glossary = (
        "Glossary\n========\n\nquota\n   The space that a user may fill in a spool folder.\n\n"
        "spool folder\n   A folder in which mail waits for a host.\n"
    )
    mail = (
        "Spool folders\n=============\n\nMail waits in a spool folder. To look at the spool folder, say::\n\n"
        "   ls spool\n\nMore of it.\n"
    )
    source = written(tmp_path / "docs", {"glossary.rst": glossary, "mail.rst": mail})
    first = indexed(source, tmp_path / "one")
    mail, glossary, page = (first[name].decode() for name in ("mail.rst", "glossary.rst", "subject-index.rst"))
    assert "say::\n\n   ls spool\n\n*See also:* :ref:`spool folder (glossary) <see-" in mail
    assert re.search(r"in a spool folder\.\n\n   \*See also:\* :ref:`spool folder \(glossary\) <see-", glossary)
    assert page.startswith(":orphan:\n\nIndex\n=====\n")
    targets = set(re.findall(r"^\.\. _(see-[0-9a-f]{8}(?:-\d+)?):$", mail + glossary, re.M))
    assert set(re.findall(r"<(see-[^>]*)>", mail + glossary + page)) <= targets
    assert indexed(tmp_path / "one", tmp_path / "two") == first


def test_no_more_than_five_pointers_behind_a_paragraph(tmp_path):
    (tmp_path / "in").mkdir()
    terms = ["quota", "spool", "relay", "host", "header", "envelope", "queue"]
    entries = "".join(f"**{term}**: what is called so here.\n\n" for term in terms)
    (tmp_path / "in" / "glossary.md").write_text(f"# Glossary\n\n{entries}")
    (tmp_path / "in" / "mail.md").write_text(f"# Mail\n\nThere is a {', a '.join(terms)} for all.\n")
    link(tmp_path / "in", language="english").to_folder(tmp_path / "out")
    assert (tmp_path / "out" / "mail.md").read_text().count("(glossary)") == 5
