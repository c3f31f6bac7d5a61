"""Retrieval collections with formats of their own: npl, lisa, time, cf."""

import re
from collections.abc import Iterable

_SLASH = re.compile(r"^\s*/\s*$", re.MULTILINE)
_LISA_DOCUMENT = re.compile(r"^\s*Document\s+(\d+)\s*$", re.MULTILINE)
_STARS = re.compile(r"^\s*\*{5,}\s*$", re.MULTILINE)
_TIME_MARK = re.compile(r"^\s*\*(TEXT|FIND|STOP)\b[ \t]*(\d*)(.*)$", re.MULTILINE)
_CF_TAG = re.compile(r"^([A-Z]{2})(?:\s+(.*))?$")


def _squeeze(text: str) -> str:
    return " ".join(text.split())


# npl: number, text, and a line with a slash


def npl_texts(text: str, notes: list[str]) -> dict[str, str]:
    r"""Return number -> text.

    >>> npl_texts("1\nsome words\n   /\n2\nmore\n/\n", [])
    {'1': 'some words', '2': 'more'}
    """
    return _numbered(_SLASH.split(text), "part", notes)


def _numbered(parts: Iterable[str], what: str, notes: list[str]) -> dict[str, str]:
    """Return number -> text of parts whose first line is their number."""
    texts: dict[str, str] = {}
    for part in parts:
        number, _, body = part.strip().partition("\n")
        if not number:
            continue
        if not number.strip().isdecimal():
            notes.append(f"a {what} that starts with {number[:20]!r} has no number and is left out")
            continue
        texts[str(int(number))] = _squeeze(body)
    return texts


def npl_judgements(text: str, notes: list[str]) -> dict[tuple[str, str], int]:
    """Return (query, document) -> 1."""
    return {
        (query, str(int(document))): 1
        for query, body in npl_texts(text, notes).items()
        for document in body.split()
        if document.isdecimal()
    }


# lisa: "Document 12", title, blank line, text, a line of stars


def lisa_documents(text: str, notes: list[str]) -> dict[str, str]:
    r"""Return number -> title and text. Split at the headings, for some lines of stars are missing.

    >>> lisa_documents("Document    1\nTITLE\n \nTEXT.\n" + 44 * "*" + "\n", [])
    {'1': 'TITLE TEXT.'}
    """
    parts = _LISA_DOCUMENT.split(text)
    texts: dict[str, str] = {}
    for number, body in zip(parts[1::2], parts[2::2], strict=True):
        key = str(int(number))
        if key in texts:
            notes.append(f"document {key} comes twice; the first is kept")
            continue
        texts[key] = _squeeze(_STARS.sub(" ", body))
    return texts


def lisa_queries(text: str, notes: list[str]) -> dict[str, str]:
    r"""Return number -> query; each ends with a ``#``.

    >>> lisa_queries("1\nI AM INTERESTED IN INDEXING. #\n2\nALSO C # IS NOT AN END\nHERE #\n", [])
    {'1': 'I AM INTERESTED IN INDEXING.', '2': 'ALSO C # IS NOT AN END HERE'}
    """
    return _numbered(re.split(r"#\s*$", text, flags=re.MULTILINE), "query", notes)


def lisa_judgements(text: str, notes: list[str]) -> dict[tuple[str, str], int]:
    """Return (query, document) -> 1 from LISARJ.NUM (query, count, documents) or LISA.REL (``Query 1`` ... ``-1``)."""
    if "Query" in text:
        grades = {}
        for number, body in re.findall(r"Query\s+(\d+)(.*?)(?=Query\s+\d|\Z)", text, re.DOTALL):
            listed = body.partition("Refs")[2] or body
            grades.update({(str(int(number)), str(int(one))): 1 for one in re.findall(r"(?<![-\d])\d+", listed)})
        return grades
    numbers = [int(word) for word in text.split() if word.lstrip("-").isdecimal()]
    grades, at = {}, 0
    while at + 1 < len(numbers):
        query, count = numbers[at], numbers[at + 1]
        grades.update({(str(query), str(document)): 1 for document in numbers[at + 2 : at + 2 + count]})
        if at + 2 + count > len(numbers):
            notes.append(f"the relevance file ends before the {count} documents of query {query}")
        at += 2 + count
    return grades


# time: "*TEXT 017 01/04/63 PAGE 020" before a document, "*FIND 1" before a query, "*STOP" at the end


def time_texts(text: str, notes: list[str], *, by_position: bool) -> dict[str, str]:
    r"""Return number -> text; ``by_position`` counts from 1, which is what TIME.REL means by a document.

    >>> file = "*TEXT 017 01/04/63 PAGE 020\n\nONE .\n*TEXT 020 01/04/63 PAGE 021\nTWO .\n*STOP\n"
    >>> time_texts(file, [], by_position=True)
    {'1': 'ONE .', '2': 'TWO .'}
    """
    texts: dict[str, str] = {}
    marks = list(_TIME_MARK.finditer(text))
    for position, mark in enumerate(marks):
        if mark[1] == "STOP":
            break
        key = str(position + 1) if by_position or not mark[2] else str(int(mark[2]))
        if key in texts:
            notes.append(f"text {key} comes twice; the first is kept")
            continue
        end = marks[position + 1].start() if position + 1 < len(marks) else len(text)
        texts[key] = _squeeze(text[mark.end() : end])
    return texts


def time_judgements(text: str, notes: list[str]) -> dict[tuple[str, str], int]:
    r"""Return (query, document) -> 1; a line has a query and its documents, an indented one goes on.

    >>> sorted(time_judgements("1 268 288\n\n2   5\n", []))
    [('1', '268'), ('1', '288'), ('2', '5')]
    """
    grades: dict[tuple[str, str], int] = {}
    query = last = 0
    for line in text.split("\n"):
        numbers = [int(word) for word in line.split() if word.isdecimal()]
        if not numbers:
            continue
        # Queries are numbered upwards, with a few gaps at most, and so are the documents of a query: what does not
        # continue the count of queries continues the list of documents.
        first = numbers[0]
        if first == query + 1 or (query < first <= query + 5 and (first <= last or not line[:1].isspace())):
            query, numbers = first, numbers[1:]
        last = numbers[-1] if numbers else last
        grades.update({(str(query), str(document)): 1 for document in numbers})
    return grades


# cf: lines "TI title", continued by indented ones; records start with PN, queries with QN. Also as XML.


def cf_documents(text: str, notes: list[str]) -> dict[str, str]:
    r"""Return record number -> title and abstract (or extract).

    >>> cf_documents("PN 74001\nRN 00001\nTI A title\n   goes on.\nAB Words.\nRF 001\n", [])
    {'1': 'A title goes on. Words.'}
    """
    if "<RECORD>" in text:
        found = {}
        for body in re.findall(r"<RECORD>(.*?)</RECORD>", text, re.DOTALL):
            if not (number := _inner("RECORDNUM", body)).isdecimal():
                notes.append("a record has no number and is left out")
                continue
            words = [_inner("TITLE", body), _inner("ABSTRACT", body) or _inner("EXTRACT", body)]
            found[str(int(number))] = _squeeze(" ".join(words))
        return found
    texts: dict[str, str] = {}
    for fields in _cf_records(text, "PN"):
        if not (number := fields.get("RN", "").strip()).isdecimal():
            notes.append(f"record {fields.get('PN', '?').strip()} has no number and is left out")
            continue
        texts[str(int(number))] = _squeeze(" ".join(fields.get(tag, "") for tag in ("TI", "AB", "EX")))
    return texts


def cf_queries(text: str, notes: list[str]) -> tuple[dict[str, str], dict[tuple[str, str], int]]:
    r"""Return the queries and (query, document) -> grade, the sum of four experts' 0, 1 or 2.

    >>> cf_queries("QN 00001\nQU What is\n   known?\nNR 00002\nRD  139 1222  151 2211\n", [])
    ({'1': 'What is known?'}, {('1', '139'): 7, ('1', '151'): 6})
    """
    texts: dict[str, str] = {}
    grades: dict[tuple[str, str], int] = {}
    if "<QUERY>" in text:
        for body in re.findall(r"<QUERY>(.*?)</QUERY>", text, re.DOTALL):
            if not (number := _inner("QueryNumber", body)).isdecimal():
                notes.append("a query has no number and is left out")
                continue
            query = str(int(number))
            texts[query] = _squeeze(_inner("QueryText", body))
            for votes, document in re.findall(r"<Item\s+score=\"(\d+)\"\s*>\s*(\d+)", body):
                grades[query, str(int(document))] = sum(map(int, votes))
        return texts, {pair: grade for pair, grade in grades.items() if grade > 0}
    for fields in _cf_records(text, "QN"):
        if not fields["QN"].isdecimal():
            notes.append(f"a query with the number {fields['QN']!r} is left out")
            continue
        query = str(int(fields["QN"]))
        texts[query] = _squeeze(fields.get("QU", ""))
        words = fields.get("RD", "").split()
        if len(words) % 2 or not all(word.isdecimal() for word in words):
            notes.append(f"the relevance list of query {query} is damaged; it is read as far as it goes")
        for document, votes in zip(words[::2], words[1::2], strict=False):
            if document.isdecimal() and votes.isdecimal():
                grades[query, str(int(document))] = sum(map(int, votes))
    return texts, {pair: grade for pair, grade in grades.items() if grade > 0}


def _cf_records(text: str, first: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    tag = ""
    for line in text.split("\n"):
        match = _CF_TAG.match(line)
        if match:
            tag = match[1]
            if tag == first:
                found.append({})
        if found and tag:
            found[-1][tag] = f"{found[-1].get(tag, '')} {(match[2] or '') if match else line.strip()}".strip()
    return found


def _inner(name: str, body: str) -> str:
    match = re.search(rf"<{name}>(.*?)</{name}>", body, re.DOTALL)
    return match[1].strip() if match else ""
