"""Learns where another action would have served the scripted player better.

In a game between two scripted players one decision is tried twice: with what the script chooses
and with another action, both played on by the script. Where the outcomes differ, a forest learns
from the state and the two actions which of them won more often.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.agents.hearthstone.parts.forests import Arrays, areas, grow
from ludex.agents.hearthstone.parts.learning import MATCH_WORLD, Tell, numbers_of, world_model
from ludex.core import registry
from ludex.core.errors import BadParameter
from ludex.core.rng import Rng
from ludex.worlds.hearthstone import _native, pools
from ludex.worlds.hearthstone.model import HearthstoneModel
from ludex.worlds.hearthstone.tables import Tables

FORMAT = 1
TRIALS = 2  # times each of the two actions is played on
LATEST = 60  # decisions of a game among which one is tried
LEAST = 15  # rows in the smallest leaf
SHARE = 0.3  # features looked at in each split
TEST_SHARE = 0.1
PLAY, ATTACK, POWER = 1, 2, 3
NOBODY = (-1, -99, -99, -1)


class Describer:
    """Puts actions into numbers: what is used, on whom, and what a fight would cost."""

    def __init__(self, tables: Tables, numbers: list[int]) -> None:
        self.tables = tables
        self.numbers = numbers

    def character(self, state: _native.State, code: int) -> tuple[int, int, int, int]:
        """The card, health, attack and side of a target, as actions name it."""
        seat = state.active if code == 1 or 3 <= code < 10 else 1 - state.active
        player = state.player(seat)
        own = int(seat == state.active)
        if code == 0:
            return NOBODY
        if code in (1, 2):
            return self.numbers[player["hero"]], player["health"], player["hero_attack"], own
        minion = player["board"][code - (3 if own else 10)]
        attack = minion["attack"] + minion["aura_attack"]
        return self.numbers[minion["card"]], minion["health"], attack, own

    def action(self, state: _native.State, action: int) -> list[int]:
        kind, source, _, target, _ = _native.unpack(action)
        aim = self.character(state, target)
        used, cost = NOBODY[:3], 0
        if kind == PLAY:
            number = state.player(state.active)["hand"][source][0]
            card = self.tables.card(number)
            used, cost = (self.numbers[number], card.health, card.attack), card.cost
        elif kind == ATTACK:
            used = self.character(state, 1 if source == 7 else source + 3)[:3]
        elif kind == POWER:
            used, cost = (self.numbers[state.player(state.active)["power"]], 0, 1), 2
        kills = kind == ATTACK and aim[1] <= used[2]
        falls = kind == ATTACK and target > 2 and used[1] <= aim[2]
        gain = kills * (aim[1] + aim[2]) - falls * (used[1] + used[2])
        return [kind, *used, cost, *aim, int(kills), int(falls), gain]

    def rows(
        self,
        model: HearthstoneModel,
        state: _native.State,
        scripted: int,
        others: list[int],
        rng: Rng,
    ) -> NDArray[np.int16]:
        """One row for each other action: the state, that action, and what the script does."""
        seen = model.state_vector(state, state.active, self.numbers, rng)
        script = self.action(state, scripted)
        ends = [self.action(state, action) + script for action in others]
        made = [np.concatenate([seen, np.array(end, dtype=np.int16)]) for end in ends]
        return np.ascontiguousarray(np.stack(made))


def describer(world: str) -> Describer:
    played: Any = registry.world(world)
    return Describer(played.tables, numbers_of(world))


def play_on(model: HearthstoneModel, state: _native.State, rng: Rng) -> int:
    while not model.over(state):
        model.advance(state, (model.scripted_move(state),), rng)
    return state.winner


def try_one(
    model: HearthstoneModel, describe: Describer, rng: Rng
) -> tuple[NDArray[np.int16], bool] | None:
    """Try one decision of one game twice; None when it made no difference."""
    state = model.first_state(rng)
    for _ in range(rng.below(LATEST)):
        if model.over(state):
            return None
        model.advance(state, (model.scripted_move(state),), rng)
    legal = [] if model.over(state) else list(model.legal(state, state.active))
    if len(legal) < 2:
        return None
    seat, scripted = state.active, model.scripted_move(state)
    other = rng.choice([action for action in legal if action != scripted])
    gained = 0
    for trial in range(TRIALS):
        for action, sign in ((other, 1), (scripted, -1)):
            after, dice = state.copy(), rng.fork("trial", trial)
            model.advance(after, (action,), dice)
            gained += sign * int(play_on(model, after, dice) == seat)
    if gained == 0:
        return None
    return describe.rows(model, state, scripted, [other], rng)[0], gained > 0


def learn(pairs: int, trees: int, seed: int, tell: Tell | None = None) -> tuple[Arrays, Any]:
    """Try decisions and grow the forest; a tenth of the rows is kept to judge it."""
    model, describe = world_model(MATCH_WORLD), describer(MATCH_WORLD)
    rows, better = [], []
    for pair in range(pairs):
        found = try_one(model, describe, Rng(seed).fork("pair", pair))
        if found is not None:
            rows.append(found[0])
            better.append(found[1])
        if tell and pair % 1000 == 0:
            tell(f"{pair} decisions tried", pair / pairs)
    if len(set(better)) < 2:
        raise BadParameter(f"{pairs} decisions are too few to learn from; try 1000 or more")
    known, good = np.stack(rows), np.array(better)
    cut = max(2, int(len(good) * (1 - TEST_SHARE)))
    forest = grow(known[:cut], good[:cut], trees, seed, LEAST, SHARE)
    roc, precision = areas(good[cut:], forest.native().predict(known[cut:]))
    judged = {"rows": len(good), "roc_auc": roc, "average_precision": precision}
    return forest, judged


def save(path: Path, forest: Arrays, judged: Any) -> None:
    facts = {"format": FORMAT, "judged": judged, "cards": [*pools.NORA_SPECIALS, *pools.NORA]}
    np.savez_compressed(path, apprentice=np.array(json.dumps(facts)), **vars(forest))


def load(path: Path) -> Arrays:
    try:
        with np.load(path, allow_pickle=False) as kept:
            facts = json.loads(str(kept["apprentice"]))
            forest = Arrays(**{name: kept[name] for name in Arrays.__dataclass_fields__})
    except OSError as error:
        raise BadParameter(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except (KeyError, ValueError) as error:
        raise BadParameter(f"{str(path)!r} holds no forest of the apprentice: {error}") from None
    if facts.get("format") != FORMAT or facts["cards"] != [*pools.NORA_SPECIALS, *pools.NORA]:
        raise BadParameter(f"{str(path)!r} was made with other cards; learn again")
    return forest
