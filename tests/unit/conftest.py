"""What several unit tests use: commands, games in files, and micro-games played by letters."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from ludex.cli import main
from ludex.cli.shared import progress_lines
from ludex.worlds.vgdl import _native
from ludex.worlds.vgdl.language.levels import parse_level
from ludex.worlds.vgdl.language.native_text import ALL_QUIRKS, write_game, write_level
from ludex.worlds.vgdl.language.parser import parse_game
from ludex.worlds.vgdl.model import Meeting, VgdlModel
from ludex.worlds.vgdl.world import GAMES

LETTERS = {"N": 0, "U": 1, "L": 2, "D": 3, "R": 4, "X": 5}
BLOCK = 10


def section(heading: str, lines: str) -> str:
    body = textwrap.indent(textwrap.dedent(lines).strip("\n"), " " * 8)
    return f"    {heading}\n{body}\n"


class Micro:
    """A game in play. A cell is 10 pixels; rows of the level are split by slashes."""

    def __init__(
        self,
        sprites: str,
        rules: str = "",
        level: str = "A",
        *,
        ends: str = "",
        head: str = "",
        seed: int = 1,
        clean: bool = False,
        **legend: str,
    ) -> None:
        mapping = "\n".join(f"{letter} > {names}" for letter, names in legend.items())
        text = f"BasicGame square_size={BLOCK} {head}\n"
        text += section("SpriteSet", sprites) + section("LevelMapping", mapping)
        text += section("InteractionSet", rules) + section("TerminationSet", ends)
        self.game = parse_game(text, "micro", clean=clean)
        plan = parse_level(level.replace("/", "\n").replace(".", " "), self.game)
        quirks = 0 if clean else ALL_QUIRKS
        native = _native.Level(write_game(self.game, quirks), write_level(self.game, plan))
        self.model = VgdlModel(self.game, native)
        self.dice = _native.ReferenceDice(seed)
        self.state = native.start()

    def play(self, moves: str) -> Micro:
        """Play ticks split by blanks, in each one letter per player."""
        for tick in moves.split():
            self.model.advance_reference(self.state, [LETTERS[one] for one in tick], self.dice)
        return self

    def wait(self, ticks: int = 1) -> Micro:
        return self.play(" ".join(["N" * self.game.players] * ticks))

    def all(self, name: str) -> list[dict[str, Any]]:
        number = self.game.type_named(name)
        assert number >= 0, name
        return [
            {
                "id": one,
                "x": x,
                "y": y,
                "w": w,
                "h": h,
                "way": (ox, oy),
                "speed": speed,
                "health": health,
                "disabled": disabled,
            }
            for kind, one, x, y, w, h, ox, oy, speed, health, disabled in self.model.level.sprites(
                self.state
            )
            if kind == number
        ]

    def one(self, name: str) -> dict[str, Any]:
        found = self.all(name)
        assert len(found) == 1, f"{len(found)} sprites of type {name}"
        return found[0]

    def count(self, name: str) -> int:
        return len(self.all(name))

    def cells(self, name: str) -> list[tuple[float, float]]:
        """Columns and rows, sorted; whole numbers on the grid."""
        return sorted((one["x"] / BLOCK, one["y"] / BLOCK) for one in self.all(name))

    def cell(self, name: str) -> tuple[float, float]:
        one = self.one(name)
        return one["x"] / BLOCK, one["y"] / BLOCK

    @property
    def score(self) -> float:
        return self.state.scores[0]

    @property
    def held(self) -> dict[str, int]:
        """What the first player's avatar holds."""
        found = self.model.level.avatar(self.state, 0)
        assert found is not None
        return {self.game.types[number].name: amount for number, amount in found[-1].items()}

    @property
    def meetings(self) -> list[Meeting]:
        return [event.detail for event in self.model.events(self.state)]  # type: ignore[misc]


@pytest.fixture
def two_levels(tmp_path: Path) -> str:
    """The path of a game with the levels 0 and 1."""
    game = tmp_path / "two.txt"
    game.write_text((GAMES / "aliens" / "game.txt").read_text())
    for level in (0, 1):
        text = (GAMES / "aliens" / "level0.txt").read_text()
        game.with_name(f"two_lvl{level}.txt").write_text(text)
    return str(game)


@pytest.fixture
def micro() -> type[Micro]:
    return Micro


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command; return its exit status and what it wrote.

    However busy the machine is, the command does not say how far it is.
    """
    monkeypatch.setattr(progress_lines, "FIRST_S", 3600.0)

    def call(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        written = capsys.readouterr()
        return status, written.out, written.err

    return call


@pytest.fixture
def answer(run: Any) -> Any:
    """Run a command with --json, which must succeed, and return its document."""

    def call(*arguments: object) -> Any:
        status, out, err = run(*arguments, "--json")
        assert (status, err) == (0, "")
        return json.loads(out)

    return call
