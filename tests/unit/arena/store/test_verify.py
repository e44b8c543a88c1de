"""`ludex arena verify` names everything in a store that is not as its records have it."""

import json
import sqlite3

import pytest
from damaged_stores import change, forge

from ludex.arena.store.rows import checksum
from ludex.arena.store.schema import tables
from ludex.arena.store.verify import verify
from ludex.arena.study.run import run_study
from ludex.arena.study.study import Study
from ludex.cli import main
from ludex.core.errors import BadParameter


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "study.sqlite"
    worlds = ["nim", "pig[target=15]", "vgdl/aliens"]
    study = Study.of("test", ["uniform", "one_step"], worlds, budgets=("9calls",))
    run_study(study, path, workers=0)
    return path.read_bytes()


@pytest.fixture
def store(content, tmp_path):
    path = tmp_path / "study.sqlite"
    path.write_bytes(content)
    return path


def alter(path, name, column, where, value):
    """Change a row as somebody does who knows how checksums are made."""
    connection = sqlite3.connect(path)
    table = tables()[name]
    place = table.columns.index(column)
    columns = ", ".join(table.columns)
    (row,) = connection.execute(f"SELECT {columns} FROM {name} WHERE {where}").fetchall()
    own = checksum(name, (*row[:place], value, *row[place + 1 :]))
    connection.execute(f"UPDATE {name} SET {column} = ?, checksum = ? WHERE {where}", [value, own])
    total = sum(one for (one,) in connection.execute(f"SELECT checksum FROM {name}"))
    total = (total + 2**63) % 2**64 - 2**63
    connection.execute("UPDATE checks SET total = ? WHERE name = ?", [total, name])
    connection.commit()
    connection.close()


def test_a_store_that_nobody_touched_is_verified(store):
    found = verify(store)
    assert found.is_good, found.differences
    assert (found.matches, found.replayed) == (6, 6)


def test_a_share_may_be_written_in_percent(store, capsys):
    assert main(["arena", "verify", str(store), "--share", "50%", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["replayed"] == 3


def test_a_share_of_the_matches_is_played_again(store):
    some = verify(store, share=0.5)
    assert (some.matches, some.replayed, some.is_good) == (6, 3, True)
    assert verify(store, share=0).replayed == 0
    with pytest.raises(BadParameter, match="a share is from 0 to 1, got 2"):
        verify(store, share=2)


def test_workers_find_the_same(store):
    alter(store, "seats", "score", "match = 3 AND seat = 0", 77.0)
    found = verify(store, workers=2)
    assert found.replayed == 6
    assert [str(one) for one in found.differences] == [
        str(one) for one in verify(store).differences
    ]


@pytest.mark.parametrize(
    ("name", "column", "where", "value", "words"),
    [
        ("seats", "won", "match = 1 AND seat = 0", 7, "match 1: the win of seat 0"),
        ("seats", "tied", "match = 1 AND seat = 0", 1, "match 1: the tie of seat 0"),
        ("seats", "gain", "match = 3 AND seat = 1", 0.25, "match 3: the return of seat 1"),
        ("seats", "score", "match = 5", 99.0, "match 5: the score of seat 0"),
        ("seats", "course", "match = 5", "[[0,1.0]]", "match 5: the course of scores of seat 0"),
        ("seats", "decisions", "match = 2 AND seat = 1", 500, "the number of decisions of seat 1"),
        ("seats", "agent", "match = 2 AND seat = 1", 1, "match 2: the agent of seat 1"),
        ("matches", "ticks", "number = 2", 1, "match 2: its ticks is 1 in the store"),
        ("matches", "reason", "number = 2", "luck", "match 2: its reason is 'luck' in the store"),
        ("matches", "truncated", "number = 2", 1, "match 2: whether it was cut off"),
        ("matches", "seed", "number = 2", 5, "match 2: its seed is 5 in the store"),
        ("matches", "budget", "number = 2", "8calls", "match 2: its budget"),
        ("matches", "mixed", "number = 2", "all of it", "match 2: what was mixed"),
        ("worlds", "world", "number = 0", "nim[heaps=1-2]", "match 1: its world"),
        ("agents", "agent", "number = 0", "mcts", "match 1: the agent of seat 0 is 'mcts'"),
        ("runs", "played", "number = 1", 99, "6 matches are there, and 99 were played by all runs"),
    ],
)
def test_every_stored_result_is_recomputed(name, column, where, value, words, store):
    if value == 7:  # the other one than is there
        connection = sqlite3.connect(store)
        value = 1 - connection.execute(f"SELECT won FROM seats WHERE {where}").fetchone()[0]
        connection.close()
    alter(store, name, column, where, value)
    assert any(words in str(one) for one in verify(store).differences)


def test_a_fault_that_is_only_in_the_store_is_named(store):
    connection = sqlite3.connect(store)
    row = (1, 0, 0, "crash", 3, "ValueError: no", "")
    own = checksum("faults", row)
    connection.execute("INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, own))
    connection.execute("INSERT OR REPLACE INTO checks VALUES ('faults', 1, ?)", [own])
    connection.commit()
    connection.close()
    (found,) = verify(store).differences
    assert str(found).startswith("match 1: its faults is [(0, 'crash', 3, 'ValueError: no')]")


def test_all_damaged_rows_are_named(store):
    change(store, "UPDATE seats SET score = 7 WHERE match IN (1, 5)")
    lines = [str(one) for one in verify(store).differences]
    for row in ("1, 0", "1, 1", "5, 0"):
        assert f"the row {row} of seats does not agree with its checksum" in lines


def test_a_record_that_changed_is_named_also_where_it_is_not_played_again(store):
    change(store, "UPDATE matches SET record = x'0102' WHERE number = 4")
    for share in (0, 1):
        lines = [str(one) for one in verify(store, share).differences]
        assert any("the record of match 4 is not what was written" in line for line in lines)


def test_broken_indexes_and_references_are_named(store):
    change(store, "DELETE FROM agents WHERE number = 1")
    lines = [str(one) for one in verify(store).differences]
    assert any("refers to a row of agents that is not there" in line for line in lines)


def test_the_command_ends_with_one_where_anything_differs(store, capsys):
    assert main(["arena", "verify", str(store)]) == 0
    assert "6 of 6 matches played again, all as it is stored" in capsys.readouterr().out
    forge(store, "seats", "score", 99.0)
    assert main(["arena", "verify", str(store), "--share", "0.5", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["verified"], answer["matches"], answer["replayed"]) == (False, 6, 3)
    first = answer["differences"][0]
    assert (first["what"], first["stored"]) == ("the score of seat 0", 99.0)


@pytest.mark.parametrize("share", ["", "half", "-1", "1.5", "nan", "\x1b[31m"])
def test_an_impossible_share_is_refused(share, store, capsys):
    assert main(["arena", "verify", str(store), "--share", share]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "--share is all, or a number from 0 to 1" in said
    assert "\x1b" not in said
