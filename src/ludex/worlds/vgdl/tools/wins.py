"""Winning play of our own games: for each level a seed and what the players press.

Nothing else is kept. Whoever plays these inputs again with the seed's streams wins again, as
long as neither the game nor the engine has changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ludex.core.rng import Rng
from ludex.worlds.vgdl.action import Action
from ludex.worlds.vgdl.world import GAMES, Vgdl

LETTERS = {"N": Action.NIL, "U": Action.UP, "L": Action.LEFT, "D": Action.DOWN, "R": Action.RIGHT}
LETTERS["X"] = Action.USE
NAMES = {action: letter for letter, action in LETTERS.items()}
RUN = re.compile(r"([NULDRX]+)([0-9]*)")


@dataclass(frozen=True, slots=True)
class Win:
    """How a level is won."""

    level: int
    seed: int
    inputs: tuple[tuple[Action, ...], ...]
    """for each tick, one action per player"""


def read_inputs(text: str) -> tuple[tuple[Action, ...], ...]:
    """Read ticks: a letter per player, and how often in a row.

    >>> read_inputs("R2 XN")
    ((<Action.RIGHT: 4>,), (<Action.RIGHT: 4>,), (<Action.USE: 5>, <Action.NIL: 0>))
    """
    ticks: list[tuple[Action, ...]] = []
    for word in text.split():
        found = RUN.fullmatch(word)
        if found is None:
            raise ValueError(f"{word!r} are no inputs; they look like R12 or XN")
        ticks += [tuple(LETTERS[letter] for letter in found[1])] * int(found[2] or 1)
    return tuple(ticks)


def write_inputs(inputs: Sequence[Sequence[Action]]) -> str:
    """Write ticks as `read_inputs` reads them.

    >>> write_inputs(read_inputs("R2 R XN"))
    'R3 XN'
    """
    words = ("".join(NAMES[Action(one)] for one in tick) for tick in inputs)
    runs = ((word, len(list(same))) for word, same in groupby(words))
    return " ".join(word if count == 1 else f"{word}{count}" for word, count in runs)


def wins(game: str) -> tuple[Win, ...]:
    """The wins that are kept of one of our games, by level."""
    file = GAMES / game / "wins.json"
    if not file.is_file():
        return ()
    return tuple(
        Win(level, one["seed"], read_inputs(one["inputs"]))
        for level, one in enumerate(json.loads(file.read_text(encoding="utf-8")))
    )


def played(world: Vgdl, win: Win) -> Iterator[Any]:
    """Every state of a win, the first one included; streams are those of a match."""
    rng = Rng(win.seed)
    state = world.start(rng.fork("start"))
    yield state
    for tick, actions in enumerate(win.inputs):
        state = world.step(state, actions, rng.fork("step", tick))
        yield state
