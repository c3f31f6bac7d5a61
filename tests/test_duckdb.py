"""The door for DuckDB, in a real DuckDB."""

import duckdb
import pytest

import likewise as lw
from likewise.duckdb import register

LEFT = [("x1", "IBM Corp."), ("x2", "Apple Inc"), ("x3", None)]
RIGHT = [("y1", "apple incorporated"), ("y2", "I.B.M. corporation"), ("y3", "ibm corp")]


@pytest.fixture
def connection():
    with duckdb.connect(config={"threads": 1}) as connection:
        for name, rows in (("left_table", LEFT), ("right_table", RIGHT)):
            connection.execute(f"CREATE TABLE {name} (key VARCHAR, name VARCHAR)")
            connection.executemany(f"INSERT INTO {name} VALUES (?, ?)", rows)
        yield register(connection)


def test_scores_are_those_of_the_measure(connection):
    found = connection.execute(
        "SELECT a.key, b.key, likewise_score(a.name, b.name) FROM left_table a, right_table b ORDER BY ALL"
    ).fetchall()
    measure = lw.Spectra()
    wanted = [(a, b, None if x is None else measure.score(x, y)) for a, x in LEFT for b, y in RIGHT]
    assert [row[:2] for row in found] == [row[:2] for row in wanted]
    assert [row[2] for row in found] == pytest.approx([row[2] for row in wanted])


def test_match_gives_what_match_gives(connection):
    found = connection.execute(
        """
        WITH sides AS (
            SELECT (SELECT list(a ORDER BY key) FROM left_table a) AS l,
                   (SELECT list(b ORDER BY key) FROM right_table b) AS r
        ),
        pairs AS (
            SELECT l, r, unnest(likewise_match([one.name FOR one IN l], [one.name FOR one IN r], 2)) AS pair FROM sides
        )
        SELECT l[pair."left"].key, r[pair."right"].key, pair.score FROM pairs
        """
    ).fetchall()
    wanted = lw.match([name for _, name in LEFT], [name for _, name in RIGHT], top=2)
    assert found == [(LEFT[one.left][0], RIGHT[one.right][0], pytest.approx(one.score)) for one in wanted]


def test_search_sees_what_was_added(connection, tmp_path):
    index = lw.Index.build(["red fish", "blue fish"], path=tmp_path / "index")
    ask = "SELECT unnest(likewise_search(?, 'red', 5)).text"
    assert connection.execute(ask, [str(tmp_path / "index")]).fetchall() == [("red fish",)]
    index.add(["a red boat"])
    assert len(connection.execute(ask, [str(tmp_path / "index")]).fetchall()) == 2


def test_mistakes_are_told_in_words(connection):
    with pytest.raises(duckdb.Error, match="nowhere"):
        connection.execute("SELECT likewise_search('nowhere', 'red', 2)").fetchall()
    with pytest.raises(duckdb.Error, match="top must be 1 or more"):
        connection.execute("SELECT likewise_match(['a'], ['b'], 0)").fetchall()
    with duckdb.connect() as other, pytest.raises(duckdb.Error, match="register it fitted"):
        register(other, measure="tfidf").execute("SELECT likewise_score('a', 'b')").fetchall()


def test_a_measure_can_be_named():
    with duckdb.connect() as connection:
        register(connection, measure="edit(raw=true)")
        ((score,),) = connection.execute("SELECT likewise_score('kitten', 'sitting')").fetchall()
    assert score == pytest.approx(1 - 3 / 7)
