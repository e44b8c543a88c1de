"""The show: a film, a table a world, pictures, and commands that work."""

from __future__ import annotations

import io
import json
import re
import shlex
import xml.etree.ElementTree as ElementTree
from contextlib import redirect_stdout
from dataclasses import replace

import pytest

from ludex.cli import main
from ludex.cli.showcase import command, film, programme
from ludex.cli.showcase.matches import play_all, verdict
from ludex.cli.showcase.programme import PROGRAMME, act_of_stranger, acts
from ludex.cli.showcase.tables import show_table
from ludex.core import registry
from ludex.core.record import read_record

HURRIED = {name: replace(act, budget="20calls") for name, act in PROGRAMME.items()}


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """Play every line of the show with next to no budget, in an empty folder."""
    monkeypatch.setattr(programme, "PROGRAMME", HURRIED)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("show")


@pytest.fixture(scope="module")
def shown(folder):
    """What the whole show prints where nothing can move."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as out:
        patch.setattr(programme, "PROGRAMME", HURRIED)
        patch.chdir(folder)
        assert main(["showcase", "--games", "2", "--workers", "1"]) == 0
    return out.getvalue()


def test_the_show_begins_with_a_few_frames_of_a_mind_where_nothing_can_move(shown):
    opening = shown.partition("\nvgdl/zelda  ")[0]
    assert opening.startswith("YOLOBOT plays zelda")
    assert 2 <= opening.count("╭─ vgdl/zelda tick ") <= 3
    assert "rules learned:" in opening
    assert "danger: " in opening


def test_every_world_has_a_table_with_a_result(shown):
    after = shown.partition("\nvgdl/zelda  ")[2]
    for name in registry.names("worlds"):
        assert name == "vgdl" or f"\n{name}  " in after
    words = " ".join(after.split())
    assert words.count("(2 games each at 20calls") == len(registry.names("worlds"))


def test_the_show_fits_a_terminal_of_eighty_columns(shown):
    tables = shown.partition("\nvgdl/zelda  ")[2].partition("\nNext")[0]
    assert max(map(len, tables.splitlines())) <= 80


def test_the_show_leaves_pictures_and_the_record_of_the_film(shown, folder):
    assert "Pictures are in showcase/: catan.svg and hearthstone.svg" in shown
    for name in ("catan.svg", "hearthstone.svg"):
        assert ElementTree.parse(folder / "showcase" / name).getroot().tag.endswith("svg")
    assert read_record(folder / "showcase" / "zelda.jsonl.gz").agents == ["yolobot"]


def test_the_commands_that_the_show_ends_with_work(shown, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    typed = re.findall(r"\S*ludex (.*)$", shown.partition("\nNext\n")[2], re.MULTILINE)
    assert len(typed) == 7
    assert sum("human" in one for one in typed) == 2
    for one in typed:
        if "human" not in one:  # a person plays those
            assert main(shlex.split(one)) == 0, capsys.readouterr().err
    assert (folder / "zelda.webp").stat().st_size > 1000
    assert (folder / "first.html").exists()


def test_a_folder_that_cannot_be_written_spoils_only_the_pictures(quick, tmp_path, capsys):
    (tmp_path / "file").touch()
    options = ("--games", "1", "--workers", "1", "--out", "file/pictures")
    assert main(["showcase", *options]) == 0
    said = capsys.readouterr()
    assert "cannot write pictures to 'file/pictures'" in said.err
    assert "ludex play vgdl/zelda --agents human" in said.out
    assert "replay" not in said.out.partition("\nNext\n")[2]


def test_the_show_answers_scripts_with_its_results_alone(quick, tmp_path, capsys):
    assert main(["showcase", "--games", "1", "--workers", "1", "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert {"uniform", "minimax"} <= {row["agents"][-1] for row in results}
    assert sum(row["faults"] for row in results) == 0
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_show_answers_scripts_with_one_document(quick, monkeypatch, capsys):
    def impatient(chosen, workers):
        yield from play_all(chosen[:1], workers)
        raise KeyboardInterrupt

    monkeypatch.setattr("ludex.cli.showcase.matches.play_all", impatient)
    assert main(["showcase", "--games", "1", "--workers", "1", "--json"]) == 130
    document = json.loads(capsys.readouterr().out)
    assert document["interrupted"] is True
    assert [row["agents"] for row in document["results"]] == [
        ["yolobot"],
        ["open_loop_mcts"],
        ["uniform"],
    ]


def test_ctrl_c_in_the_film_ends_the_show_in_a_sentence(quick, monkeypatch, capsys):
    def leave(console):
        raise KeyboardInterrupt

    monkeypatch.setattr(film, "play_film", leave)
    assert main(["showcase"]) == 130
    out = capsys.readouterr().out
    assert "interrupted: the film was not shown to its end; " in out
    assert "Next" not in out


def test_the_number_of_workers_does_not_change_the_show(quick, capsys):
    documents = []
    for workers in ("1", "2"):
        assert main(["showcase", "--games", "2", "--workers", workers, "--json"]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    assert documents[0] == documents[1]


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_a_world_that_the_programme_does_not_know_is_played_by_planners_that_accept_it(name):
    act = act_of_stranger(name)
    assert act.lines
    seats = registry.world(act.world).traits.seats
    assert {len(line) for line in act.lines} == {min(seats, 2)}


@pytest.mark.strength
@pytest.mark.timeout(600)
def test_every_table_of_the_show_is_decided(capsys):
    assert main(["showcase", "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert {row["world"] for row in results} == {str(world) for world, _ in acts()}
    assert [row for row in results if row["verdict"] not in ("ahead", "behind")] == []


def row(**changes) -> dict:
    return {
        "world": "kuhn_poker",
        "agents": ["ismcts", "kuhn_poker/equilibrium"],
        "budget": "4000calls",
        "games": 20,
        "wins": [10, 3],
        "ties": 7,
        "intervals": [[0.3, 0.7], [0.05, 0.36]],
        "mean_return": 0.35,
        "mean_score": 0.35,
        "return_interval": [0.02, 0.68],
        "by": "wins",
        "verdict": "unclear",
    } | changes


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_table_shows_every_number_at_any_width(monkeypatch, capsys, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    three = ["ismcts", "parley/statesman", "parley/statesman"]
    show_table(registry.world("kuhn_poker"), [row(), row(agents=three, verdict="ahead")])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= columns
    first = next(line for line in lines if line.startswith("ismcts v equilibrium"))
    for number in ("10-7-3", "30-70 %"):
        assert number in first
    assert any("statesman x 2" in line and "10-7-3" in line for line in lines)
    said = " ".join(" ".join(lines).split())
    assert "ismcts is not clearly ahead of equilibrium; ismcts is ahead of statesman" in said


def test_a_table_that_returns_decide_shows_them_with_their_range(capsys):
    show_table(registry.world("kuhn_poker"), [row(by="return", verdict="ahead")])
    out = capsys.readouterr().out
    assert "+0.35 ±0.33" in out
    assert "by mean return" in out


def test_the_mean_return_of_one_game_has_no_interval(capsys):
    one = row(by="return", games=1, wins=[1, 0], ties=0, return_interval=None)
    show_table(registry.world("kuhn_poker"), [one])
    out = capsys.readouterr().out
    assert "+0.35" in out
    assert "±" not in out


@pytest.mark.parametrize(
    ("intervals", "word"),
    [
        ([(0.6, 0.9), (0.1, 0.4)], "ahead"),
        ([(0.6, 0.9), (0.1, 0.4), (0.2, 0.65)], "unclear"),
        ([(0.1, 0.4), (0.6, 0.9), (0.0, 0.2)], "behind"),
        ([(0.4, 0.6), (0.4, 0.6)], "unclear"),
    ],
)
def test_a_verdict_says_in_a_word_who_is_ahead(intervals, word):
    assert verdict(intervals) == word


def test_pictures_are_named_in_the_help(capsys):
    assert main(["showcase", "--help"]) == 0
    assert str(command.FOLDER) in capsys.readouterr().out
