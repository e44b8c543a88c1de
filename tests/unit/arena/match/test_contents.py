"""What a match depended on is in its record, and a change of it is named."""

import json
from dataclasses import replace

import numpy as np
import pytest

from ludex.arena.match.replay import changed_since, replay, world_of
from ludex.arena.match.runner import play_match
from ludex.arena.statistics.results import read_results
from ludex.arena.statistics.summary import summarise
from ludex.arena.store.errors import BadStore
from ludex.arena.study.run import run_study
from ludex.arena.study.study import Study
from ludex.cli import main
from ludex.core import registry
from ludex.core.contents import files_named_in, hash_of, hash_of_source
from ludex.core.errors import ReplayDiffers
from ludex.core.record import parse_record, read_record
from ludex.worlds.hearthstone import decks

GAME = """BasicGame
    SpriteSet
        avatar > MovingAvatar
        goal > Immovable color=GREEN
    LevelMapping
        A > avatar
        G > goal
    InteractionSet
        avatar EOS > stepBack
        goal avatar > killSprite scoreChange=1
    TerminationSet
        Timeout limit=6 win=False
"""
AGENT = """
from helper import choose
class Mine:
    def decide(self, model, view, budget, rng):
        return choose(view)
"""


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(GAME)
    (tmp_path / "mine_lvl0.txt").write_text("A...G\n")
    return path


@pytest.fixture
def agent(tmp_path):
    (tmp_path / "helper.py").write_text("def choose(view):\n    return view.legal[0]\n")
    path = tmp_path / "mine.py"
    path.write_text(AGENT)
    return path


def deck(tmp_path, name, *lines):
    path = tmp_path / name
    text = (decks.FOLDER / "aaron.deck").read_text() if not lines else "\n".join(lines)
    path.write_text(text)
    return path


# Records


def test_a_record_has_the_hashes_of_all_files_of_a_match(game, tmp_path):
    model = tmp_path / "notes.bin"
    model.write_bytes(b"weights")
    record = play_match(str(game), ["uniform"], budget="5calls").record
    assert record.contents == {
        "world": {
            "game mine.txt": hash_of(game),
            "level mine_lvl0.txt": hash_of(game.with_name("mine_lvl0.txt")),
        }
    }
    assert parse_record(record.text()) == record
    assert files_named_in(f"mcts@local(file={model})") == {"file notes.bin": hash_of(model)}


def test_worlds_name_the_files_that_they_read(tmp_path):
    own = deck(tmp_path, "own.deck")
    contents = registry.world(f"hearthstone[decks={own}/aaron]").contents
    assert set(contents) == {"cards classic", "deck own.deck", "deck aaron.deck"}
    assert contents["deck own.deck"] == hash_of(own)
    assert set(registry.world("vgdl/aliens").contents) == {
        "game aliens/game.txt",
        "level aliens/level0.txt",
    }
    assert registry.world("nim").contents == {}


def test_a_record_of_an_earlier_ludex_is_read(tmp_path):
    record = play_match("nim", ["uniform", "uniform"], budget="5calls").record
    old = replace(record, contents=None)
    assert '"contents"' not in old.text()
    assert parse_record(old.text()) == old
    assert replay(old) == record.outcome


@pytest.mark.parametrize("value", ["[]", "3", '{"world": 3}', '{"world": {"a": 1}}'])
def test_contents_that_make_no_sense_are_named(value, tmp_path):
    lines = play_match("nim", ["uniform", "uniform"], budget="5calls").record.text().split("\n")
    header = json.loads(lines[0]) | {"contents": json.loads(value)}
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join([json.dumps(header), *lines[1:]]))
    with pytest.raises(Exception, match=r"game.jsonl:1: .* has the impossible value"):
        read_record(path)


def test_a_python_file_counts_with_those_it_imports_from_beside_it(agent, tmp_path):
    before = hash_of_source(agent)
    (tmp_path / "other.py").write_text("")
    assert hash_of_source(agent) == before
    with (tmp_path / "helper.py").open("a") as file:
        file.write("# another line\n")
    assert hash_of_source(agent) != before


# Replays


def test_a_replay_with_other_contents_names_them(game, tmp_path, capsys):
    file = tmp_path / "game.jsonl"
    play_match(str(game), ["uniform"], seed=1, budget="5calls").record.write(file)
    game.with_name("mine_lvl0.txt").write_text("A....G\n")
    with pytest.raises(ReplayDiffers, match=r"level mine_lvl0\.txt was [0-9a-f]+, is [0-9a-f]+"):
        replay(read_record(file))
    assert main(["replay", str(file), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert not answer["verified"]
    assert [line.split()[1] for line in answer["changed"]] == ["mine_lvl0.txt"]


def test_a_replay_that_is_the_same_with_other_contents_says_so(game, tmp_path, capsys):
    file = tmp_path / "game.jsonl"
    play_match(str(game), ["uniform"], seed=1, budget="5calls").record.write(file)
    game.write_text(GAME + "# a remark\n")
    record = read_record(file)
    (changed,) = changed_since(record, world_of(record, None))
    assert changed.startswith("game mine.txt was")
    assert main(["replay", str(file)]) == 0
    assert "files of the world have changed since it was recorded: game mine.txt" in (
        capsys.readouterr().err
    )


# Studies


def change_game(game, agent, tmp_path):
    game.write_text(GAME.replace("scoreChange=1", "scoreChange=2"))
    return "game mine.txt"


def change_level(game, agent, tmp_path):
    game.with_name("mine_lvl0.txt").write_text("A..G.\n")
    return "level mine_lvl0.txt"


def change_agent(game, agent, tmp_path):
    agent.write_text(AGENT + "# better\n")
    return "the agent 'mine'"


@pytest.mark.parametrize("change", [change_game, change_level, change_agent])
def test_a_study_stops_when_a_file_has_changed_and_marks_what_is_mixed(
    change, game, agent, tmp_path
):
    agents = ["uniform", ("mine", f"{agent}:Mine")]
    study = Study.of("test", agents, [str(game)], budgets=("5calls",))
    store = tmp_path / "study.sqlite"
    run_study(study, store, workers=0)
    named = change(game, agent, tmp_path)
    more = Study.of("test", agents, [str(game)], budgets=("5calls",), repetitions=2)
    with pytest.raises(BadStore, match=r"changed since .* was begun .*--mixed") as caught:
        run_study(more, store, workers=0)
    assert named in str(caught.value)
    assert read_results(store).played == 2
    results = run_study(more, store, workers=0, mixed=True)
    marked = {row.match: row.mixed for row in results}
    assert not marked[1]
    assert not marked[2]
    assert named in marked[4]
    (told,) = summarise(results)["mixed"]
    assert named in told["what"]
    with pytest.raises(BadStore, match="changed since"):
        run_study(replace(more, repetitions=3), store, workers=0)


def test_a_file_that_changes_while_a_study_runs_stops_it(game, tmp_path):
    study = Study.of("test", ["uniform"], [str(game)], budgets=("5calls",), repetitions=4)

    def tell(progress):
        if progress.played == 2:
            game.with_name("mine_lvl0.txt").write_text("A..G.\n")

    with pytest.raises(BadStore, match=r"has changed since .*level mine_lvl0\.txt was"):
        run_study(study, tmp_path / "study.sqlite", workers=0, progress=tell)
    assert read_results(tmp_path / "study.sqlite").played == 2


def test_deck_card_and_model_files_are_compared(tmp_path):
    own = deck(tmp_path, "own.deck")
    weights = tmp_path / "weights.npy"
    np.save(weights, np.zeros(3))
    player = tmp_path / "player.py"
    player.write_text(
        "class Player:\n    def __init__(self, file=''):\n        pass\n"
        "    def decide(self, model, view, budget, rng):\n        return view.legal[0]\n"
    )
    world = f"hearthstone[decks={own}/{own},turn_limit=2]"
    agents = [("player", f"{player}:Player(file={weights})"), "uniform"]
    study = Study.of("test", agents, [("duel", world)], budgets=("5calls",))
    store = tmp_path / "study.sqlite"
    run_study(study, store, workers=0)
    np.save(weights, np.ones(3))
    with pytest.raises(BadStore, match=r"the agent 'player' has changed .*file weights\.npy was"):
        run_study(study, store, workers=0)
    np.save(weights, np.zeros(3))
    own.write_text(own.read_text() + "# a remark\n")
    again = Study.of("test", agents, [("duel", world)], budgets=("5calls",))
    with pytest.raises(BadStore, match=r"the world .* has changed .*deck own\.deck was"):
        run_study(again, store, workers=0)


def test_mixed_rows_are_in_exports_reports_and_tables(game, tmp_path, capsys):
    file = tmp_path / "study.toml"
    text = f'agents = ["uniform"]\nworlds = ["{game}"]\nbudgets = ["5calls"]\n'
    file.write_text(text)
    assert main(["arena", "run", str(file)]) == 0
    game.with_name("mine_lvl0.txt").write_text("A..G.\n")
    file.write_text(text + "repetitions = 2\n")
    assert main(["arena", "run", str(file)]) == 1
    assert "level mine_lvl0.txt was" in capsys.readouterr().err
    assert main(["arena", "run", str(file), "--mixed"]) == 0
    assert main(["arena", "show", str(file)]) == 0
    assert "mixed 1 match from 2 on: the world" in capsys.readouterr().out
    assert main(["arena", "export", str(file), "--out", str(tmp_path / "t.csv")]) == 0
    first, second = (tmp_path / "t.csv").read_text().splitlines()[1:]
    assert first.endswith(",0,")
    assert "level mine_lvl0.txt was" in second
    assert main(["arena", "report", str(file), "--films", "0"]) == 0
    assert "Not all matches were played with the same parts" in (tmp_path / "study.md").read_text()
    capsys.readouterr()
    assert main(["arena", "verify", str(file), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert {one["match"] for one in answer["differences"]} == {1}  # it was on another level
