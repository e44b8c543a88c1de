"""Any moment of a record is drawn and played on from."""

import json
from xml.etree import ElementTree

import pytest
from PIL import Image

import ludex
from ludex.arena.match.position import position
from ludex.arena.match.replay import replay
from ludex.arena.match.watcher import Watcher
from ludex.cli import main
from ludex.core.errors import BadParameter
from ludex.core.record import read_record

GAMES = {
    "nim": 2,
    "catan[seats=2,points=3]": 2,
    "hearthstone": 2,
    "kuhn_poker": 2,
    "goofspiel": 2,
    "pig[target=20]": 2,
    "vgdl/zelda": 1,
}


class States(Watcher):
    """Keeps the state after each step, with the chance that followed it."""

    def before_match(self, world, agents, state):
        self.all = [state]

    def after_chance(self, draw):
        self.all[-1] = draw.after

    def after_step(self, step):
        self.all.append(step.after)


@pytest.fixture
def played(tmp_path):
    def play(world="nim", seed=1):
        file = tmp_path / "game.jsonl"
        agents = ["uniform"] * GAMES[world]
        states = States()
        result = ludex.play(world, agents, seed=seed, budget="9calls", watchers=[states])
        result.record.write(file)
        return file, states.all

    return play


@pytest.mark.parametrize("world", GAMES)
def test_every_moment_is_the_state_that_was_played(played, world):
    file, states = played(world)
    record = read_record(file)
    last = record.steps
    for step in {0, 1, last // 2, last - 1, last}:
        assert position(record, step).state == states[step]
        assert position(record, step - last - 1).state == states[step]


def test_a_moment_beyond_the_end_is_refused(played):
    file, states = played()
    last = len(states) - 1
    with pytest.raises(BadParameter, match=f"name one from 0 to {last}, or from -1"):
        position(read_record(file), last + 1)
    with pytest.raises(BadParameter):
        position(read_record(file), -last - 2)


def test_a_moment_is_drawn_as_text_svg_and_png(played, tmp_path, capsys):
    file, states = played("vgdl/zelda")
    zelda = ludex.world("vgdl/zelda")
    assert main(["draw", str(file), "--at", "7"]) == 0
    assert capsys.readouterr().out == zelda.draw(states[7]) + "\n"
    for name in ("a.svg", "a.txt", "a.png"):
        assert main(["draw", f"{file}@7", "--out", str(tmp_path / name)]) == 0
    ElementTree.parse(tmp_path / "a.svg")
    assert (tmp_path / "a.txt").read_text() == zelda.draw(states[7]) + "\n"
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size[0] == 15 * 32


def test_without_a_moment_the_end_of_a_record_is_drawn(played, capsys):
    file, states = played("vgdl/zelda")
    drawn = ludex.world("vgdl/zelda").draw(states[-1]) + "\n"
    for words in (["draw", str(file)], ["draw", f"{file}@end"], ["draw", str(file), "--at", "-1"]):
        assert main(words) == 0
        assert capsys.readouterr().out == drawn


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_notation_of_a_moment_is_read_back(name, played, capsys):
    file, states = played(name)
    assert main(["draw", str(file), "--at", "2", "--notation"]) == 0
    [text] = capsys.readouterr().out.splitlines()
    assert ludex.world(name).parse(text) == states[2]


def test_a_seat_is_shown_what_it_may_see(played, capsys):
    file, states = played("kuhn_poker")
    kuhn = ludex.world("kuhn_poker")
    assert main(["draw", str(file), "--at", "1", "--seat", "1"]) == 0
    assert capsys.readouterr().out == kuhn.draw_view(kuhn.model.view(states[1], 1)) + "\n"
    assert main(["draw", str(file), "--seat", "2"]) == 2
    assert "has seats 0 to 1, got --seat 2" in capsys.readouterr().err


@pytest.mark.parametrize("world", GAMES)
def test_play_goes_on_from_a_moment(played, tmp_path, world):
    file, states = played(world)
    step = (len(states) - 1) // 2
    again = tmp_path / "again.jsonl"
    words = ["--agents", ",".join(["uniform"] * GAMES[world]), "--budget", "9calls"]
    assert main(["play", "--from", f"{file}@{step}", *words, "--record", str(again)]) == 0
    record = read_record(again)
    assert record.world == world
    assert record.start == str(states[step])
    replay(record)


def test_the_agents_of_a_record_play_on_unless_others_are_named(played, capsys):
    file, _ = played()
    assert main(["play", "--from", f"{file}@1", "--budget", "9calls", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agents"] == ["uniform", "uniform"]
    words = ["--agents", "one_step,uniform", "--budget", "9calls", "--json"]
    assert main(["play", "nim", "--from", f"{file}@1", *words]) == 0
    assert json.loads(capsys.readouterr().out)["agents"] == ["one_step", "uniform"]


def test_code_that_only_a_record_names_is_not_run(played, capsys):
    file, _ = played()
    file.write_text(file.read_text().replace('["uniform", "uniform"]', '["x.py:X", "uniform"]'))
    assert main(["play", "--from", f"{file}@1"]) == 2
    assert "not run unless you name it: add --agents" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["play", "catan", "--from", "FILE@1"], "is a record of nim, not of catan; leave that out"),
        (["play", "--from", "FILE@99"], "steps: name one from 0 to"),
        (["play", "--from", "FILE@first"], "a number of steps, -1 or end, got 'first'"),
        (["play", "--from", "FILE@-1"], "the game is over (took the last match); name an earlier"),
        (["play", "--from", "none.jsonl@3"], "there is no file 'none.jsonl'"),
        (["play", "--from", "FILE@1", "--level", "1"], "leave --level out"),
        (["play", "--from", "3 4 5 turn=0"], "name a world, as in"),
        (["play", "nim"], "--agents is missing"),
        (["draw", "FILE@1", "--at", "2"], "names a moment already; leave --at out"),
        (["draw", "FILE", "--from", "3 4 5 turn=0"], "leave --from out, and use --at N"),
        (["draw", "FILE", "--notation", "--seat", "0"], "leave --out, --numbers and --seat out"),
        (["draw", "nim", "--at", "2"], "--at names a moment of a record, and 'nim' is none"),
        (["draw", "FILE", "--at", "2", "--out", "a.png"], "drawn as text and SVG, not as pixels"),
    ],
)
def test_what_cannot_be_is_one_sentence(played, tmp_path, monkeypatch, capsys, words, told):
    file, _ = played()
    monkeypatch.chdir(tmp_path)
    assert main([word.replace("FILE", file.name) for word in words]) != 0
    error = capsys.readouterr().err
    assert told in error.replace("\n", " ")
    assert "Traceback" not in error


def test_notation_still_begins_a_game(capsys):
    words = ["--agents", "uniform,uniform", "--from", "0 0 1 turn=1", "--budget", "9calls"]
    assert main(["play", "nim", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"][0]["winners"] == [1]


@pytest.mark.timeout(120)
def test_a_match_of_a_study_has_moments_too(tmp_path, capsys):
    study = tmp_path / "small.toml"
    study.write_text(
        'about = "small"\nagents = ["uniform", "one_step"]\nworlds = ["nim"]\n'
        'budgets = ["9calls"]\nrepetitions = 1\n'
    )
    assert main(["arena", "run", str(study), "--workers", "1"]) == 0
    capsys.readouterr()
    assert main(["draw", f"{study}#1", "--at", "0"]) == 0
    assert "seat 0 to move" in capsys.readouterr().out
