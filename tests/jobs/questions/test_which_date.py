"""Of several dates the one that is asked for: first and last, ends of a time, days, months, decades, centuries."""

import pytest

from likewise.jobs.questions.ask import Nuggets
from likewise.jobs.questions.nuggets import nuggets

TIMES = """The lighthouse of Corve has been in service since 1871. The tower of Corve was in use until 1905.

The Mellin fair took place from 1911 to 1913. The Battle of Brill lasted 1702–04. Queen Bera was crowned in 44 BC.

The Corve gold rush began in the 1850s. Printing came to Corve in the 16th century.
"""


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("When did the lighthouse of Corve begin service?", "1871"),
        ("Until when was the tower of Corve in use?", "1905"),
        ("When did the Mellin fair start?", "1911"),
        ("When did the Mellin fair end?", "1913"),
        ("When did the Battle of Brill end?", "1704"),
        ("When was Queen Bera crowned?", "-0044"),
        ("When did the Corve gold rush begin?", "185X"),
        ("When did printing come to Corve?", "15XX"),
        ("When was the lighthuose of Corve in service?", "1871"),
    ],
)
def test_ranges_decades_centuries_and_misspelt_words(tmp_path, question, date):
    (tmp_path / "a.txt").write_text(TIMES)
    nuggets(tmp_path / "a.txt", tmp_path / "n")
    assert Nuggets(tmp_path / "n").ask(question)[0].date == date


SEVERAL = """The nineteenth Brillcon was held in 2018 in Corve, the first Brillcon in Asia. The first Brillcon was held
at Mellin in 2000. Brillcon was held in 2004 in Norland.

The Corve marathon was won by Ada Mell in 1931. The Corve marathon was won by Ben Orr in 1962. The Corve marathon was
won by Cleo Pym in 1984.

The Slinker is a toy of wire. It was invented in 1943 by an engineer. Fizz was invented in the late 19th century by a
chemist. In 1886 a chemist developed the drink Fizz.

Ada Mell was a chemist. She won the Oona Prize in 1903. She won it again in 1911. Corvix 0.9 was released in 1995, the
last a.out release. Corvix 2 was released in 1998. Corvix 7 was released in 2017. The first meeting, called Mellconf0,
took place at Brill in 2001. The sixth Mellconf was held in 2007. Dora Pell was replaced by Ian Orr as head of the
league in 1998. Dora Pell led the league from 1996 to 1997.

Zellux 0.1 was released in 1993. In November 1995 Zellux 0.5 was released, and pksel first appeared in it.
"""


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("When was the first Brillcon held?", "2000"),
        ("When was Zellux's first release?", "1993"),
        ("When was the Corve marathon first won?", "1931"),
        ("When was the Corve marathon last won?", "1984"),
        ("When was the Slinker invented?", "1943"),
        ("When was Fizz invented?", "1886"),
        ("When did Ada Mell first win the Oona Prize?", "1903"),
        ("When did Ada Mell last win the Oona Prize?", "1911"),
        ("When was the last release of Corvix?", "2017"),
        ("When was Corvix 0.9 released?", "1995"),
        ("When was Corvix 7 released?", "2017"),
        ("When was the first Mellconf held?", "2001"),
        ("When was the last Mellconf?", "2007"),
        ("When was Dora Pell leader?", "1996"),
    ],
)
def test_which_of_several_is_asked_for_and_what_it_stands_for(tmp_path, question, date):
    """No other ordinal, nor the first of some; a decade speaks for its year; *it* is what the sentence before names."""
    (tmp_path / "a.txt").write_text(SEVERAL)
    nuggets(tmp_path / "a.txt", tmp_path / "n")
    assert Nuggets(tmp_path / "n").ask(question)[0].date == date


ENDS = """Dora Pell led the Corve League from April 1996 until May 1999. Ira Mill led it from June 1999 on.

Corvix 6.0 Heron (February 2011): named for a bird. The release was frozen on August 6, 2010, at a meeting in Brill.

Zellux 7.0 Crane (May 2013): named for a bird, too. This release was praised on June 30, 2012, in the press.

The Mellin Alliance was founded by Acme, Brill Works and Norsk in 1998. Brill Works was founded in March 1969 in Ohio.

The Mellin fair was held from 1911 to 1913. Ada Born (2 May 1882 – 5 June 1970) was a painter. She painted in Ohio.
"""


@pytest.fixture(scope="module")
def ends(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ends")
    (folder / "a.txt").write_text(ENDS)
    nuggets(folder / "a.txt", folder / "n")
    return Nuggets(folder / "n")


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("Until when did Dora Pell lead the Corve League?", "1999"),
        ("When did Dora Pell stop leading the Corve League?", "1999"),
        ("When did Dora Pell quit leading the Corve League?", "1999"),
        ("When did Dora Pell last lead the Corve League?", "1999"),
        ("Since when did Dora Pell lead the Corve League?", "1996"),
        ("When did Dora Pell lead the Corve League?", "1996"),
        ("In which month did Dora Pell stop leading the Corve League?", "1999-05"),
        ("When was the Mellin fair last held?", "1913"),
        ("When was Corvix 6.0 Heron frozen?", "2010"),
        ("In which month was Corvix 6.0 Heron frozen?", "2010-08"),
        ("On what day was Corvix 6.0 Heron frozen?", "2010-08-06"),
        ("On what day was Brill Works founded?", "1969-03"),
        ("When was Brill Works founded?", "1969"),
        ("When was the Mellin Alliance founded?", "1998"),
        ("When was the Mellin Alliance founded by Norsk?", "1998"),
    ],
)
def test_the_end_the_event_and_the_month_that_are_asked_for(ends, question, date):
    best = ends.ask(question)[0]
    assert (best.date, best.sure > 0.2) == (date, True)


@pytest.mark.parametrize(
    "question",
    [
        "When was Zellux 7.0 Crane frozen?",  # it was named and praised
        "When was Norsk founded?",  # it founded another
        "When did Ada Born stop smoking?",  # the end of her life is not that of smoking
        "Until when did Ira Mill lead the Corve League?",  # only since when is known
        "When was Corvix 5.0 Heron frozen?",
    ],
)
def test_an_answer_that_lacks_what_happened_is_not_sure(ends, question):
    found = ends.ask(question)
    assert found
    assert all(answer.sure <= 0.2 for answer in found)


def test_an_event_is_of_the_date_of_its_clause(tmp_path):
    (tmp_path / "a.txt").write_text(
        "When Ada Born left Ohio in 1911, others had invented the Slinky by 1903, as we know."
    )
    nuggets(tmp_path / "a.txt", tmp_path / "n")
    assert Nuggets(tmp_path / "n").ask("When was the Slinky invented?")[0].date == "1903"


def test_a_year_is_no_day(index):
    assert [answer.date for answer in Nuggets(index).ask("What year is Bastille Day celebrated?")] == []
