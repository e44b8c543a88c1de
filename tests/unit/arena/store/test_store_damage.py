"""Whatever happens to a store, its tables are the same, or one sentence says that it is damaged."""

import os
import random
import sqlite3
import subprocess
import sys
import zlib
from dataclasses import replace

import pytest
from damaged_stores import change, forge

from ludex.arena.statistics.results import read_results
from ludex.arena.statistics.summary import summarise
from ludex.arena.store import format_1 as store_old
from ludex.arena.store.errors import BadStore, StoreBusy
from ludex.arena.store.lock import Lock
from ludex.arena.store.records import unpack_record
from ludex.arena.store.store import Store
from ludex.arena.study.run import run_study
from ludex.arena.study.study import Study
from ludex.core.errors import LudexError

PAGE = 4096


def study_of(**more):
    options = {"budgets": ("9calls",), "repetitions": 2, **more}
    return Study.of("test", ["uniform", "one_step"], ["nim", "pig[target=15]"], **options)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A store and the tables that it shows."""
    path = tmp_path_factory.mktemp("whole") / "study.sqlite"
    run_study(study_of(), path, workers=0)
    return path.read_bytes(), shown(path)


@pytest.fixture
def store(whole, tmp_path):
    path = tmp_path / "study.sqlite"
    path.write_bytes(whole[0])
    return path


def shown(path):
    """All that commands show of a store, and make their tables of."""
    return read_results(path)


def assert_one_sentence(error):
    text = str(error)
    assert "\n" not in text
    assert text.isprintable()


def flip_bits(content, dice):
    for _ in range(dice.choice((1, 1, 2, 8, 40))):
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)


def change_bytes(content, dice):
    for _ in range(dice.choice((1, 1, 4, 30))):
        content[dice.randrange(len(content))] = dice.randrange(256)


def swap_pages(content, dice):
    one, other = (PAGE * dice.randrange(1, len(content) // PAGE) for _ in range(2))
    pages = content[one : one + PAGE], content[other : other + PAGE]
    content[other : other + PAGE], content[one : one + PAGE] = pages


def copy_a_page(content, dice):
    one, other = (PAGE * dice.randrange(1, len(content) // PAGE) for _ in range(2))
    content[one : one + PAGE] = content[other : other + PAGE]


def clear_a_sector(content, dice):
    place = 512 * dice.randrange(len(content) // 512)
    content[place : place + 512] = bytes(512)


def cut_off(content, dice):
    del content[dice.randrange(len(content)) :]


@pytest.mark.parametrize(
    ("damage", "times"),
    [
        (flip_bits, 200),
        (change_bytes, 100),
        (swap_pages, 30),
        (copy_a_page, 40),
        (clear_a_sector, 60),
        (cut_off, 30),
    ],
)
def test_a_damaged_store_shows_the_same_tables_or_says_a_sentence(damage, times, whole, tmp_path):
    content, expected = whole
    path = tmp_path / "study.sqlite"
    told = 0
    for number in range(times):
        damaged = bytearray(content)
        damage(damaged, random.Random(number))
        path.write_bytes(damaged)
        try:
            assert shown(path) == expected, number
        except LudexError as error:
            assert_one_sentence(error)
            told += 1
    assert told > times / 10


def test_a_damaged_store_is_replayed_as_it_was_or_not_at_all(whole, tmp_path):
    path = tmp_path / "study.sqlite"
    path.write_bytes(whole[0])
    with Store.open(path) as store:
        expected = {number: store.record(number) for number in range(1, 9)}
    for number in range(60):
        damaged = bytearray(whole[0])
        flip_bits(damaged, random.Random(number))
        path.write_bytes(damaged)
        try:
            with Store.open(path) as store:
                assert {one: store.record(one) for one in expected} == expected
        except LudexError as error:
            assert_one_sentence(error)


def test_a_damaged_store_is_not_gone_on_with(whole, tmp_path):
    path = tmp_path / "study.sqlite"
    for number in range(25):
        damaged = bytearray(whole[0])
        clear_a_sector(damaged, random.Random(number))
        path.write_bytes(damaged)
        try:
            results = run_study(study_of(repetitions=3), path, workers=0)
        except LudexError as error:
            assert_one_sentence(error)
            assert bytes(damaged[PAGE:]) == path.read_bytes()[PAGE:]
        else:
            assert results.played == 12
        path.unlink()


@pytest.mark.parametrize(
    "command",
    [
        "UPDATE seats SET won = 1 - won WHERE match = 3",
        "UPDATE seats SET score = score + 1 WHERE match = 3 AND seat = 0",
        "UPDATE agents SET label = 'one_stop' WHERE number = 1",
        "UPDATE matches SET ticks = ticks + 1 WHERE number = 2",
        "UPDATE times SET cpu_ms = 0.5 WHERE match = 1",
        "UPDATE facts SET value = replace(value, 'test', 'best')",
        "DELETE FROM seats WHERE match = 3",
        "INSERT INTO abandoned VALUES (1, 'no reason', 0)",
        "UPDATE checks SET number = number + 1 WHERE name = 'runs'",
        "DELETE FROM checks WHERE name = 'worlds'",
    ],
)
def test_rows_that_changed_vanished_or_came_are_noticed(command, store):
    change(store, command)
    with pytest.raises(BadStore, match="is damaged: ") as caught:
        read_results(store)
    assert_one_sentence(caught.value)


@pytest.mark.parametrize(
    "commands",
    [
        ["CREATE TRIGGER evil AFTER INSERT ON runs BEGIN DELETE FROM matches; END"],
        ["ALTER TABLE seats RENAME TO hidden", "CREATE VIEW seats AS SELECT * FROM hidden"],
        ["CREATE TABLE more (word TEXT)"],
        ["DROP TABLE times"],
        ["ALTER TABLE seats DROP COLUMN depth"],
        ["DROP TABLE checks", "PRAGMA user_version = 1"],
        ["PRAGMA user_version = 1"],
        ["PRAGMA user_version = 0"],
    ],
)
def test_a_file_with_other_tables_is_no_store(commands, store):
    change(store, *commands)
    for use in (read_results, lambda path: run_study(study_of(), path, workers=0)):
        with pytest.raises(BadStore) as caught:
            use(store)
        assert_one_sentence(caught.value)


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        ("facts", "value", "[1, 2]"),
        ("facts", "value", "{}"),
        ("facts", "value", "[" * 100_000),
        ("facts", "value", "no JSON"),
        ("seats", "course", "[]"),
        ("seats", "course", "[" * 1000),
        ("seats", "course", '[["a", 1]]'),
        ("seats", "course", "[[0, 1e999]]"),
        ("seats", "agent", 77),
        ("seats", "won", "yes"),
        ("matches", "world", 99),
        ("matches", "agents", "{}"),
        ("matches", "budget", "no budget"),
        ("matches", "reason", None),
        ("worlds", "game", "another"),
        ("agents", "label", "\x1b[31mred"),
        ("times", "cpu_ms", "quick"),
        ("times", "cpu_ms", float("inf")),
    ],
)
def test_a_store_made_to_confuse_is_shown_or_answered_with_a_sentence(name, column, value, store):
    try:
        forge(store, name, column, value)
    except sqlite3.IntegrityError:
        pytest.skip("the tables themselves refuse it")
    try:
        assert summarise(read_results(store))
    except LudexError as error:
        assert_one_sentence(error)


def test_a_record_that_unfolds_to_too_much_is_refused(store):
    bomb = zlib.compress(bytes(2**28), 9)
    forge(store, "matches", "digest", None)
    change(store, ("UPDATE matches SET record = ?", [bomb]))
    with Store.open(store) as opened, pytest.raises(BadStore, match="is not what was written"):
        opened.record(1)
    with pytest.raises(BadStore, match="unfolds to more than"):
        unpack_record(bomb, "it")


@pytest.mark.parametrize("kind", ["folder", "pipe", "empty", "text", "other"])
def test_what_is_no_store_gets_a_sentence(kind, tmp_path):
    path = tmp_path / "study.sqlite"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "empty":
        path.touch()
    elif kind == "text":
        path.write_text("hello " * 1000)
    else:
        change(path, "CREATE TABLE seats (match TEXT)")
    with pytest.raises(LudexError) as caught:
        read_results(path)
    assert_one_sentence(caught.value)
    if kind != "empty":  # which a run makes a store of
        with pytest.raises(LudexError) as caught:
            run_study(study_of(), path, workers=0)
        assert_one_sentence(caught.value)
    assert [one.name for one in tmp_path.iterdir()] == ["study.sqlite"]


# Stores of an earlier ludex


@pytest.fixture
def old(whole, tmp_path):
    """The same store as format 1 kept it."""
    new, path = tmp_path / "new.sqlite", tmp_path / "old.sqlite"
    new.write_bytes(whole[0])
    connection = sqlite3.connect(path)
    connection.executescript(store_old.TABLES_1)
    connection.execute("ATTACH ? AS new", [str(new)])
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
        columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA table_info({name})"))
        connection.execute(f"INSERT INTO {name} SELECT {columns} FROM new.{name}")
    connection.execute("PRAGMA user_version = 1")
    connection.execute("PRAGMA application_id = 0x4C754478")
    connection.commit()
    connection.close()
    return path


def test_a_store_without_checksums_is_read(old, whole):
    found = shown(old)
    assert found == replace(whole[1], has_checksums=False)
    assert not summarise(found)["checksums"]
    with Store.open(old) as store:
        assert store.record(3).steps > 0


def test_a_store_without_checksums_gets_them_when_a_run_goes_on(old, whole, tmp_path):
    results = run_study(study_of(repetitions=3), old, workers=0)
    assert (results.played, results.has_checksums) == (12, True)
    run_study(study_of(repetitions=3), tmp_path / "other.sqlite", workers=0)
    again = read_results(tmp_path / "other.sqlite")
    assert [(row.match, row.score) for row in results] == [(row.match, row.score) for row in again]
    change(old, "UPDATE seats SET won = 1 - won WHERE match = 3")
    with pytest.raises(BadStore, match="is damaged"):
        read_results(old)


# The lock


def test_other_names_of_a_store_meet_the_same_lock(store, tmp_path, monkeypatch):
    link, hard, folder = tmp_path / "link.sqlite", tmp_path / "hard.sqlite", tmp_path / "folder"
    link.symlink_to(store)
    os.link(store, hard)
    folder.symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    lock = Lock(store)
    try:
        for name in (link, hard, folder / "study.sqlite", "study.sqlite", "./folder/study.sqlite"):
            with pytest.raises(StoreBusy, match="is being written by another run"):
                run_study(study_of(repetitions=3), name, workers=0)
    finally:
        lock.release()
    assert run_study(study_of(repetitions=3), link, workers=0).played == 12
    assert read_results(store).played == read_results(hard).played == 12


def test_a_link_in_the_place_of_the_lock_leaves_its_target_alone(store, tmp_path):
    target = tmp_path / "letter.txt"
    target.write_text("dear reader")
    store.with_name("study.sqlite-lock").symlink_to(target)
    with pytest.raises(LudexError, match="cannot write"):
        run_study(study_of(repetitions=3), store, workers=0)
    assert target.read_text() == "dear reader"


KILLED = """
import os, sys
from pathlib import Path
from ludex.arena.study.run import run_study
from ludex.arena.study.study import Study
study = Study.of("test", ["uniform", "one_step"], ["nim", "pig[target=15]"], budgets=("9calls",),
                 repetitions=4)
def tell(progress):
    if progress.played == 3:
        os.kill(os.getpid(), 9)
run_study(study, sys.argv[1], workers=0, progress=tell)
"""


def test_what_is_in_the_log_of_another_name_is_not_lost(store, tmp_path):
    """SQLite finds the log of a killed run by the name of the file alone."""
    hard = tmp_path / "hard.sqlite"
    os.link(store, hard)
    subprocess.run([sys.executable, "-c", KILLED, str(store)], timeout=60, check=False)
    for use in (read_results, lambda path: run_study(study_of(repetitions=4), path, workers=0)):
        with pytest.raises(BadStore, match="use that name"):
            use(hard)
    assert run_study(study_of(repetitions=4), store, workers=0).played == 16
    assert read_results(hard).played == 16
