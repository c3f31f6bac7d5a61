"""Cleaning before comparing: legal forms, accents, abbreviations, functions; and what match and dedupe show."""

import pytest

import likewise as lw
from likewise.analyse.cleaning import cleaner, without_legal_form
from likewise.errors import FormatError, OptionError


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Apple Inc.", "Apple"),
        ("APPLE, INC", "APPLE"),
        ("Müller GmbH & Co. KG", "Müller"),
        ("Toyota Motor Corporation", "Toyota Motor"),
        ("Samsung Electronics Co., Ltd.", "Samsung Electronics"),
        ("Grupo Bimbo, S.A.B. de C.V.", "Grupo Bimbo"),
        ("Petronas Sdn. Bhd.", "Petronas"),
        ("Nokia Oyj", "Nokia"),
        ("A.P. Møller - Mærsk A/S", "A.P. Møller - Mærsk"),
        ("Orlen S.A.", "Orlen"),
        ("Acme Sp. z o.o. Sp. k.", "Acme"),
        ("Tiffany & Co.", "Tiffany"),
        ("Arçelik A.Ş.", "Arçelik"),
        ("Газпром ПАО", "Газпром"),
        ("株式会社日立製作所", "日立製作所"),
        ("华为技术有限公司", "华为技术"),
        ("삼성전자 주식회사", "삼성전자"),
        ("Inc.", "Inc."),
        ("Siemens Aktiengesellschaft", "Siemens"),
        ("Müller Gesellschaft mit beschränkter Haftung", "Müller"),
        ("Renault Société anonyme", "Renault"),
        ("", ""),
        ("Incognito", "Incognito"),
        ("Banco Santander", "Banco Santander"),
    ],
)
def test_legal_forms(name, plain):
    assert without_legal_form(name) == plain
    assert without_legal_form(plain) == plain


def test_steps_follow_each_other(tmp_path):
    file = tmp_path / "short.csv"
    file.write_text("St.,Street\nAve=Avenue\n\n# no\nHwy;Highway\n", encoding="utf-8")
    clean = cleaner(["accents, companies", file, str.upper])
    assert clean("Châteaux Élan st. Inc.") == "CHATEAUX ELAN STREET"
    assert cleaner(str(file))("1 hwy, 2 Stone ave.") == "1 Highway, 2 Stone Avenue"
    assert cleaner("accents")("Åsa ŁÓDŹ straße Æsir") == "Asa LODZ strasse Aesir"


def test_match_compares_clean_texts_and_joins_the_records():
    left = [{"key": "a", "name": "Société Générale S.A."}, {"key": "b", "name": "IBM Corp."}]
    right = [
        {"key": "x", "name": "I B M"},
        {"key": "y", "name": "IBM International Limited"},
        {"key": "z", "name": "ibm"},
    ]
    found = lw.match(left, right, on="name", id="key", clean="companies", top=1)
    assert [(one.left, one.right, one.left_text, one.score) for one in found if one.left == "b"] == [
        ("b", "z", "IBM", 1.0)
    ]
    joined = found.join("left").table.to_pylist()
    assert [row["name"] for row in joined] == ["Société Générale S.A.", "IBM Corp."]


def test_dedupe_keeps_the_records_as_they_are():
    found = lw.dedupe(["IBM Corp.", "IBM Inc", "Apple"], clean="companies", min_score=0.9)
    assert [cluster.ids for cluster in found] == [(0, 1), (2,)]
    for shown in (found.canonical, found.merged):
        texts = shown.column("text").to_pylist()
        assert len(texts) == 2
        assert set(texts) <= {"IBM Corp.", "IBM Inc", "Apple"}


def test_numbers_and_missing_texts_stay():
    left = [{"name": "A Ltd", "year": 1999}, {"name": None, "year": 2000}, {"name": "B", "year": None}]
    assert len(lw.match(left, left, clean=str.lower, top=1)) >= 3


@pytest.mark.parametrize(
    ("clean", "message"),
    [
        ("acents", "accents, companies or a file"),
        ("", "names no step"),
        (3, "not int"),
        (lambda text: None, "must give a text, not None"),
    ],
)
def test_mistakes(clean, message):
    with pytest.raises(OptionError, match=message):
        lw.match(["a"], ["b"], clean=clean, top=1)


def test_a_broken_file_names_the_line(tmp_path):
    file = tmp_path / "short.tsv"
    file.write_text("st\tstreet\nave\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 2"):
        cleaner(file)


def test_on_the_command_line(cli, tmp_path):
    (tmp_path / "a.csv").write_text("name\nIBM Corp.\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("name\nIBM Limited\nCorp Limited\n", encoding="utf-8")
    done = cli("match", "a.csv", "b.csv", "--on", "name", "--clean", "companies", "--top", "1", "--quiet")
    assert done.stdout.splitlines()[1].startswith("0,0,1.0")
