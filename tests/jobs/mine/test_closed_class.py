"""Words of closed classes learned from frequency, in the place of a tagger."""

import pytest

import likewise as lw
from likewise.errors import OptionError
from likewise.jobs.mine.options import MineOptions
from likewise.jobs.mine.sentences import analyse
from likewise.read import Document

YEARS = range(1990, 1998)
GERMAN = [
    f"Das neue Gesetz {verb} im Laufe des Jahres {year} nach der Wahl und vor dem Winter."
    for verb in ("trat in Kraft", "wurde wirksam")
    for year in YEARS
]
LIST = "Anna Berta Clara Dora Emma Frieda Gerda Hanna Ida Johanna."


def test_sentences_are_kept_and_lists_are_not():
    text = "\n\n".join([*GERMAN, LIST])
    batch, counts = analyse([Document("a", text)], MineOptions(tagger="frequency"))
    assert batch.num_rows == counts["kept"] == len(GERMAN)
    assert counts["no verb"] == 1


def test_pairs_of_another_language(tmp_path):
    (tmp_path / "a.txt").write_text("\n\n".join([*GERMAN, LIST]), encoding="utf-8")
    found = lw.mine(tmp_path, tagger="frequency", support=1)
    assert [pair.paraphrase for pair in found.of("trat in Kraft")] == ["wurde wirksam"]
    assert found.language == "german"
    found.write(tmp_path / "pp.parquet")
    assert lw.Paraphrases.read(tmp_path / "pp.parquet").filter(stop_words=False).language == "german"


def test_siblings_are_told_by_the_words_of_their_language(tmp_path):
    lines = [
        f"Das Schiff fuhr von {place} aus der Stadt nach dem Meer und der Insel im Jahr {year}."
        for place in ("Norden", "Westen")
        for year in YEARS
    ]
    lines += [f"Das Schiff fuhr zwischen Norden und Westen in der Zeit nach dem Jahr {year}." for year in YEARS]
    (tmp_path / "a.txt").write_text("\n\n".join(lines), encoding="utf-8")
    found = lw.mine(tmp_path, tagger="frequency", support=1).of("Norden")
    assert {pair.paraphrase: pair.together for pair in found}["Westen"] == len(YEARS)


def test_anchors_that_need_tags_are_refused():
    with pytest.raises(OptionError, match="tagger must not be 'frequency'"):
        MineOptions(tagger="frequency", anchors="entity")


def test_german_text_is_told_with_the_option_that_mines_it(tmp_path, cli):
    words = "Der Hund und die Katze sind nicht im Garten, aber sie kommen am Abend mit dem Kind nach Hause. "
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(words * 5)
    done = cli("mine", *(f"{number}.txt" for number in range(3)), "-o", "pp.parquet")
    assert "3 of 3 documents do not look English" in done.stderr
    assert "the text looks German: --tagger frequency" in done.stderr
