"""Mail: what of a message is its text, and what a box is cut into."""

import email.charset
import gzip
import mailbox
from email.message import EmailMessage
from email.mime.text import MIMEText

import pytest

from likewise.errors import FormatError
from likewise.read import documents
from likewise.read.documents import read_file
from likewise.read.formats import sniff
from likewise.read.options import ReadOptions
from likewise.read.pieces import pieces

BOX = b"""From ann@e.org Mon Jan  5 10:00:00 2026
From: =?utf-8?q?Ann_M=C3=BCller?= <ann@e.org>
Subject: =?iso-8859-1?q?Gr=FC=DFe?= from
 the kitchen
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: quoted-printable

The soup was ful=
l. Gr=C3=BC=C3=9Fe

>From here on it is cold.

From - Mon Jan  5 11:00:00 2026
Subject: picture
Content-Type: image/png
Content-Transfer-Encoding: base64

iVBORw0KGgo=

From bob Mon Jan  5 12:00:00 +0000 2026
Subject: bread

From time to time dough rises.
"""
MESSAGE = b"""Return-Path: <a@e.org>
MIME-Version: 1.0
From: a@e.org
Subject: Two ways
Content-Type: multipart/mixed; boundary=A

--A
Content-Type: multipart/alternative; boundary=B

--B
Content-Type: text/html

<h1>Soup</h1><p>It is hot.</p>
--B--
--A
Content-Type: text/plain
Content-Disposition: attachment; filename=a.txt

An attachment.
--A
Content-Type: text/plain

The foot.
--A--
"""


def read(path, data, **options):
    path.write_bytes(data)
    skipped = []
    return list(documents(path, on_skip=skipped.append, **options)), skipped


@pytest.mark.parametrize("name", ["a.mbox", "2026-January.txt", "box", "a.mbox.gz"])
def test_each_message_of_a_box_is_a_document(tmp_path, name):
    found, skipped = read(tmp_path / name, gzip.compress(BOX) if name.endswith("gz") else BOX)
    assert [(one.id, one.title, one.format) for one in found] == [
        (f"{name}#1", "Grüße from the kitchen", "mail"),
        (f"{name}#3", "bread", "mail"),
    ]
    assert found[0].text == "The soup was full. Grüße\n\nFrom here on it is cold."
    assert found[0].fields == {"from": "Ann Müller <ann@e.org>"}
    assert found[1].text == "From time to time dough rises."
    assert [(one.source[-2:], one.reason) for one in skipped] == [("#2", "no text")]


def test_a_message_is_its_texts_without_attachments_and_html_keeps_its_structure(tmp_path):
    (found,), skipped = read(tmp_path / "a.eml", MESSAGE)
    assert not skipped
    assert (found.id, found.title, found.text) == ("a.eml", "Two ways", "Soup\n\nIt is hot.\n\nThe foot.")
    assert [one.kind for one in found.blocks] == ["title", "paragraph", "paragraph"]
    assert read(tmp_path / "b.eml", MESSAGE.replace(b"\n", b"\r\n"))[0][0].text == found.text


def test_a_message_of_one_part_is_read_whatever_its_kind_of_text(tmp_path):
    note = b"From: a@e.org\nDate: Mon, 5 Jan 2026 10:00:00 +0000\nContent-type: text/asciidoc\n\nSoup is hot.\n"
    (found,), skipped = read(tmp_path / "howto.txt", note)
    assert (found.text, skipped) == ("Soup is hot.", [])
    data = MESSAGE.replace(b"--A--", b"--A\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\n--A--")
    assert "VCALENDAR" not in read(tmp_path / "a.eml", data)[0][0].text
    picture = note.replace(b"text/asciidoc", b"image/png")
    assert [one.reason for one in read(tmp_path / "b.eml", picture)[1]] == ["no text"]


def written(charset, plain="Soppa på svenska är varm.", html=None):
    """A message as the standard library writes it."""
    message = EmailMessage()
    message["Subject"], message["From"], message["Date"] = plain, "a@e.org", "Mon, 5 Jan 2026 10:00:00 +0000"
    message.set_content(plain, charset=charset)
    if html:
        message.add_alternative(html, subtype="html")
    message.add_attachment(b"\x00\x01", maintype="application", subtype="octet-stream", filename="soup.bin")
    return message


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "cp1252"])
def test_character_sets_and_alternatives(tmp_path, charset):
    (found,), _ = read(tmp_path / "a", written(charset, html="<p>Other words.</p>").as_bytes())
    assert (found.title, found.text) == ("Soppa på svenska är varm.",) * 2, "of alternatives the plain one"
    html = written(charset, plain=" ", html="<p>Varm soppa.</p>")
    assert [one.text for one in read(tmp_path / "b", html.as_bytes())[0]] == ["Varm soppa."]


def test_a_character_set_that_escapes_from_ascii(tmp_path):
    message = MIMEText("温かいスープ", "plain", "iso-2022-jp")
    message["Subject"], message["From"], message["Date"] = "スープ", "a@e.org", "Mon, 5 Jan 2026 10:00:00 +0000"
    assert email.charset.Charset("iso-2022-jp").get_body_encoding() != "base64", "its bytes are ASCII"
    (found,), _ = read(tmp_path / "a.eml", message.as_bytes())
    assert (found.title, found.text.strip()) == ("スープ", "温かいスープ")


def test_folders_of_mail_are_read_message_by_message(tmp_path):
    folder = mailbox.Maildir(tmp_path / "mail")
    for text in ("Soup is hot.", "Bread is dry."):
        folder.add(written("utf-8", text))
    assert sorted(one.text for one in documents(tmp_path / "mail")) == ["Bread is dry.", "Soup is hot."]


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"From the sea came a ship.\nIt was old.\n", "text"),
        (b"From a Mon Jan  5 10:00:00 2026\nIt was old.\n", "text"),
        (b"From: Ann\nTo: Bob\n\nDear Bob, it is hot.\n", "text"),
        (b"Package: soup\nVersion: 1\nDescription: hot\n", "text"),
        (b"From: a@e.org\nDate: Mon, 5 Jan 2026 10:00:00 +0000\n\nHot.\n", "mail"),
        (b"MIME-Version: 1.0\nContent-Type: text/plain\n\nHot.\n", "mail"),
    ],
)
def test_first_bytes_tell_mail_from_other_texts(start, kind):
    assert sniff("a.txt", start).name == kind
    assert sniff("a.md", start).name == "markdown"


def test_limits(tmp_path):
    large = BOX.replace(b"From here", b"From here " + b"x" * 500)
    found, skipped = read(tmp_path / "a.mbox", large, max_bytes=400)
    assert [one.id for one in found] == ["a.mbox#3"]
    assert [one.reason for one in skipped] == ["too large", "no text"]
    parts = b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(600))
    (found, skipped) = read(tmp_path / "b.eml", b"From: a\n" + parts)
    assert (found, skipped[0].reason) == ([], "too deep")
    with pytest.raises(FormatError, match=r"a\.mbox#1: too large"):
        list(documents(tmp_path / "a.mbox", max_bytes=400, strict=True))


@pytest.mark.parametrize("size", [398, 399, 400, 401, 402, 801, 802])
def test_the_end_of_a_line_beyond_the_limit_is_no_blank_line(tmp_path, size):
    """It stands by itself in what is read at a time; a message begins below a blank line only."""
    first, letter = b"From a Mon Jan  5 10:00:00 2026\nSubject: words\n\n", b"Some words.\n"
    box = first + letter + b"x" * size + b"\n" + first + letter + b"\n" + first + letter
    found, skipped = read(tmp_path / "a.mbox", box, max_bytes=400)
    assert [one.id for one in found] == ["a.mbox#2"]
    assert [one.reason for one in skipped] == ["too large"]


@pytest.mark.parametrize("packed", [False, True])
def test_a_box_is_read_in_pieces_as_it_is_as_a_whole(tmp_path, packed):
    path = tmp_path / "a.mbox"
    box = b"".join(BOX.replace(b"soup", b"soup %d" % n) for n in range(30)).replace(b"rises.\nFrom", b"rises.\n\nFrom")
    path.write_bytes(gzip.compress(box) if packed else box)
    cut = pieces(path, path.name, ReadOptions(), 3000)
    assert len(cut) > 3
    apart = [one for piece in cut for one in read_file(path, path.name, ReadOptions(), [].append, piece)]
    whole = list(documents(path))
    assert apart == whole
    assert len(whole) == 60
