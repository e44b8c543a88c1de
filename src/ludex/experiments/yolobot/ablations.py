"""IHS-7A, IHS-7B and IHS-7C: what YOLOBOT is without each of its parts.

The three figures of the source are lost; what its text says of them are the claims R1 to R12.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludex.arena.study.study import Game
from ludex.experiments.collection import Collection
from ludex.experiments.experiment import (
    Arm,
    Claim,
    EachClaim,
    Experiment,
    ExperimentPlan,
    OrderClaim,
    Relation,
    alone,
)
from ludex.experiments.scale import Scale

BUDGET = "200calls"
SOURCE = "Joppen et al. 2018, section 7.3"
SWITCHES = {
    "default": "",
    "w/o pre run": "pre_run=no",
    "w/o BFS": "search=no",
    "w/o MCTS": "simulate=no",
    "w/o 3 tick rule": "three_tick_rule=no",
    "w/o KB pruning": "knowledge_pruning=no",
    "breadth-first": "search_score_weight=0",
    "w/o equal pruning": "equal_pruning=no",
    "w/o score heuristic": "score_heuristic=no",
    "w/o node init": "node_init=no",
    "w/o win heuristic": "win_heuristic=no",
    "random rollouts": "informed_rollouts=no",
    "w/o steps heuristic": "steps_heuristic=no",
    "w/o target chooser": "target_heuristic=no",
}
"""the configurations of the source, each with what is changed"""

# Games that are searched, and games that are simulated, with stand-ins.
PUZZLES: dict[str, tuple[str, ...]] = {
    "bait": ("zenpuzzle", "sokoban"),
    "brainman": (),
    "labyrinth": (),
    "chipschallenge": (),
    "modality": ("lights_on",),
    "thecitadel": (),
}
MOVING: dict[str, tuple[str, ...]] = {
    "portals": (),
    "missilecommand": (),
    "whackamole": ("butterflies",),
    "survivezombies": (),
    "jaws": ("seaquest",),
    "firestorms": ("frogs",),
    "zelda": (),
    "overload": ("chase",),
}
SIZES: dict[Scale, tuple[int, int, int]] = {
    "tiny": (2, 1, 1),
    "small": (8, 1, 2),
    "full": (8, 5, 10),
}
"""games of each set, levels and repetitions"""


def arms_of(*labels: str) -> tuple[Arm, ...]:
    """YOLOBOT as it is, and with one part changed at a time."""
    return tuple(Arm(label, yolobot(SWITCHES[label]), BUDGET) for label in labels)


def yolobot(change: str) -> str:
    """The agent with a switch as text.

    >>> yolobot(""), yolobot("search=no")
    ('yolobot', 'yolobot(search=no)')
    """
    return f"yolobot({change})" if change else "yolobot"


def above(text: str, *worse: str, relation: Relation = "more") -> OrderClaim:
    """A claim that the default is ahead of some configurations, or level with them."""
    return OrderClaim(text, ("default",), worse, relation, by="rank")


def best(text: str, *others: str) -> EachClaim:
    """A claim that the default is ahead of each of these."""
    return EachClaim(text, (("default",),), alone(others), by="rank")


def plan_of(
    labels: Sequence[str],
    sets: Sequence[dict[str, tuple[str, ...]]],
    claims: Sequence[Claim],
    scale: Scale,
    collection: Collection,
) -> ExperimentPlan:
    """What the three experiments have in common."""
    most, levels, repetitions = SIZES[scale]
    games: list[Game] = []
    notes: list[str] = []
    for wanted in sets:
        found, said = collection.games_or_stand_ins(wanted, most, levels)
        games += found
        notes += said
    unlike = [label for label in labels if label not in ("default", "w/o 3 tick rule")]
    nothing_better = [
        above(f"R12: {label} is not ahead of default", label, relation="no less")
        for label in unlike
    ]
    return ExperimentPlan(
        arms=arms_of(*labels),
        games=tuple(games),
        repetitions=repetitions,
        claims=(*claims, *nothing_better),
        deviations=(
            *notes,
            f"matches of each level: {repetitions}; the source does not give its own",
            f"{BUDGET} a tick, where the source has 40 ms on a machine it does not name",
            "claims are weighed match by match, by the share of all other configurations that one "
            "is ahead of: a win before a loss, then the score. The source has average ranks, whose "
            "numbers are lost; ours are listed over games and over levels, as it does not say "
            "which it means",
        ),
        ranked=True,
    )


class SearchAblations(Experiment):
    """Ablations of YOLOBOT's search, in deterministic games."""

    id = "IHS-7A"
    title = "YOLOBOT without parts of its search, in puzzles"
    source = f"{SOURCE}, figure 7a (numbers lost)"

    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        near = ("breadth-first", "w/o pre run")
        worse = ("w/o BFS", "w/o equal pruning", "w/o MCTS")
        claims = (
            best("R1: default has the best average rank", *near, *worse),
            above("R2: w/o BFS is worse", "w/o BFS"),
            above("R2: w/o equal pruning is worse", "w/o equal pruning"),
            above("R3: w/o MCTS does poorly, too", "w/o MCTS"),
            above("R4: breadth-first is level with default", near[0], relation="same"),
            above("R4: w/o pre run is level with default", near[1], relation="same"),
        )
        return plan_of(("default", *near, *worse), [PUZZLES], claims, scale, collection)


class SimulationAblations(Experiment):
    """Ablations of YOLOBOT's simulations, in stochastic games."""

    id = "IHS-7B"
    title = "YOLOBOT without parts of its simulations, in games that move"
    source = f"{SOURCE}, figure 7b (numbers lost)"

    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        rewards = ("w/o win heuristic", "w/o score heuristic")
        knowledge = ("w/o target chooser", "w/o KB pruning", "w/o steps heuristic")
        unsaid = ("w/o node init", "random rollouts", "w/o pre run")
        claims = (
            OrderClaim(
                "R5: w/o 3 tick rule is ahead of default",
                ("w/o 3 tick rule",),
                ("default",),
                by="rank",
            ),
            above("R6: w/o win heuristic is level with default", rewards[0], relation="same"),
            above("R6: w/o score heuristic is level with default", rewards[1], relation="same"),
            above("R7: w/o target chooser is worse", knowledge[0]),
            above("R8: w/o KB pruning is worse", knowledge[1]),
            above("R9: w/o steps heuristic is worse", knowledge[2]),
            OrderClaim(
                "R10: knowledge-based heuristics matter more than reward-based ones",
                rewards,
                knowledge,
                by="rank",
            ),
        )
        labels = ("default", "w/o 3 tick rule", *rewards, *knowledge, *unsaid)
        return plan_of(labels, [MOVING], claims, scale, collection)


class SwitchingAblations(Experiment):
    """Ablations of switching between search and simulation, in both kinds of games."""

    id = "IHS-7C"
    title = "YOLOBOT without its search, and without its simulations"
    source = f"{SOURCE}, figure 7c (numbers lost)"

    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        one_sided = ("w/o BFS", "w/o MCTS")
        claims = (
            best("R11: the switching agent is best", *one_sided),
            OrderClaim(
                "R11: w/o BFS loses less than w/o MCTS", one_sided[:1], one_sided[1:], by="rank"
            ),
        )
        labels = ("default", *one_sided, "w/o pre run")
        return plan_of(labels, [PUZZLES, MOVING], claims, scale, collection)
