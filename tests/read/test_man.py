"""Manual pages: both families of macros, tables, listings, and files that are merely named like one."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.read import ReadOptions, documents
from likewise.read.man import plain, read_man

MAN = r""".\" A comment
.TH SOUP 1 "May 2020" "kitchen 2.1"
.de ZZ
never read
..
.SH NAME
soup \- make \fBhot\fR things
.SH "SEE, OR NOT"
.PP
Two lines of
one paragraph\&. It\*(Aqs caf\['e] \(em \s-1XML\s0\c
.B really
.TP
.BR \-s ", " \-\-salt " \fIgrams\fR"
Add salt.
.ie n .IP "terminal" 4
.el .IP "printer" 4
Where it is shown.
.nf
pour(\(dqx\(dq);
    stir
.fi
.TS
tab(@);
l l.
Name@Time
T{
broth
T}@3 h
.TE
.so other.1
"""
MDOC = r""".Dd May 1, 2020
.Dt LADLE 8
.Os
.Sh NAME
.Nm ladle
.Nd serve soup
.Sh SYNOPSIS
.Nm
.Op Fl v
.Op Fl c Ar cups
.Bl -tag -width x
.It Fl v , Fl Fl verbose
Say more, see
.Xr soup 1 .
.El
.Pp
Serves
.Dq hot soup .
"""


def blocks(page):
    content = read_man(page, ReadOptions())
    return content.title, [(block.kind, block.span.of(content.text)) for block in content.blocks]


def test_macros_of_man():
    assert blocks(MAN) == (
        "soup(1)",
        [
            ("title", "NAME"),
            ("paragraph", "soup - make hot things"),
            ("title", "SEE, OR NOT"),
            ("paragraph", "Two lines of one paragraph. It's café — XML really"),
            ("item", "-s, --salt grams"),
            ("item", "Add salt."),
            ("item", "terminal"),
            ("item", "Where it is shown."),
            ("code", 'pour("x");\n    stir'),
            ("table", "Name\tTime\nbroth\t3 h"),
        ],
    )


def test_macros_of_mdoc():
    title, found = blocks(MDOC)
    assert title == "ladle(8)"
    assert [text for _, text in found] == [
        *("NAME", "ladle serve soup", "SYNOPSIS", "ladle [-v] [-c cups]", "-v, --verbose", "Say more, see soup(1)."),
        "Serves “hot soup.”",
    ]


@pytest.mark.parametrize("name", ["soup.1", "soup.3pm.gz", "soup.de.8"])
def test_the_number_of_the_section_and_a_macro_tell_a_manual_page(tmp_path, name):
    data = MAN.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    (document,) = documents(tmp_path / name)
    assert (document.format, document.title) == ("man", "soup(1)")


def test_other_files_with_a_number_are_text(tmp_path):
    (tmp_path / "notes.1").write_text(".hidden files begin with a point\n")
    (document,) = documents(tmp_path)
    assert (document.format, document.text) == ("text", ".hidden files begin with a point\n")


@given(
    st.lists(st.sampled_from([*MAN.split("\n"), *MDOC.split("\n"), '.BR "', "\\", ".TS", ".IP", "\\[u110000]", "'"]))
)
def test_any_lines_are_read(lines):
    content = read_man("\n".join(lines), ReadOptions())
    assert all(block.span.of(content.text).strip() for block in content.blocks)


ASCIIDOCTOR = r"""'\" t
.TH "CHOOM" "1" "2022\-05\-11" "util\-linux" "User Commands"
.de URL
\fI\\$2\fP <\\$1>\\$3
..
.als MTO URL
.if \n[.g] \{\
.  mso www.tmac
.  am URL
.    ad l
.  .
.  am MTO
.    ad l
.  .
.  LINKSTYLE blue R < >
.\}
.SH "NAME"
choom \- adjust a score
"""


def test_the_header_of_asciidoctor_ends():
    assert read_man(ASCIIDOCTOR, ReadOptions()).text == "NAME\n\nchoom - adjust a score"


def test_a_definition_ends_where_it_says_and_one_without_an_end_takes_nothing():
    page = ".TH A 1\n.de XX end\nlost\n..\nlost\n.end\n.ig no\nlost\n.no\n.SH NAME\nkept\n.de YY\nkept too"
    assert read_man(page, ReadOptions()).text == "NAME\n\nkept\n\nkept too"


def test_escapes():
    assert plain(r"a\ b\~c\-d \e \(lqx\(rq \[u00E9_0301] \h'2n'x\f[CW]y\fP \*[R] \" gone") == "a b c-d \\ “x” é́ xy  "
    assert plain(r"a\[uD800]b") == "a?b"  # half of a surrogate pair is no character
