"""The reasons of ends as ludex 0.1.0 of November 2026 wrote them, for its signatures."""

import re

from ludex.testing import signature
from ludex.worlds.vgdl.world import Vgdl

WORDS = (
    (r"reached (\d+) points", r"\1 points", "catan"),
    (r"the limit of \d+ moves was reached", "no move is left", "sokoban"),
    (r"cells live after \d+ ticks", "life goes on", "life"),
    (r"all cells are dead", "nothing lives", "life"),
    (r"seat \d showed all five goods alone", "showed all five goods alone", "parley"),
    (r"the limit of \d+ turns was reached", "turn limit", "hearthstone"),
    (r"the hero of seat \d died", "the other hero fell", "hearthstone"),
    (r"both heroes died", "both heroes fell", "hearthstone"),
)
"""now, then, and in which world"""
BY_THE_ENGINE = {
    -2: "tick limit",
    -3: "too many messages, as in the reference",
    -4: "aborted, as in the reference: a sprite made one of its own type while it moved",
    -5: "too much happened in one tick",
}
original = signature.state_lines


def former_reason(world, state, reason):
    if isinstance(world, Vgdl):
        return former_vgdl_reason(world.model.game, state)
    for now, then, name in WORDS:
        if world.name == name:
            reason = re.sub(f"^{now}$", then, reason)
    return reason


def former_vgdl_reason(game, state):
    """The condition with its types and its limit."""
    if state.ended_by < 0:
        return BY_THE_ENGINE[state.ended_by]
    ending = game.endings[state.ended_by]
    names = [
        game.types[number].name
        for key, number in ending.values.items()
        if key.startswith("stype") and number is not None
    ]
    return " ".join([ending.condition, *names, str(ending.values["limit"])])


def lines_in_former_words(world, state):
    """What a signature hashes of a state, with the reason of its end as it was written then."""
    *lines, last = original(world, state)
    if end := world.model.outcome(state):
        former = former_reason(world, state, end.reason)
        last = f"end {end.winners} {end.returns} {former}"
    yield from (*lines, last)
