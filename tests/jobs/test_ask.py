"""Nuggets and when-questions: patterns, partial matches, kinds of events, the two commands, what is refused."""

import json

import pytest
import typer
from typer.testing import CliRunner

import likewise as lw
from likewise.errors import ForeignError, InputError, OptionError, StorageError
from likewise.jobs.ask import AskOptions, Nuggets, question_groups
from likewise.jobs.fragments import fragments
from likewise.jobs.nuggets import nuggets

TEXT = """In 1947, Bell Labs invented the transistor. The transistor was invented at Bell Labs in December 1947.

The transistor radio was invented by others in 1954; it became popular in the 1960s.

Amtrak started operations on May 1, 1971. Ada Lovelace (10 December 1815 – 27 November 1852) wrote the first programs.

Bastille Day is celebrated on July 14 every year in France. It rained in 1990.
"""


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("In 1937, the Golden Gate Bridge was built.", [("1937", "the Golden Gate Bridge was built")]),
        ("The Golden Gate Bridge was built in 1937.", [("1937", "The Golden Gate Bridge was built")]),
        ("The bridge was built in 1937 by many men.", [("1937", "The bridge was built by many men")]),
        ("The bridge was built in 1937; it was painted red in 1940.",
         [("1937", "The bridge was built"), ("1940", "it was painted red")]),
        ("Max Born (born 11 December 1882) was a physicist.", [("1882-12-11", "Max Born was born")]),
        ("Max Born (1882–1970) was a physicist.", [("1882", "Max Born was born"), ("1970", "Max Born died")]),
        ("Ada Born (May 2, 1882 [O.S. April 20] – June 5, 1970) was head of the school (1920–1931).",
         [("1882-05-02", "Ada Born was born"), ("1970-06-05", "Ada Born died"),
          ("1920", "Ada Born was head of the school"), ("1931", "Ada Born was head of the school")]),
        ("Ada Born, 2nd Lady Mell (Latin: Adda; also known by her pet name, Addie, which her mother had first given to "
         "her; 2 May 1882 – 5 June 1970) was a writer.",
         [("1882-05-02", "Ada Born, 2nd Lady Mell was born"), ("1970-06-05", "Ada Born, 2nd Lady Mell died")]),
        ("In 1907 he married Ada Born (1882–1970) in the old church.",
         [("1882", "Ada Born was born"), ("1970", "Ada Born died"), ("1907", "he married Ada Born in the old church")]),
        ("He starred in Red Rock (1951), by Dee, and in Two Green Rivers (1955).",
         [("1951", "He starred in Red Rock"), ("1955", "in Two Green Rivers")]),
        ("The fair of Mellin was held from 1911 to 1913 in June.",
         [("1911", "The fair of Mellin was held in June"), ("1913", "The fair of Mellin was held in June")]),
        ("The League of Mellin played from 1960 until 1969, when it merged.",
         [("1960", "The League of Mellin played"), ("1969", "The League of Mellin played when it merged")]),
        ("1969 – Apollo lands on the moon", [("1969", "Apollo lands on the moon")]),
        (f"The {'very ' * 40}long wall was built in 1937{' and on' * 20}.",
         [("1937", f"{'very ' * 26}long wall was built{' and on' * 15}")]),
        ("It rained in 1990.", []),
        ("She died in 1990.", [("1990", "She died")]),
        ("Nothing happened at all that day.", []),
    ],
)  # fmt: skip
def test_fragments(sentence, expected):
    assert [(one.date.iso, one.text) for one in fragments(sentence)] == expected


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nuggets")
    (folder / "a.txt").write_text(TEXT)
    (folder / "copy.txt").write_text(TEXT)
    assert nuggets([folder / "a.txt", folder / "copy.txt"], folder / "n") == 8
    return folder / "n"


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


def test_an_event_is_of_the_date_of_its_clause(tmp_path):
    (tmp_path / "a.txt").write_text(
        "When Ada Born left Ohio in 1911, others had invented the Slinky by 1903, as we know."
    )
    nuggets(tmp_path / "a.txt", tmp_path / "n")
    assert Nuggets(tmp_path / "n").ask("When was the Slinky invented?")[0].date == "1903"


def test_documents_that_say_the_same_are_counted(index):
    [best, *_] = Nuggets(index).ask("When was Ada Lovelace born?")
    assert [nugget.documents for nugget in best.evidence] == [2]


def test_shards_and_sorted_parts_change_nothing(index, tmp_path, monkeypatch):
    from likewise.jobs import nuggets as job

    monkeypatch.setattr(job, "_SORTED", 7)  # several parts of postings
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(TEXT)
    assert nuggets(tmp_path, tmp_path / "n", memory="256MB") == 8
    for question in ("When was the transistor invented?", "When is Bastille Day celebrated?"):
        one, other = (Nuggets(folder).ask(question) for folder in (index, tmp_path / "n"))
        assert [(answer.date, answer.count) for answer in one] == [(answer.date, answer.count) for answer in other]


def test_a_run_that_was_stopped_goes_on(tmp_path, monkeypatch):
    from likewise.jobs import nuggets as job
    from likewise.jobs import shards

    monkeypatch.setattr(shards, "_SMALL", 1)  # a shard for each file
    (tmp_path / "texts").mkdir()
    for number in range(4):
        (tmp_path / "texts" / f"{number}.txt").write_text(f"In 190{number}, Acme invented machine number {number}.")
    (tmp_path / "texts" / "5.pdf").write_bytes(b"%PDF-1.4 broken")
    read, seen, skipped = job.read_file, [], []

    def stopping(path, *rest):
        seen.append(path.name)
        if path.name == "2.txt" and seen.count("2.txt") == 1:
            raise KeyboardInterrupt
        return read(path, *rest)

    monkeypatch.setattr(job, "read_file", stopping)
    with pytest.raises(KeyboardInterrupt):
        nuggets(tmp_path / "texts", tmp_path / "n", engine="duckdb")
    assert (tmp_path / "n.work").is_dir()
    before = {*seen}
    assert nuggets(tmp_path / "texts", tmp_path / "n", on_skip=skipped.append, engine="duckdb") == 4
    assert seen.count("0.txt") == 1  # what was finished is not read anew
    assert "2.txt" in before
    assert [skip.reason for skip in skipped] == ["broken"]
    assert Nuggets(tmp_path / "n").ask("When was machine number 3 invented?")[0].date == "1903"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["n", "texts"]


@pytest.mark.parametrize(("text", "word"), [("", "no date"), ("7\t8\t9\n" * 99, "no date")])
def test_bad_input_is_exit_code_1_and_leaves_nothing_else(tmp_path, text, word):
    from likewise.cli.nuggets import nuggets as collect

    app = typer.Typer()
    app.command()(collect)
    (tmp_path / "a.txt").write_text(text)
    done = CliRunner().invoke(app, [str(tmp_path / "a.txt"), "-o", str(tmp_path / "n"), "--quiet"])
    assert (done.exit_code, word in done.stderr) == (1, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "n"]


def test_files_that_cannot_be_read_are_told(tmp_path):
    from likewise.cli.nuggets import nuggets as collect

    app = typer.Typer()
    app.command()(collect)
    (tmp_path / "a.bin").write_bytes(bytes(range(256)) * 40)
    done = CliRunner().invoke(app, [str(tmp_path / "a.bin"), "-o", str(tmp_path / "n"), "--quiet"])
    assert (done.exit_code, "1 could not be read" in done.stderr) == (1, True)


def test_text_without_dates_is_told(tmp_path):
    from likewise.cli.nuggets import nuggets as collect

    app = typer.Typer()
    app.command()(collect)
    (tmp_path / "a.txt").write_text("Nothing happened at all that day.")
    done = CliRunner().invoke(app, [str(tmp_path / "a.txt"), "-o", str(tmp_path / "n"), "--quiet"])
    assert (done.exit_code, "no date" in done.stderr) == (1, True)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


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
    with pytest.raises(InputError, match="no English question"):
        Nuggets(index).ask("Wann wurde der Transistor erfunden?")
    assert Nuggets(index).ask("When was the zeppelin lost?") == []
    assert Nuggets(index).ask("When was it?") == []


def test_an_answer_about_others_is_not_sure(index):
    assert Nuggets(index).ask("When did Ada Lovelace die?")[0].sure > 0.25
    for question in ("When did Ada Lovelace marry?", "When did Napoleon and Bell Labs invent the transistor?"):
        assert Nuggets(index).ask(question)[0].sure <= 0.2
    assert Nuggets(index).ask("When was apt invented?")[0].sure <= 0.2


def test_a_year_is_no_day(index):
    assert [answer.date for answer in Nuggets(index).ask("What year is Bastille Day celebrated?")] == []


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


def test_commands(tmp_path):
    from likewise.cli.ask import ask
    from likewise.cli.nuggets import nuggets as collect

    app = typer.Typer()
    app.command("ask")(ask)
    app.command("nuggets")(collect)

    def run(*words):
        return CliRunner().invoke(app, [str(word) for word in words])

    (tmp_path / "a.txt").write_text(TEXT)
    assert "8 nuggets" in run("nuggets", tmp_path / "a.txt", "-o", tmp_path / "n").stderr
    assert run("nuggets", tmp_path / "a.txt", "-o", tmp_path / "n", "--quiet", "--force").exit_code == 0
    shown = run("ask", tmp_path / "n", "When was the transistor invented?")
    assert shown.stdout.startswith("1947\t")
    first = json.loads(run("ask", tmp_path / "n", "When was the transistor invented?", "--json").stdout.splitlines()[0])
    assert first["date"] == "1947"
    assert run("ask", tmp_path / "n", "When did the zeppelin crash?").exit_code == 1
    assert run("ask", tmp_path / "n", "Who invented it?").exit_code != 0
    lw.Paraphrases.of_rows([("made", "invented", 9)]).write(tmp_path / "pp.parquet")
    wide = run("ask", tmp_path / "n", "When was the transistor made?", "--expand", tmp_path / "pp.parquet")
    assert wide.stdout.startswith("1947")
    assert run("ask", tmp_path / "n", "Who made it?", "--show-query").exit_code
    query = run("ask", tmp_path / "n", "When was it made?", "--expand", tmp_path / "pp.parquet", "--show-query")
    assert query.stdout == "(made | invented)\n"


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
    assert all(answer.sure <= 0.2 for answer in ends.ask(question))
