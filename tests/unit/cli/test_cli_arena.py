"""`ludex arena`: running, showing, reporting and exporting studies, and bad input."""

from __future__ import annotations

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from folders import HELPERS

from ludex.arena.store.lock import Lock

STUDY = """
about = "Who wins?"
agents = ["uniform", "one_step", {name = "search", agent = "mcts"}]
worlds = ["nim[heaps=1-2]", {name = "pig", world = "pig[target=10]"}]
budgets = ["9calls", "20calls"]
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(STUDY)
    return path


@pytest.fixture
def played(file, run):
    assert run("arena", "run", file, "--workers", 1)[0] == 0
    return file


def test_run_plays_into_a_store_beside_the_file(file, answer):
    found = answer("arena", "run", file)
    assert found == {
        "study": "small",
        "store": str(file.with_suffix(".sqlite")),
        "played": 24,
        "scheduled": 24,
        "abandoned": {},
    }
    assert file.with_suffix(".sqlite").is_file()


def test_a_second_run_has_nothing_to_do(played, run):
    status, out, _ = run("arena", "run", played)
    assert status == 0
    assert "24 matches are in" in out


def test_check_says_what_would_be_played_and_plays_nothing(file, run, answer):
    status, out, _ = run("arena", "run", file, "--check")
    assert status == 0
    assert "3 agents, 2 games, 2 levels, 2 budgets, 1 repetition: 24 matches" in " ".join(
        out.split()
    )
    assert not file.with_suffix(".sqlite").exists()
    assert answer("arena", "run", file, "--check")["matches"] == 24


def test_show_tells_places_points_games_and_ratings(played, run):
    status, out, _ = run("arena", "show", played)
    assert status == 0
    for word in ("at 9calls", "at 20calls", "points", "Friedman", "Glicko-2", "nim[heaps=1-2]"):
        assert word in out


def test_show_of_one_part_leaves_the_others_out(played, run):
    status, out, _ = run("arena", "show", played, "--part", "ranking")
    assert status == 0
    assert out.count("points: 25, 18, 15, 12, 10, 8, 6, 4, 2, 1 for the ranks in each game") == 2
    assert "Glicko-2" not in out


def test_many_agents_leave_the_names_of_games_whole(tmp_path, run):
    file = tmp_path / "many.toml"
    agents = ", ".join(f'{{name = "{number}", agent = "uniform"}}' for number in range(20))
    file.write_text(
        f'agents = [{agents}]\nworlds = ["vgdl/missilecommand"]\n[rules]\nmax_ticks = 2'
    )
    assert run("arena", "run", file, "--workers", 1)[0] == 0
    status, out, _ = run("arena", "show", file, "--part", "games")
    assert status == 0
    assert out.count(" vgdl/missilecommand ") == 2
    for place in range(1, 21):
        assert f"#{place} " in out


def test_show_as_json_has_all_numbers(played, answer):
    found = answer("arena", "show", played.with_suffix(".sqlite"))
    assert (found["study"], found["played"], found["about"]) == ("small", 24, "Who wins?")
    assert [one["budget"] for one in found["budgets"]] == ["9calls", "20calls"]
    first = found["budgets"][0]
    assert {one["agent"] for one in first["agents"]} == {"uniform", "one_step", "search"}
    assert sum(one["wins"] for one in first["agents"]) == 12
    assert sum(one["matches"] for one in first["agents"]) == 24
    assert first["ratings"]["agents"][0].keys() >= {"elo", "elo_interval", "glicko", "deviation"}


def test_report_writes_a_page_and_a_summary(played, run):
    status, out, _ = run("arena", "report", played, "--films", 1)
    assert status == 0
    page, summary = played.with_suffix(".html"), played.with_suffix(".md")
    assert "Who wins?" in page.read_text()
    assert "| rank | agent | points |" in summary.read_text()
    assert str(page) in out.replace("\n", "")


def test_export_writes_csv_and_parquet(played, run, tmp_path):
    for name in ("rows.csv", "rows.parquet"):
        assert run("arena", "export", played, "--out", tmp_path / name)[0] == 0
    with (tmp_path / "rows.csv").open() as text:
        rows = list(csv.DictReader(text))
    from pyarrow import parquet

    table = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    assert len(rows) == len(table) == 48
    assert [row["agent"] for row in rows] == [row["agent"] for row in table]
    assert [float(row["score"]) for row in rows] == [row["score"] for row in table]
    assert [row["won"] == "True" for row in rows] == [row["won"] for row in table]


@pytest.mark.parametrize("table", ["faults", "courses"])
def test_export_knows_other_tables(played, run, tmp_path, table):
    assert run("arena", "export", played, "--out", tmp_path / "t.csv", "--table", table)[0] == 0
    assert run("arena", "export", played, "--out", tmp_path / "t.parquet", "--table", table)[0] == 0
    head = (tmp_path / "t.csv").read_text().partition("\n")[0]
    assert head.startswith("match,")


def test_a_match_of_a_study_is_replayed_by_its_number(played, answer, run):
    store = played.with_suffix(".sqlite")
    found = answer("replay", f"{store}#3")
    assert found["verified"]
    assert found["world"] == "nim[heaps=1-2]"
    status, _, err = run("replay", f"{store}#99")
    assert status == 2
    assert "has no match 99; it has 1 to 24" in err
    assert answer("replay", f"{played}#3")["seed"] == found["seed"]


def test_a_whole_study_is_not_replayed_at_once(played, run):
    status, _, err = run("replay", played.with_suffix(".sqlite"))
    assert status == 2
    assert "holds a whole study; name a match of it" in err


def test_sprt_says_who_is_better(answer, run):
    found = answer(
        "arena", "sprt", "nim/perfect", "uniform", "nim", "--budget", "9calls", "--elo1", 100
    )
    assert found["verdict"] == "better"
    status, out, _ = run(
        "arena", "sprt", "uniform", "uniform", "nim", "--budget", "9calls", "--pairs", 2
    )
    assert status == 0
    assert out.startswith("undecided: uniform may be better than uniform, or not")


@pytest.mark.parametrize(
    ("command", "status", "sentence"),
    [
        (["run", "none.toml"], 2, "there is no study file 'none.toml'"),
        (["show", "none.toml"], 1, "there is no store 'none.sqlite'; ludex arena run makes one"),
        (["report", "none.sqlite"], 1, "there is no store 'none.sqlite'"),
        (["export", "small.toml", "--out", "a.xls"], 2, "written as .csv or .parquet"),
        (["export", "small.toml", "--out", "a.csv", "--table", "x"], 2, "no table named 'x'"),
        (["show", "small.toml", "--part", "rank"], 2, "did you mean 'ranking'?"),
        (["report", "small.toml", "--out", "a.txt"], 2, "a report is a .html file"),
        (["run", "small.toml", "--store", "no/where.sqlite"], 2, "there is no folder 'no'"),
        (["run", "small.toml", "--workers", "0"], 2, "--workers is a whole number from 1"),
        (["sprt", "mcts", "uniform", "nmi"], 2, "did you mean 'nim'?"),
        (["sprt", "mtcs", "uniform", "nim"], 2, "did you mean 'mcts'?"),
        (["sprt", "mcts", "uniform", "nim", "--elo1", "0"], 2, "elo0 is below elo1"),
        (["sprt", "mcts", "uniform", "kuhn_poker"], 2, "needs full information"),
    ],
)
def test_bad_words_get_one_sentence(command, status, sentence, file, run, monkeypatch):
    monkeypatch.chdir(file.parent)
    found, _, err = run("arena", *command)
    assert found == status
    assert sentence in err
    assert err.count("\n") == 1


def test_a_broken_file_lists_every_problem_on_a_line_of_its_own(tmp_path, run):
    file = tmp_path / "broken.toml"
    file.write_text('agents = ["mtcs"]\nworlds = ["nmi"]\nbudget = "9calls"\n')
    status, _, err = run("arena", "run", file)
    assert status == 2
    assert [line.split(": ")[1].rpartition(":")[2] for line in err.splitlines()] == ["1", "2", "3"]
    assert "did you mean 'budgets'?" in err


def test_a_store_of_another_run_is_left_alone(played, run):
    lock = Lock(played.with_suffix(".sqlite"))
    try:
        status, _, err = run("arena", "run", played)
    finally:
        lock.release()
    assert status == 1
    assert "is being written by another run" in err


def test_a_match_that_cannot_be_played_is_named_and_the_command_fails(tmp_path, run):
    agents = HELPERS / "hostile_agents.py"
    file = tmp_path / "study.toml"
    file.write_text(
        f'agents = ["uniform", "{agents}:KillsItself"]\nworlds = ["nim"]\nbudgets = "9calls"\n'
        'isolate = "never"\n'
    )
    status, out, err = run("arena", "run", file)
    assert status == 1
    assert "0 matches are in" in out
    assert "match 1 could not be played" in err


def test_ctrl_c_keeps_what_is_played_and_says_how_to_go_on(tmp_path):
    file = tmp_path / "long.toml"
    file.write_text(STUDY.replace("budgets", "repetitions = 2000\nbudgets"))
    running = subprocess.Popen(
        [Path(sys.executable).with_name("ludex"), "arena", "run", file],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    store = file.with_suffix(".sqlite")
    try:
        wait_until(lambda: store.exists() and played_in(store) > 3)
        os.kill(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
        running.wait()
    assert running.returncode == 130, err
    assert "interrupted: " in out
    assert "the same command goes on" in " ".join(out.split())
    assert played_in(store) > 3


def wait_until(condition):
    end = time.monotonic() + 90
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def played_in(store):
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT count(ticks) FROM matches").fetchone()[0]
    except sqlite3.OperationalError:  # its tables are not made yet
        return 0
    finally:
        connection.close()


def test_a_new_study_is_a_file_that_can_be_played(tmp_path, run):
    assert run("new", "study", "mine", "--path", tmp_path)[0] == 0
    status, out, _ = run("arena", "run", tmp_path / "mine.toml", "--check")
    assert status == 0
    assert "3 agents, 3 games" in out


def test_what_show_prints_as_json_has_no_infinities(played, run):
    _, out, _ = run("arena", "show", played, "--json")
    json.loads(out, parse_constant=lambda word: pytest.fail(word))


# Results of hidden games


@pytest.fixture
def hidden(tmp_path, run):
    path = tmp_path / "validation.toml"
    path.write_text(
        'agents = ["uniform", "one_step", "hostile.py:Stops"]\n'
        'budgets = ["9calls"]\n[[worlds]]\nname = "Alpha"\nworld = "nim[heaps=1-2]"\n'
        '[[worlds]]\nname = "Beta"\nworld = "pig[target=10]"\n'
    )
    (tmp_path / "hostile.py").write_text(
        "class Stops:\n    def decide(self, model, view, budget, rng):\n"
        "        raise ValueError(f'I saw {view.state} of Alpha')\n"
    )
    assert run("arena", "run", path, "--workers", 1)[0] == 0
    return path


def test_anonymous_results_have_the_numbers_but_not_the_games(hidden, answer, run):
    open_, closed = (answer("arena", "show", hidden, *more) for more in ((), ("--anonymous",)))
    assert {game["game"] for game in closed["budgets"][0]["games"]} == {"G1", "G2"}
    points = [
        [(one["agent"], one["points"], one["win_rate"]) for one in found["budgets"][0]["agents"]]
        for found in (open_, closed)
    ]
    assert points[0] == points[1]
    page, table = hidden.with_suffix(".html"), hidden.with_suffix(".csv")
    assert run("arena", "report", hidden, "--anonymous")[0] == 0
    assert run("arena", "export", hidden, "--out", table, "--anonymous")[0] == 0
    faults = hidden.with_name("faults.csv")
    assert (
        run("arena", "export", hidden, "--table", "faults", "--out", faults, "--anonymous")[0] == 0
    )
    shown = run("arena", "show", hidden, "--anonymous")[1]
    texts = [file.read_text() for file in (page, page.with_suffix(".md"), table, faults)]
    for text in (*texts, json.dumps(closed), shown):
        for word in ("Alpha", "Beta", "nim[", "pig[", "the last match"):
            assert word not in text
    with table.open() as file:
        assert {row["game"] for row in csv.DictReader(file)} == {"G1", "G2"}


COLLECTION_STUDY = """
agents = ["uniform"]
worlds = ["vgdl/aliens", {name = "mine", world = "vgdl/mine[semantics=clean]"}]
budgets = ["1calls"]
"""


@pytest.fixture
def collection(tmp_path):
    """A folder with two games of four ticks; Ludex has another one named aliens."""
    folder = tmp_path / "games"
    folder.mkdir()
    for name in ("aliens", "mine"):
        (folder / f"{name}.txt").write_text(
            "BasicGame\n    SpriteSet\n        avatar > MovingAvatar\n    LevelMapping\n"
            "        A > avatar\n    InteractionSet\n        avatar EOS > stepBack\n"
            "    TerminationSet\n        Timeout limit=3 win=True\n"
        )
        (folder / f"{name}_lvl0.txt").write_text("A..\n")
    return folder


def test_a_collection_stands_for_our_own_games(tmp_path, collection, answer):
    file = tmp_path / "theirs.toml"
    file.write_text(COLLECTION_STUDY)
    assert answer("arena", "run", file, "--games", collection)["played"] == 2
    with sqlite3.connect(file.with_suffix(".sqlite")) as store:
        worlds = store.execute("select world from worlds order by number").fetchall()
        ticks = store.execute("select ticks from matches").fetchall()
    assert worlds == [
        (str(collection / "aliens.txt"),),
        (f"{collection / 'mine.txt'}[semantics=clean]",),
    ]
    assert ticks == [(4,), (4,)]


def test_a_game_that_the_collection_lacks_is_named_with_its_line(tmp_path, collection, run):
    file = tmp_path / "theirs.toml"
    file.write_text(COLLECTION_STUDY.replace("vgdl/mine", "vgdl/mime"))
    status, _, said = run("arena", "run", file, "--games", collection)
    assert status == 2
    (problem,) = said.splitlines()
    assert problem == (
        f"ludex: {file}:3: worlds, entry 2: the collection has no game 'mime'; did you mean 'mine'?"
    )


def test_a_game_of_a_collection_that_was_not_given_names_the_way_out(tmp_path, run):
    file = tmp_path / "theirs.toml"
    file.write_text(COLLECTION_STUDY)
    status, _, said = run("arena", "run", file)
    assert status == 2
    (problem,) = said.splitlines()
    assert problem == (
        f"ludex: {file}:3: worlds, entry 2: no VGDL game of ours is named 'mine', and games of a "
        "collection need --games DIR"
    )
