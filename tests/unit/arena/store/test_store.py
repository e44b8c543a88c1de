"""Stores that cannot be used get a sentence, and nothing in them is lost."""

import json
import resource
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import play_match
from ludex.arena.statistics.results import read_results
from ludex.arena.store import store as stores
from ludex.arena.store import versions as store_versions
from ludex.arena.store.errors import BadStore, CannotWrite, NewerStore, StoreBusy
from ludex.arena.store.lock import Lock
from ludex.arena.store.records import pack_record, unpack_record
from ludex.arena.store.schema import SCHEMA
from ludex.arena.store.store import Store
from ludex.arena.study.run import run_study
from ludex.arena.study.schedule import first_round
from ludex.arena.study.study import Study
from ludex.core.errors import UnknownName
from ludex.worlds.nim import Nim


def study_of(agents=("uniform", "one_step"), worlds=("nim",), **more):
    return Study.of("test", agents, worlds, **{"budgets": ("9calls",), **more})


@pytest.fixture
def played(tmp_path):
    path = tmp_path / "study.sqlite"
    run_study(study_of(), path, workers=0)
    return path


def change(path, *commands):
    connection = sqlite3.connect(path)
    for command in commands:
        connection.execute(command)
    connection.commit()
    connection.close()


def test_a_store_of_a_newer_version_is_left_alone(played):
    change(played, f"PRAGMA user_version = {SCHEMA + 1}")
    before = played.read_bytes()
    for use in (lambda: read_results(played), lambda: run_study(study_of(), played, workers=0)):
        with pytest.raises(NewerStore, match="newer than 2; update ludex to read it"):
            use()
    assert played.read_bytes() == before


def test_a_file_that_is_no_store_is_left_alone(tmp_path):
    text, other = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    text.write_text("hello, this is a text" * 100)
    change(other, "CREATE TABLE notes (word TEXT)")
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(BadStore, match="is not a store of a ludex study"):
            read_results(path)
        with pytest.raises(BadStore, match="is not a store of a ludex study"):
            run_study(study_of(), path, workers=0)
        assert path.read_bytes() == before


def test_a_damaged_store_is_named(played):
    content = bytearray(played.read_bytes())
    content[4096:] = b"\x55" * (len(content) - 4096)
    played.write_bytes(content)
    with pytest.raises(BadStore, match="is damaged"):
        read_results(played)


def test_a_store_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadStore, match="there is no store"):
        read_results(tmp_path / "none.sqlite")
    with pytest.raises(CannotWrite, match="there is no folder"):
        run_study(study_of(), tmp_path / "none" / "study.sqlite", workers=0)


def test_an_empty_file_becomes_a_store(tmp_path):
    path = tmp_path / "study.sqlite"
    path.touch()
    assert run_study(study_of(), path, workers=0).played == 2


def test_a_store_that_another_run_writes_is_left_alone(played):
    lock = Lock(played)
    try:
        with pytest.raises(StoreBusy, match=r"written by another run \(process [0-9]+\)"):
            run_study(study_of(repetitions=2), played, workers=0)
        assert read_results(played).played == 2  # reading is always possible
    finally:
        lock.release()
    assert run_study(study_of(repetitions=2), played, workers=0).played == 4


def test_the_lock_of_a_killed_run_is_free(played):
    program = (
        "import os, sys; from pathlib import Path; from ludex.arena.store.store import Lock\n"
        "lock = Lock(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, str(played)], timeout=60, check=False)
    assert played.with_name(played.name + "-lock").exists()
    assert run_study(study_of(repetitions=2), played, workers=0).played == 4
    assert not played.with_name(played.name + "-lock").exists()


def test_a_store_that_another_program_locks_is_left_alone(played, monkeypatch):
    monkeypatch.setattr(stores, "BUSY_S", 0.1)
    other = sqlite3.connect(played)
    other.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(StoreBusy, match="is locked by another program"):
            run_study(study_of(repetitions=2), played, workers=0)
    finally:
        other.close()
    assert run_study(study_of(repetitions=2), played, workers=0).played == 4


def test_a_full_disk_keeps_all_that_is_stored(played, monkeypatch):
    real = stores.connect

    def small(address):
        connection = real(address)
        if "mode=ro" not in address:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages + 4}")
        return connection

    bigger = study_of(repetitions=40)
    with monkeypatch.context() as patch:
        patch.setattr(stores, "connect", small)
        with pytest.raises(CannotWrite, match="the disk is full; all matches stored so far"):
            run_study(bigger, played, workers=0)
    kept = read_results(played).played
    assert 2 <= kept < 80
    assert run_study(bigger, played, workers=0).played == 80
    run_study(bigger, played.with_name("whole.sqlite"), workers=0)
    whole, again = read_results(played.with_name("whole.sqlite")), read_results(played)
    assert [(row.match, row.score) for row in again] == [(row.match, row.score) for row in whole]


def test_a_disk_that_takes_no_more_keeps_all_that_is_stored(tmp_path):
    path = tmp_path / "study.sqlite"
    program = (
        "import sys\nfrom ludex.arena.study.run import run_study\n"
        "from ludex.arena.study.study import Study\n"
        "from ludex.core.errors import LudexError\n"
        "study = Study.of('test', ['uniform', 'one_step'], ['nim'], budgets=('9calls',),"
        " repetitions=200)\n"
        "try: run_study(study, sys.argv[1], workers=0)\n"
        "except LudexError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)),
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert "all matches stored so far are kept, so free some room" in done.stdout
    kept = read_results(path).played
    assert 0 < kept < 400
    assert run_study(study_of(repetitions=200), path, workers=0).played == 400


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"seed": 1}, "seed: was 0, is 1"),
        ({"repetitions": 1}, "repetitions: was 2, is only 1"),
        ({"agents": ("uniform", "mcts")}, "agents: 'one_step' is missing"),
        (
            {"agents": ("uniform", ("one_step", "mcts"))},
            "agents: 'one_step' was 'one_step', is 'mcts'",
        ),
        ({"worlds": (("nim", "nim[heaps=1-2]"),)}, "games: 'nim' was 'nim', is 'nim\\[heaps=1-2]"),
        ({"budgets": ("10calls",)}, "budgets: '9calls' is missing"),
        ({"rules": MatchRules(max_ticks=5)}, "rules: was"),
        ({"seeds": (1, 2), "repetitions": 2}, "seeds: they were given by 'repetitions' before"),
        ({"pairing": "against", "opponents": ["mcts"]}, "pairing: was 'round_robin'"),
    ],
)
def test_a_store_of_another_study_is_left_alone(other, sentence, tmp_path):
    path = tmp_path / "study.sqlite"
    run_study(study_of(repetitions=2), path, workers=0)
    with pytest.raises(BadStore, match=f"was begun with another study: {sentence}"):
        run_study(study_of(**{"repetitions": 2, **other}), path, workers=0)
    assert read_results(path).played == 4


@pytest.mark.parametrize("agent", ["{}:Mine", "mcts(value={}:value)"])
def test_an_agent_whose_file_changed_is_not_mixed_with_its_old_matches(tmp_path, agent):
    file, path = tmp_path / "mine.py", tmp_path / "study.sqlite"
    source = "class Mine:\n    def decide(self, model, view, *_):\n        return view.legal[0]\n"
    source += "def value(model, state, seat):\n    return 0.0\n"
    file.write_text(source)
    agents = [("mine", agent.format(file)), "uniform"]
    run_study(study_of(agents), path, workers=0)
    file.write_text(source + "# better\n")
    more = study_of(agents, repetitions=2)
    with pytest.raises(BadStore, match=r"the agent 'mine' has changed since .*--mixed"):
        run_study(more, path, workers=0)
    assert run_study(more, path, workers=0, mixed=True).played == 4


def test_a_world_or_package_of_another_version_is_not_mixed(played, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Nim, "version", 99)
        with pytest.raises(BadStore, match=r"the world 'nim' has changed .*was 1, is 99"):
            run_study(study_of(repetitions=2), played, workers=0)
    monkeypatch.setattr(store_versions, "package_version", lambda: "99.0")
    with pytest.raises(BadStore, match=r"ludex has changed .*is 99\.0"):
        run_study(study_of(repetitions=2), played, workers=0)


def test_versions_are_recorded(played):
    versions = read_results(played).versions
    assert set(versions) == {"ludex", "agent uniform", "agent one_step", "world nim"}
    with Store.open(played) as store:
        record = store.record(1)
    assert record.package_version == versions["ludex"]
    assert str(record.world_version) == versions["world nim"]


def test_records_lose_nothing_in_the_store():
    for world, agents in (("vgdl/aliens", ["uniform"]), ("pig", ["uniform", "one_step"])):
        result = play_match(world, agents, seed=5, budget="9calls")
        packed = pack_record(result.record)
        assert unpack_record(packed, "it") == result.record
        assert len(packed) < len(result.record.text()) / 4


def test_streams_that_do_not_follow_from_the_seed_are_kept():
    record = play_match("vgdl/aliens", ["uniform"], seed=5, budget="9calls").record
    odd = replace(record, seed=6)
    assert unpack_record(pack_record(odd), "it") == odd


def test_matches_that_are_not_there_are_named(played):
    with Store.open(played) as store, pytest.raises(UnknownName, match="it has 1 to 2"):
        store.record(7)
    more = study_of(repetitions=2)
    with Store.create(played) as store:
        store.begin(more, 0)
        store.schedule(more, first_round(more))
    with Store.open(played) as store, pytest.raises(BadStore, match="not been played yet"):
        store.record(3)
    change(played, "UPDATE matches SET record = x'00' WHERE number = 1")
    with Store.open(played) as store, pytest.raises(BadStore, match="is damaged"):
        store.record(1)


def test_a_store_can_be_read_where_nothing_can_be_written(played, tmp_path):
    read_only = tmp_path / "read_only"
    read_only.mkdir()
    copy = read_only / "study.sqlite"
    copy.write_bytes(played.read_bytes())
    change(copy, "PRAGMA journal_mode = WAL")
    read_only.chmod(0o500)
    try:
        assert read_results(copy).played == 2
    finally:
        read_only.chmod(0o700)


def test_the_study_is_in_its_store(played):
    with Store.open(played) as store:
        assert store.study == study_of()
        assert json.dumps(store.document)


def test_the_folder_of_a_store_need_not_be_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_study(study_of(), "here.sqlite", workers=0).played == 2
    assert Path("here.sqlite").is_file()
