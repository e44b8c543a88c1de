"""4.5.1: one agent of many: choose a planner by features of the game."""

from dataclasses import dataclass

from boards import cells
from trials import arguments, compare

from ludex.agents.compose import named_agent
from ludex.core.objects import Category
from ludex.core.planner import StatefulPlanner

PLANNERS = ("olets", "yolobot")


def features(view):
    """What the first view tells of a game."""
    # YOUR IDEA: more features: can the avatar shoot, does anything move while it waits, ...
    return {
        "enemies": len(cells(view, Category.NPC)),
        "things": len(cells(view, Category.RESOURCE)),
        "doors": len(cells(view, Category.PORTAL)),
        "movable": len(cells(view, Category.MOVABLE)),
    }


def choose(found):
    """The planner for a game with these features."""
    # YOUR IDEA: a rule that you have learned from a table of who wins where.
    return "yolobot" if found["doors"] or found["movable"] else "olets"


@dataclass(frozen=True, kw_only=True)
class Switching(StatefulPlanner):
    """Chooses a planner in the first decision and lets it play."""

    handles_seats = (1, 1)
    needs_objects = True

    def fresh_memory(self):
        return {}

    def plan_on(self, memory, model, view, budget, rng):
        if not memory:
            memory["planner"] = named_agent(choose(features(view)))
            memory["mind"] = memory["planner"].fresh_memory()
        return memory["planner"].plan_on(memory["mind"], model, view, budget, rng)


AGENTS = {**{name: name for name in PLANNERS}, "switching": Switching()}
WORLDS = ["vgdl/missilecommand", "vgdl/zelda", "vgdl/sokoban"]

if __name__ == "__main__":
    given = arguments(__doc__, games=1)
    compare(AGENTS, WORLDS, given.games)
