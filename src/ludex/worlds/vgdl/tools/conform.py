"""Replays traces of the Java framework and reports the first difference of each.

The format of traces (`ludex-vgdl-trace-1`): a header line with game, level, seed and actions,
then one line per state with scores, winners, avatars and the sprites as a difference to the
line before.
"""

from __future__ import annotations

import errno
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from ludex.core import bounded_file
from ludex.core.difference import Difference
from ludex.core.errors import LudexError
from ludex.core.text_file import read_text
from ludex.worlds.vgdl import _native
from ludex.worlds.vgdl.language.definition import BadGame, Game
from ludex.worlds.vgdl.language.levels import parse_level
from ludex.worlds.vgdl.language.native_text import build_level
from ludex.worlds.vgdl.language.parser import parse_game
from ludex.worlds.vgdl.model import VgdlModel
from ludex.worlds.vgdl.tools.parallel import in_processes

LETTERS = {"N": 0, "U": 1, "L": 2, "D": 3, "R": 4, "X": 5, "E": 0}
WINNERS = ("NO_WINNER", "PLAYER_WINS", "PLAYER_LOSES")
FORMAT = "ludex-vgdl-trace-1"
LARGEST_TRACE = 2**27  # bytes after unpacking
SHOWN = 4  # sprites named in a difference


@dataclass(slots=True)
class TraceReport:
    """The results of a set of traces."""

    total: int = 0
    matched: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    failures: list[Difference] = field(default_factory=list)

    def add(self, name: str, result: Difference | str | None) -> None:
        """Note one trace: its first difference, None, or why it was skipped."""
        if isinstance(result, str):
            self.skipped.append((name, result))
            return
        self.total += 1
        if result is None:
            self.matched += 1
        else:
            self.failures.append(Difference(name, result.tick, result.expected, result.found))

    def as_json(self) -> dict[str, Any]:
        return {
            "total": self.total,
            "matched": self.matched,
            "skipped": len(self.skipped),
            "failures": [failure.as_json() for failure in self.failures],
        }


def read_trace(path: Path) -> list[dict[str, Any]]:
    try:
        text = bounded_file.read_text(path, LARGEST_TRACE, LudexError, "trace")
        rows = [row for _, row, _ in bounded_file.json_lines(text)]
    except bounded_file.TooLarge as error:
        raise LudexError(f"cannot read {str(path)!r} as a trace: {error}") from None
    if (
        not rows
        or not all(isinstance(row, dict) for row in rows)
        or rows[0].get("format") != FORMAT
    ):
        raise LudexError(f"{str(path)!r} is not a trace of the form {FORMAT}")
    return rows


@lru_cache(maxsize=8)
def parsed(text: str, file: str) -> Game:
    return parse_game(text, file)


def load_model(games: Path, header: dict[str, Any]) -> VgdlModel:
    path, level_path = games / header["game"], games / header["level"]
    for file in (path, level_path):
        if not file.is_file():  # the trace is left out, and that is no failure
            raise FileNotFoundError(errno.ENOENT, "no such file", str(file))
    game = parsed(read_text(path, "game", BadGame, strict=False), path.name)
    text = read_text(level_path, "level", BadGame, strict=False)
    level = parse_level(text, game, level_path.name)
    return VgdlModel(game, build_level(game, level))


def number(value: float) -> float | int:
    """Whole numbers without a point, as traces write them."""
    return int(value) if value == int(value) else value


def describe(game: Game, level: _native.Level, state: _native.State) -> dict[str, Any]:
    """A state in the format of a trace."""
    seats = range(game.players)
    avatars: list[dict[str, Any] | None] = []
    for seat in seats:
        found = level.avatar(state, seat)
        if found is None:
            avatars.append(None)
            continue
        kind, x, y, ox, oy, speed, health, _, disabled, held = found
        avatars.append(
            {
                "type": game.types[kind].name,
                "x": x,
                "y": y,
                "ori": [number(ox), number(oy)],
                "speed": number(speed),
                "hp": health,
                "disabled": disabled,
                "res": {game.types[one].name: amount for one, amount in held.items()},
            }
        )
    return {
        "score": [number(score) for score in state.scores],
        "winner": [WINNERS[winner] for winner in state.winners],
        "over": state.over,
        "avatars": avatars,
    }


def first_difference(
    row: dict[str, Any], expected: Counter[tuple[Any, ...]], game: Game, level: Any, state: Any
) -> tuple[str, str] | None:
    found = describe(game, level, state)
    for key in ("score", "winner", "over"):
        if row[key] != found[key]:
            return f"{key} {row[key]}", f"{key} {found[key]}"
    for seat, (wanted, seen) in enumerate(zip(row["avatars"], found["avatars"], strict=True)):
        if wanted is None or seen is None:
            if wanted is not seen:
                return f"avatar {seat}: {wanted}", f"avatar {seat}: {seen}"
            continue
        wanted = {key: value for key, value in wanted.items() if key in seen}
        if wanted != seen:
            keys = [key for key in seen if seen[key] != wanted.get(key)]
            return (
                f"avatar {seat}: " + ", ".join(f"{key} {wanted.get(key)}" for key in keys),
                f"avatar {seat}: " + ", ".join(f"{key} {seen[key]}" for key in keys),
            )
    seen_sprites = Counter(level.census(state))
    if seen_sprites != expected:
        missing, extra = expected - seen_sprites, seen_sprites - expected
        return named(game, missing), named(game, extra)
    return None


def named(game: Game, sprites: Counter[tuple[Any, ...]]) -> str:
    first = [(game.types[one[0]].name, *one[1:]) for one in sorted(sprites)[:SHOWN]]
    return f"{sprites.total()} sprites: {first}"


def replay(path: Path, games: Path) -> Difference | None:
    """Play a trace again; the first difference, or None when all of it matches."""
    rows = read_trace(path)
    header = rows[0]
    model = load_model(games, header)
    game, level = model.game, model.level
    state = level.start()
    dice = _native.ReferenceDice(header["seed"])
    kinds = {sprite.name: number for number, sprite in enumerate(game.types)}
    expected: Counter[tuple[Any, ...]] = Counter()
    for row in rows[1:]:
        moment = row["t"]
        if moment > 0:
            actions = [LETTERS[letter] for letter in header["actions"][moment - 1]]
            model.advance_reference(state, actions, dice)
        for name, *rest in row.get("remove", ()):
            one = (kinds[name], *rest)
            expected[one] -= 1
            if expected[one] == 0:
                del expected[one]
        expected.update((kinds[name], *rest) for name, *rest in row.get("add", ()))
        different = first_difference(row, expected, game, level, state)
        if different:
            return Difference(path.name, moment, *different)
        if row["over"]:
            break
    return None


def trace_paths(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.jsonl.gz"))


def attempt(path: Path, games: Path) -> Difference | str | None:
    """Replay one trace; its first difference, None, or why it was skipped."""
    try:
        return replay(path, games)
    except FileNotFoundError as error:
        return f"{error.filename} is not there"
    except LudexError as error:
        return Difference(path.name, 0, f"a trace of the form {FORMAT} and its game", str(error))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        return Difference(path.name, 0, f"a trace of the form {FORMAT}", f"it is broken: {what}")


def conform(
    paths: Sequence[Path], games: Path, workers: int = 1
) -> Iterator[tuple[Path, Difference | str | None]]:
    """Replay many traces in order, each with its result, in this many processes."""
    if len(paths) < 2 * workers:
        workers = 1
    chunk = max(1, min(10, len(paths) // (4 * workers)))
    results = in_processes(partial(attempt, games=games), paths, workers, chunk)
    return zip(paths, results, strict=True)


def conform_all(folder: Path, games: Path, workers: int = 1) -> TraceReport:
    """Replay every trace below a folder."""
    report = TraceReport()
    for path, result in conform(trace_paths(folder), games, workers):
        report.add(str(path.relative_to(folder)), result)
    return report
