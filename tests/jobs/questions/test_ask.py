"""Answers to when-questions: partial matches, kinds of events, names, paraphrases, how sure, what is refused."""

import json

import pytest

import likewise as lw
from likewise.errors import ForeignError, InputError, OptionError, StorageError
from likewise.jobs.questions.ask import Nuggets
from likewise.jobs.questions.asked import question_groups
from likewise.jobs.questions.nuggets import nuggets
from likewise.jobs.questions.options import AskOptions


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("When was the transistor invented?", "1947"),
        ("What year was the transistor invented at Bell Labs?", "1947"),
        ("When was Bell Labs' transistor invented?", "1947"),
        ("When was Ada Lovelace born?", "1815"),
        ("When is Ada Lovelace's birthday?", "1815"),
        ("When did Ada Lovelace die?", "1852"),
        ("When is Bastille Day celebrated?", "--07-14"),
        ("When did Amtrak begin operations?", "1971"),
        ("In what year did Amtrak start?", "1971"),
        ("Amtrak started operations in what year?", "1971"),
        ("Could you tell me when Amtrak started operations?", "1971"),
        ("On what day did Amtrak begin operations?", "1971-05-01"),
        ("In which century was the transistor invented?", "19XX"),
        ("In what decade was the transistor invented?", "194X"),
    ],
)
def test_answers(index, question, date):
    best, *rivals = Nuggets(index).ask(question)
    assert best.date == date
    assert all(best.sure >= rival.sure for rival in rivals)
    assert 0 < best.sure <= best.match <= 1


KINDS = """Acme was founded in 1901 by two brothers from Ohio. The zipper was invented in 1913 by Gideon Sundback.

The Long War broke out in 1701. The Long War ended in 1714 after many years. The Treaty of Brix was signed in 1715.

The first Mars rover landed in 1997 on a plain. Mount Grim last erupted in 1944 and destroyed two villages.

Time magazine was first published in 1923. Father's Day was introduced in 1910 by Sonora Dodd.

Norland was admitted to the union in 1889. In 1805 a writer in Norland described the state as cold. The Reds won the
cup in 1966. The Reds hoped for a win in 1970. Harald Brok declared the talks dead in 1972. Harald Brok died on 3 May
1994. The airship Comet flew over the pole in 1926. King Oda took power in 1201. Bridge Street was bought in 1803.

The Glee Band disbanded in 1974. The Glee Band sang in 1971 after a break. Mill College was founded in 1877 by Ira Mill.
Ira Mill found a key of Mill College in 1899. The Mill mine was shut in 1950. Norland repealed its salt tax in 1846.
Borders, a shop in Brill, was opened in 1971. In 1895 the museum of Brill, which borders the market, was opened. Since
the establishment of peace in 1994 Ira Mill has been the patron of the Brill Guild. Members established the Brill Guild
in 1912. A census was held in Norland in 1976. A census was held in Norland in 2005.
"""


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("When was Acme established?", "1901"),
        ("When was the zipper patented?", "1913"),
        ("When did the Long War begin?", "1701"),
        ("When did the Long War end?", "1714"),
        ("When was the Treaty of Brix concluded?", "1715"),
        ("When did the first Mars rover land?", "1997"),
        ("When did Mount Grim last erupt?", "1944"),
        ("When did Time magazine begin publishing?", "1923"),
        ("When was Father's Day introduced?", "1910"),
        ("When did Norland become a state?", "1889"),
        ("What year did the Reds win the cup?", "1966"),
        ("When did Harald Brok die?", "1994"),
        ("What date did Harald Brok die?", "1994-05-03"),
        ("When did the Comet fly over the pole?", "1926"),
        ("In what year did King Oda take power?", "1201"),
        ("When did they buy Bridge Street?", "1803"),
        ("When was Bridge Street acquired?", "1803"),
        ("When did the flight of the Comet over the pole take place?", "1926"),
        ("When did the Glee Band break up?", "1974"),
        ("When did Ira Mill found Mill College?", "1877"),
        ("When did the Mill mine close?", "1950"),
        ("When did Norland abolish its salt tax?", "1846"),
        ("When did Borders open?", "1971"),
        ("When was the Brill Guild established?", "1912"),
        ("When was the most recent census in Norland?", "2005"),
    ],
)
def test_the_frequent_kinds_of_events(tmp_path, question, date):
    (tmp_path / "a.txt").write_text(KINDS)
    nuggets(tmp_path / "a.txt", tmp_path / "n")
    assert Nuggets(tmp_path / "n").ask(question)[0].date == date


NAMED = """Émile Brøntë (2 May 1850 – 6 June 1901) wrote novels.

Dorn (4 March 1860 – 9 July 1917) was the president.  Famed explorer Anna Wick stopped in Ohio. She died in 1922.

Corvia joined the League of Rivers in 1931. It left the League of Rivers in 1948.
In 1929 the Kingdom of Corva was named Corvia.

01/04\tBelva Institute opens in London, 1571
01/16\tJaques Dalto patents the
\tpneumatic hat, 1889
02/07\tFirst walk over the Corva bridge, 1903
"""


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("When was Emile Bronte born?", "1850"),  # typed without accents
        ("When did President Dorn die?", "1917"),
        ("When did Anna T. Wick die?", "1922"),  # the text has no initial, and names her in the sentence before
        ("What year did Corvia become a member of the League of Rivers?", "1931"),
        ("When did Corvia withdraw from the League of Rivers?", "1948"),
        ("When was Corvia given its name?", "1929"),
        ("When was the Belva Institute inaugurated?", "1571"),  # rows of a table
        ("When was the pneumatic hat patented?", "1889"),
    ],
)
def test_names_in_part_and_rows_of_tables(tmp_path, question, date):
    (tmp_path / "named.txt").write_text(NAMED)
    lw.nuggets(tmp_path / "named.txt", tmp_path / "named")
    best = Nuggets(tmp_path / "named").ask(question)[0]
    assert best.date == date
    assert best.sure > 0.2  # nothing that was asked for is missing


def test_what_two_documents_say_of_their_own_subjects_is_not_the_same(tmp_path):
    for name in ("Anna Wick", "Berta Wells"):
        (tmp_path / f"{name}.txt").write_text(
            f"{name} wrote books. She died in 1922. The tower of Ohio burned in 1922."
        )
    lw.nuggets(sorted(tmp_path.glob("*.txt")), tmp_path / "index")
    index = Nuggets(tmp_path / "index")
    assert len(index) == 3  # two deaths, one fire
    assert [index.ask(f"When did {name} die?")[0].sure > 0.2 for name in ("Anna Wick", "Berta Wells")] == [True, True]


def test_without_kinds_only_pairs_know_another_word(tmp_path):
    (tmp_path / "a.txt").write_text(KINDS)
    nuggets(tmp_path / "a.txt", tmp_path / "n")
    asked, question = Nuggets(tmp_path / "n"), "When was Acme established?"
    pairs = lw.Paraphrases.of_rows([("established", "founded", 9)])
    with_kinds, plain, wider = (
        asked.ask(question, table, AskOptions(kinds=kinds))[0]
        for table, kinds in ((None, True), (None, False), (pairs, False))
    )
    assert [one.date for one in (with_kinds, plain, wider)] == ["1901"] * 3
    assert plain.match < wider.match < 1
    assert plain.sure < wider.sure < with_kinds.sure


def test_what_says_next_to_nothing_is_no_evidence(tmp_path):
    # Asked for the birth of Anatole France, "France colonised islands" stood below it: both of the 19th century.
    (tmp_path / "a.txt").write_text(
        "Anatole France (16 April 1844 – 12 October 1924) was a poet.\n\nFrance took islands in the 19th century."
    )
    nuggets(tmp_path / "a.txt", tmp_path / "n")
    best = Nuggets(tmp_path / "n").ask("When was Anatole France born?")[0]
    assert (best.date, best.count) == ("1844", 2)
    assert [one.fragment for one in best.evidence] == ["Anatole France was born"]


def test_an_article_about_what_is_asked_for_says_it_at_its_beginning(tmp_path):
    """Its subject need not be named; what other articles say of it, or it says later, counts less."""
    articles = {
        "Corve University": "The school was founded in 1764 by a guild. The hall was founded in 1904 by others.",
        "Henry Dale": "Dale founded a library at Corve University in 1846 with his own money.",
    }
    texts = (f'<doc id="{n}" url="u" title="{t}">\n{t}\n\n{a}\n</doc>' for n, (t, a) in enumerate(articles.items()))
    (tmp_path / "a.txt").write_text("\n".join(texts))
    nuggets(tmp_path / "a.txt", tmp_path / "n")
    assert [one.date for one in Nuggets(tmp_path / "n").ask("When was Corve University founded?")] == [
        "1764", "1904", "1846"
    ]  # fmt: skip


def test_an_article_has_the_other_names_of_its_subject(tmp_path):
    text = (
        "The Ohio Slinky Institute (OSI), formerly Coil College, is a school.\n\n"
        "It was founded by Ada Born in 1891. The OSI Times called Red Rock College, founded in 1920, better."
    )
    (tmp_path / "a.jsonl").write_text(json.dumps({"title": "Ohio Slinky Institute", "text": text}) + "\n")
    nuggets(tmp_path / "a.jsonl", tmp_path / "n")
    asked = Nuggets(tmp_path / "n")
    for question in ("When was OSI founded?", "When was Coil College founded?"):
        assert asked.ask(question)[0].date == "1891"


def test_documents_that_say_the_same_are_counted(index):
    [best, *_] = Nuggets(index).ask("When was Ada Lovelace born?")
    assert [nugget.documents for nugget in best.evidence] == [2]


NO_DATE = """Who invented the transistor?
Where is Bell Labs?
How tall is Ada Lovelace?
How old was Ada Lovelace when she died?
At what age did Ada Lovelace die?
How long did Amtrak operate?
For how long was Bell Labs independent?
In which city is Bell Labs?
At what time does the train leave?
Did Ada Lovelace die in 1852?
Is the transistor radio popular?
"""


@pytest.mark.parametrize("question", NO_DATE.splitlines())
def test_a_question_that_asks_for_no_date_is_told_so(index, question):
    with pytest.raises(InputError, match="asks for no date"):
        Nuggets(index).ask(question)


def test_a_question_in_another_language_or_about_nothing(index):
    with pytest.raises(InputError, match="not an English question"):
        Nuggets(index).ask("Wann wurde der Transistor erfunden?")
    assert Nuggets(index).ask("When was the zeppelin lost?") == []
    assert Nuggets(index).ask("When was it?") == []


def test_an_answer_about_others_is_not_sure(index):
    assert Nuggets(index).ask("When did Ada Lovelace die?")[0].sure > 0.25
    for question in ("When did Ada Lovelace marry?", "When did Napoleon and Bell Labs invent the transistor?"):
        assert Nuggets(index).ask(question)[0].sure <= 0.2
    assert Nuggets(index).ask("When was apt invented?")[0].sure <= 0.2


def test_nuggets_of_one_year_add_up(index):
    answers = {answer.date: answer for answer in Nuggets(index).ask("When was the transistor invented?")}
    assert answers["1947"].count == 2
    assert answers["1947"].sure > answers["1954"].sure


def test_paraphrases_lift_what_the_words_do_not(index):
    pairs = lw.Paraphrases.of_rows([("lorry", "Amtrak", 9), ("lorry", "train", 5), ("Labs", "in the", 3)])
    opened = Nuggets(index)
    assert opened.ask("When was a lorry seen?", pairs, AskOptions(per_phrase=0)) == []
    [answer] = opened.ask("When was a lorry?", pairs, AskOptions(per_phrase=1, evidence=1))
    assert (answer.date, answer.forms, answer.match) == ("1971", ("May 1, 1971",), 0.8538)
    assert [nugget.fragment for nugget in answer.evidence] == ["Amtrak started operations"]


def test_the_query_is_the_words_that_count_with_their_paraphrases():
    pairs = lw.Paraphrases.of_rows([("made", "was invented", 9), ("made", "built", 5)])
    assert [str(group) for group in question_groups("When was it made?", pairs)] == ['(made | "was invented" | built)']


def test_what_is_refused(index, tmp_path):
    with pytest.raises(ForeignError):
        Nuggets(tmp_path)
    with pytest.raises(InputError):
        Nuggets(index).ask("  ")
    with pytest.raises(OptionError):
        Nuggets(index).ask("When?", None, AskOptions(top=0))
    (tmp_path / "precious").write_text("x")
    with pytest.raises(StorageError):
        nuggets(index, tmp_path)
    assert (tmp_path / "precious").exists()
