"""Small games for YOLOBOT, and its parts set up in them."""

from __future__ import annotations

from ludex.core import Budget, Meter, Rng
from ludex.core.view import History
from ludex.planners.yolobot import Yolobot
from ludex.planners.yolobot.best_first import BestFirst
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.sight import Sight
from ludex.planners.yolobot.targets import Board, Chooser
from ludex.planners.yolobot.tree import TreeSearch
from ludex.worlds.vgdl.model import Action

NIL, UP, LEFT, DOWN, RIGHT, USE = Action
SPRITES = """
floor > Immovable
wall > Immovable
hole > Immovable
coin > Resource
trap > Immovable
box > Passive
wolf > RandomNPC
avatar > MovingAvatar
"""
RULES = """
avatar wall > stepBack
box avatar > bounceForward
box wall > undoAll
box box > undoAll
box hole > killSprite scoreChange=1
coin avatar > killSprite scoreChange=1
avatar trap > killSprite
wolf wall > stepBack
"""
STORED_ALL = "SpriteCounter stype=box limit=0 win=True"
DEAD = "SpriteCounter stype=avatar limit=0 win=False"
LEGEND = {
    "A": "avatar",
    "b": "box",
    "o": "hole",
    "c": "coin",
    "w": "wall",
    "n": "wolf",
    "t": "trap",
}
ROOM = "wwwwwwwww/wA......w/w..b....w/w....o..w/w.......w/wwwwwwwww"
"""the box must go two to the right and one down: eleven steps at least"""
FEW = Budget(iterations=15)


def game(micro, level: str, ends: str = "", rules: str = RULES, sprites: str = SPRITES, **more):
    """A level; with boxes it is won when all of them are in holes."""
    ends = "\n".join([DEAD, ends or STORED_ALL] if ends or "b" in level else [DEAD])
    return micro(sprites, rules, level, ends=ends, **LEGEND, **more)


def play(planner, made, ticks: int, budget: Budget = FEW, disturb: int | None = None):
    """Decisions of a mind in the real game, and its last state."""
    model = made.model.metered(Meter())
    state, events = made.state.copy(), []
    mind = planner.start(model, model.view(state, 0), budget, Rng(0))
    decisions = []
    for tick in range(ticks):
        if model.over(state):
            break
        view = model.view(state, 0).recalling(history=History(events))
        decisions.append(mind.decide(view, budget, Rng(tick)))
        action = decisions[-1].action if tick != disturb else NIL
        model.advance(state, (action,), Rng(1000 + tick))
        events += model.events(state, 0)
    return decisions, state, mind.memory if hasattr(mind, "memory") else mind


def modes(decisions) -> list[str]:
    return [decision.notes["mode"] for decision in decisions]


def searching(made, **changes) -> BestFirst:
    model = made.model.metered(Meter())
    knowledge = Knowledge(3)
    sight = Sight.of_state(model, made.state, 0)
    knowledge.register(sight)
    planner = Yolobot(**{"search_score_weight": 0.0, "max_nodes": 10**6} | changes)
    return BestFirst(knowledge, model, made.state.copy(), sight, planner)


def tree_of(made, iterations: int = 0, *, planner: Yolobot | None = None, seed: int = 1):
    model = made.model.metered(Meter())
    view = model.view(made.state, 0)
    knowledge = Knowledge(0)
    sight = Sight.of_view(view)
    knowledge.register(sight)
    board = Board(knowledge, sight, {}, [(-1, 0), (0, -1), (0, 1), (1, 0)])
    target = Chooser().choose(knowledge, sight, board, False)
    tree = TreeSearch(planner or Yolobot(), knowledge, model, view, sight, target, NIL, Rng(seed))
    for _ in range(iterations):
        tree.simulate()
    return tree
