"""Which agents play which world in the show, how often and with what budget.

The tables of our own worlds are chosen so that each is decided by the games it shows, in a few
seconds. A world that is not listed is played by the strongest planner that accepts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludex.core.world import World

STRONG = ("mcts", "ismcts", "open_loop_mcts", "minimax")
WEAK = ("one_step", "uniform")
ALONE = ("open_loop_mcts", "one_step", "uniform")


@dataclass(frozen=True, slots=True)
class Act:
    """What is played of one world: a line of the table for each group of agents."""

    world: str
    lines: tuple[tuple[str, ...], ...]
    """the first agent and its rival, which takes all other seats; alone, one agent each"""
    games: int = 20
    budget: str = "1200calls"
    """counts model calls, so that the show is the same on every machine"""
    by: str = "wins"
    """what decides: wins, or the mean return where a win can be large or small"""


PROGRAMME = {
    "vgdl": Act(
        "vgdl/zelda", (("yolobot",), ("open_loop_mcts",), ("uniform",)), games=10, budget="300calls"
    ),
    "catan": Act(
        "catan",
        (("catan/stac", "catan/type_uniform"), ("catan/stac", "catan/greedy")),
        budget="100calls",
    ),
    "hearthstone": Act(
        "hearthstone",
        (
            ("ismcts", "uniform"),
            ("hearthstone/greedy", "uniform"),
            ("hearthstone/scripted", "ismcts"),
        ),
        games=40,
        budget="300calls",
    ),
    "connect_four": Act(
        "connect_four",
        (("mcts", "uniform"), ("mcts", "one_step"), ("mcts", "minimax")),
        budget="3000calls",
    ),
    "goofspiel": Act(
        "goofspiel",
        (("ismcts", "uniform"), ("goofspiel/equilibrium", "uniform")),
        games=40,
        budget="500calls",
    ),
    "kuhn_poker": Act(
        "kuhn_poker", (("ismcts", "uniform"),), games=400, budget="200calls", by="return"
    ),
    "nim": Act("nim", (("mcts", "uniform"), ("nim/perfect", "mcts")), budget="3000calls"),
    "parley": Act("parley", (("parley/statesman", "uniform"),), games=210, budget="100calls"),
    "pig": Act("pig", (("pig/optimal", "uniform"), ("pig/optimal", "mcts")), 40, "300calls"),
    "life": Act(
        "life", (("one_step",), ("open_loop_mcts",), ("uniform",)), 6, "200calls", "return"
    ),
    "sokoban": Act("sokoban", (("breadth_first",), ("one_step",), ("uniform",)), 10, "2000calls"),
}


def acts() -> Iterator[tuple[World, Act]]:
    """All worlds there are with what is played of them, those to look at first."""
    from ludex.core import registry

    present = registry.names("worlds")
    known = [name for name in PROGRAMME if name in present]
    for name in [*known, *(name for name in present if name not in PROGRAMME)]:
        try:
            act = PROGRAMME.get(name) or act_of_stranger(name)
            yield registry.world(act.world), act
        except Exception:  # ludex list says what is broken and why
            continue


def seated(world: World, line: tuple[str, ...]) -> list[str]:
    """Give the first agent a seat, and all others to its rival."""
    first, *rivals = line
    return [first, *rivals * (world.traits.seats - 1)]


def act_of_stranger(name: str) -> Act:
    """Choose agents for a world that the programme does not know.

    The strongest planner that fits plays simple ones and the world's last expert; where one
    plays alone, each planner has its turn.
    """
    from ludex.core import registry

    world = registry.world(name)
    if world.traits.seats == 1:
        alone = planners_for(world, ALONE)
        return Act(name, tuple((one,) for one in alone), games=10)
    strong, weak = planners_for(world, STRONG)[:1], planners_for(world, WEAK)[::-1]
    experts = [one for one in registry.names("agents") if one.startswith(f"{name}/")]
    rivals = [*weak, *[one for one in experts if fits(one, world)][-1:]]
    return Act(name, tuple((one, rival) for one in strong for rival in rivals))


def planners_for(world: World, names: tuple[str, ...]) -> list[str]:
    """Those of the named planners that accept the world."""
    return [name for name in names if fits(name, world)]


def fits(name: str, world: World) -> bool:
    """Whether an agent accepts the world, asked as the match would ask it."""
    from ludex.agents.compose import make_agent
    from ludex.core.budget import Budget
    from ludex.core.errors import LudexError
    from ludex.core.rng import Meter, Rng

    rng = Rng(0)
    model = world.model.metered(Meter())
    state = world.start(rng)
    model.settle(state, rng)
    seat = model.to_act(state)[0]
    try:
        make_agent(name).start(model, model.view(state, seat), Budget(model_calls=100), rng)
    except LudexError:
        return False
    return True
