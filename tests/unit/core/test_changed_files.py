"""Game, level, card, deck and world files that change while a process runs."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from ludex.core import Rng, registry
from ludex.core.errors import LudexError
from ludex.core.text_file import LARGEST, read_source, read_text
from ludex.worlds.hearthstone import decks, profiles
from ludex.worlds.vgdl.world import GAMES

LEVELS = ("wwwww\nwA.Gw\nwwwww\n", "wwwww\nw.AGw\nwwwww\n")
GAME = """BasicGame
    SpriteSet
        goal > Immovable
        avatar > MovingAvatar
    LevelMapping
        G > goal
    InteractionSet
        avatar wall > stepBack
        goal avatar > killSprite scoreChange={}
    TerminationSet
        SpriteCounter stype=goal limit=0 win=True
"""
CARDS = 'minion T_1 "Thing" neutral common 1 mana 1/{}\n'
WORLD = """from ludex.worlds.nim import Nim

class Mine(Nim):
    version = {}
"""


def rewrite(path: Path, text: str) -> None:
    """Change a file so that its size and all its times stay as they were."""
    before = path.stat()
    assert len(text.encode()) == before.st_size
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def start_text(world) -> str:
    return str(world.start(Rng(1)))


@pytest.fixture
def game(tmp_path) -> Path:
    path = tmp_path / "own.txt"
    path.write_text(GAME.format(1))
    (tmp_path / "own_lvl0.txt").write_text(LEVELS[0])
    return path


def test_a_changed_game_makes_another_world_and_leaves_the_first_as_it_was(game):
    first = registry.world(str(game))
    rewrite(game, GAME.format(7))
    second = registry.world(str(game))
    assert second is not first
    assert [gains(world) for world in (first, second)] == [{(0,), (1,)}, {(0,), (7,)}]


def gains(world) -> set[tuple[int, ...]]:
    """What the rules of a game add to the score."""
    return {rule.values["scoreChange"] for rule in world.definition.rules}


def test_a_changed_level_makes_another_world(game):
    first = registry.world(str(game))
    kept = start_text(first)
    rewrite(game.with_name("own_lvl0.txt"), LEVELS[1])
    assert start_text(registry.world(str(game))) != kept
    assert start_text(first) == kept


def test_a_world_that_was_made_before_the_change_reads_nothing_later(game):
    first = registry.world(str(game))  # nothing of it is asked for yet
    rewrite(game, GAME.format(7))
    rewrite(game.with_name("own_lvl0.txt"), LEVELS[1])
    other = registry.world(str(game))
    assert start_text(first) != start_text(other)
    assert pickle.loads(pickle.dumps(first)).as_read == first.as_read


def test_a_level_file_elsewhere_is_read_again(game, tmp_path):
    level = tmp_path / "elsewhere.txt"
    level.write_text(LEVELS[0])
    text = f"{game}[level_file={level}]"
    kept = start_text(registry.world(text))
    rewrite(level, LEVELS[1])
    assert start_text(registry.world(text)) != kept


def test_a_level_that_is_written_after_its_world_is_found(game, tmp_path):
    text = f"{game}[level=1]"
    with pytest.raises(LudexError, match="has no level 1"):
        registry.world(text).start(Rng(1))
    (tmp_path / "own_lvl1.txt").write_text(LEVELS[0])
    assert start_text(registry.world(text))


def test_a_changed_card_file_makes_another_world(tmp_path):
    path = tmp_path / "own.cards"
    path.write_text(CARDS.format(3))
    text = f"hearthstone[file={path},decks=random/random]"
    first = registry.world(text)
    rewrite(path, CARDS.format(5))
    second = registry.world(text)
    health = [world.tables.card(world.tables.number("T_1")).health for world in (first, second)]
    assert health == [3, 5]
    assert registry.world(text) is second
    assert profiles.load("classic", (str(path),)).card(first.tables.number("T_1")).health == 5


def test_a_changed_deck_makes_another_world(tmp_path):
    path = tmp_path / "own.deck"
    path.write_text((decks.FOLDER / "aaron.deck").read_text())
    text = f"hearthstone[decks={path}/{path},first=0]"
    first = registry.world(text)
    cards = path.read_text()
    heroes = [first.model.first_state(Rng(1)).player(0)["hero"]]
    path.write_text(cards.replace("hero mage", "mixed\nhero druid"))
    heroes.append(registry.world(text).model.first_state(Rng(1)).player(0)["hero"])
    names = [first.tables.card(number).name for number in heroes]
    assert names == ["Jaina Proudmoore", "Malfurion Stormrage"]


def test_a_changed_world_in_python_makes_another_world(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(WORLD.format(1))
    first = registry.world(f"{path}:Mine")
    assert registry.world(f"{path}:Mine") is first
    rewrite(path, WORLD.format(2))
    assert [first.version, registry.world(f"{path}:Mine").version] == [1, 2]


def test_worlds_whose_files_stay_are_made_once(game):
    for text in ("nim", "vgdl/aliens", "hearthstone", str(game)):
        assert registry.world(text) is registry.world(text)


def test_an_old_file_is_not_opened_to_see_that_it_is_the_same(monkeypatch):
    world = registry.world("vgdl/aliens")
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("the file was opened"))
    assert registry.world("vgdl/aliens") is world


def test_a_file_that_was_taken_away_is_one_sentence(game):
    registry.world(str(game)).start(Rng(1))
    game.unlink()
    with pytest.raises(LudexError, match="there is no game file"):
        registry.world(str(game)).start(Rng(1))


# Byte-order marks

MARK = "\ufeff"


def marked(path: Path, target: Path) -> Path:
    target.write_text(MARK + path.read_text(encoding="utf-8"), encoding="utf-8")
    return target


def test_games_and_levels_with_a_byte_order_mark_are_read(tmp_path):
    ours = GAMES / "sokoban"
    game = marked(ours / "game.txt", tmp_path / "own.txt")
    marked(ours / "level0.txt", tmp_path / "own_lvl0.txt")
    assert start_text(registry.world(str(game))) == start_text(registry.world("vgdl/sokoban"))


def test_cards_and_decks_with_a_byte_order_mark_are_read(tmp_path):
    cards = tmp_path / "own.cards"
    cards.write_text(MARK + CARDS.format(3), encoding="utf-8")
    deck = marked(decks.FOLDER / "aaron.deck", tmp_path / "own.deck")
    world = registry.world(f"hearthstone[file={cards},decks={deck}/{deck}]")
    assert world.tables.number("T_1")
    assert world.start(Rng(1))


@pytest.mark.parametrize("command", [["vgdl", "check"], ["vgdl", "format", "--check"]])
def test_the_tools_of_authors_read_a_byte_order_mark(tmp_path, command):
    from ludex.cli.app import main

    game = marked(GAMES / "sokoban" / "game.txt", tmp_path / "own.txt")
    assert main([*command, str(game)]) == 0


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("minion".encode("utf-16"), "is written in UTF-16; save it as UTF-8"),
        ("minion".encode("utf-32"), "is written in UTF-32; save it as UTF-8"),
        ("minion".encode("utf-16-le"), "is not a text: it holds zero bytes"),
        (b"\x7fELF\x02\x01\x00\x00", "is not a text: it holds zero bytes"),
        (b"# \xe9t\xe9\n", "is not a text in UTF-8"),
        (b"#" * (LARGEST + 1), "is too long for a card file"),
    ],
)
def test_what_is_no_text_is_one_sentence(tmp_path, data, problem):
    path = tmp_path / "own.cards"
    path.write_bytes(data)
    with pytest.raises(LudexError, match=problem):
        profiles.load("classic", (str(path),))


def test_games_that_are_no_texts_are_one_sentence(tmp_path):
    path = tmp_path / "own.txt"
    path.write_bytes(GAME.encode("utf-16"))
    with pytest.raises(LudexError, match="is written in UTF-16"):
        registry.world(str(path)).start(Rng(1))


def test_letters_of_old_games_that_are_not_in_utf_8_are_replaced(tmp_path):
    path = tmp_path / "own.txt"
    path.write_bytes(b"# \xe9t\xe9\n" + GAME.format(1).encode())
    (tmp_path / "own_lvl0.txt").write_text(LEVELS[0])
    assert start_text(registry.world(str(path)))


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("nowhere.cards", "there is no card file"),
        (".", "it is a folder"),
        ("x" * 300, "file name too long"),
        ("a\0b", "null"),
        ("/dev/zero", "it is no plain file"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path, place, problem):
    with pytest.raises(LudexError, match=problem):
        read_text(tmp_path / place, "card")


def test_a_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "own.cards"
    os.mkfifo(path)
    assert read_source(path).data is None


def test_lines_may_end_as_on_any_machine(tmp_path):
    path = tmp_path / "own.cards"
    path.write_bytes(b"one\r\ntwo\rthree\n")
    assert read_text(path, "card") == "one\ntwo\nthree\n"


def test_another_process_reads_what_a_pickled_model_names(tmp_path):
    path = tmp_path / "own.cards"
    path.write_text(CARDS.format(3))
    model = registry.world(f"hearthstone[file={path},decks=random/random]").model
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).world)"
    found = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(model), capture_output=True, check=True
    )
    assert str(path) in found.stdout.decode()
