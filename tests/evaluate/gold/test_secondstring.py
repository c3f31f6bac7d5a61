import pytest

from likewise.errors import FormatError, InputError
from likewise.evaluate.gold import secondstring


def test_reads_crlf_cp1252_quotes_and_tabs(tmp_path):
    file = tmp_path / "names.txt"
    file.write_bytes(
        b'a\t"http://x/1" \tCaf\x81\xe9 One  \r\nb\t"http://x/1"\tCafe\tOne\r\n'
        b"a\tk2\tTwo\r\nb\t\tNo key\r\na\t\tNone\r\nbroken\r\n"
    )
    found = secondstring.read(file)
    assert list(found.lefts) == ["Café One", "Two", "None"]
    assert list(found.rights) == ["Cafe One", "No key"]
    assert found.gold.tolist() == [[0, 0]]
    assert found.notes == ("1 lines without three fields are left out",)
    assert secondstring.read_clusters(file)[1] == ["http://x/1", "http://x/1", "k2", "", ""]


def test_a_third_relation_is_left_out(tmp_path):
    file = tmp_path / "three.txt"
    file.write_text("a\t1\tx\nz\t1\tstray\na\t2\ty\nb\t1\tx\nb\t2\tw\n")
    found = secondstring.read(file)
    assert (len(found.lefts), len(found.rights)) == (2, 2)
    assert "other than a and b" in found.notes[0]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not a SecondString file"),
        ("a\t1\tx\n", "one relation"),
        ("a\t1\tx\nb\t2\ty\n", "no key that occurs in both"),
    ],
)
def test_what_is_no_such_file(tmp_path, content, words):
    file = tmp_path / "f.txt"
    file.write_text(content)
    with pytest.raises(FormatError, match=words):
        secondstring.read(file)


def test_a_missing_file_is_told_in_words(tmp_path):
    with pytest.raises(InputError, match="cannot read"):
        secondstring.read(tmp_path / "none.txt")
