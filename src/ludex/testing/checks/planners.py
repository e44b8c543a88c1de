"""Planners keep their budget, decide by the view, and refuse early what they do not support."""

from __future__ import annotations

import itertools
import math
import time
from typing import Any

from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import play_match
from ludex.arena.match.seat import with_thoughts
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import LudexError, Unsupported
from ludex.core.model import Model
from ludex.core.parameters import Parameters
from ludex.core.planner import Agent, Planner
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.traits import Traits
from ludex.core.world import World
from ludex.testing.checks.views import twins_of
from ludex.testing.checks.worlds import one_sentence
from ludex.testing.counting import CountingModel
from ludex.testing.failure import fail, shown
from ludex.testing.snapshot import other_global_dice, pickled
from ludex.testing.walk import walk

CALLS = (1, 7, 480)
ITERATIONS = 20
TIME_MS = 10.0
PATIENCE = 10  # times the time asked for: only a planner that ignores its clock needs more
TRIES = 3
SMALL = Budget(model_calls=60)
TINY = Budget(model_calls=10)
FEW_TICKS = 6
POSITIONS = 3


def suits(planner: Agent, world: World) -> bool:
    """Whether the planner accepts this world; the other checks leave a refused one alone."""
    return not refusal_in(planner, world)


def refusal_in(planner: Agent, world: World) -> str:
    """Why the planner refuses this world; empty where it plays."""
    state = decision_states(world)[0]
    try:
        open_game(planner, world.model.metered(Meter()), state, SMALL, 0)
    except Unsupported as error:
        return str(error) or "it does not say why"
    return ""


def decision_states(world: World) -> list[Any]:
    """The first decision of a game, and some from its middle and end."""
    states = [state for state in walk(world, seed=4) if world.model.to_act(state)]
    stride = max(1, (len(states) - 1) // (POSITIONS - 1))
    return states[::stride][:POSITIONS]


def open_game(planner: Agent, model: Any, state: Any, budget: Budget, seed: int) -> Any:
    view = model.view(state, model.to_act(state)[-1])
    return planner.start(model, view, budget, Rng(seed).fork("start"))


def ask(planner: Agent, model: Any, state: Any, budget: Budget, seed: int = 0) -> Decision:
    """Start a mind for the last seat that acts, and take one decision from it."""
    mind = open_game(planner, model, state, budget, seed)
    return answer(mind, planner, model, state, budget, seed)


def answer(
    mind: Any, planner: Agent, model: Any, state: Any, budget: Budget, seed: int
) -> Decision:
    view = model.view(state, model.to_act(state)[-1])
    budget.arm(model.meter)  # as the match runner does, for minds that do not
    decision = mind.decide(view, budget, Rng(seed).fork("decide"))
    if not isinstance(decision, Decision):
        fail(f"{planner} answered {decision!r} instead of a Decision")
    return decision


def check_refuses_before_the_first_move(planner: Agent, world: World) -> None:
    """A planner takes a model or refuses it when started, in one sentence."""
    state = decision_states(world)[0]
    model = world.model.metered(Meter())
    try:
        open_game(planner, model, state, SMALL, 0)
    except Unsupported as error:
        one_sentence(error)
        if isinstance(planner, Planner):
            refused_when_asked(planner, model, state)
    except Exception as error:
        fail(f"{planner} cannot start in {world}: {error!r}; it must play or raise Unsupported")


def refused_when_asked(planner: Planner, model: Model[StateT], state: StateT) -> None:
    view = model.view(state, model.to_act(state)[-1])
    try:
        planner.decide(model, view, SMALL, Rng(0))
    except Unsupported as error:
        one_sentence(error)
    else:
        fail(f"{planner} refuses to start with this model, but decides with it")


def check_speaks_for_all_traits(planner: Agent, world: World) -> None:
    """For any traits, the planner accepts them or refuses them in one sentence."""
    if not isinstance(planner, Planner):
        return
    yes_no, chances = (False, True), ("none", "listed", "sampled", "mixed")
    for hidden, simultaneous, zero_sum, seats, chance in itertools.product(
        yes_no, yes_no, yes_no, (1, 2, 3), chances
    ):
        traits = Traits(
            seats=seats,
            max_legal=5,
            hidden=hidden,
            simultaneous=simultaneous,
            zero_sum=zero_sum,
            chance=chance,  # type: ignore[arg-type]  # one of the words above
            events=hidden,
            model_sees_all=not hidden,
        )
        reason = planner.refusal(traits)
        if reason is not None:
            one_sentence(Unsupported(reason))


def check_keeps_a_budget_of_calls(planner: Agent, world: World) -> None:
    """With 1, 7 and 480 calls no more are made, all are metered, and the decision reports them."""
    if not suits(planner, world):
        return
    for state in decision_states(world):
        for calls in CALLS:
            meter = Meter()
            model = CountingModel(world.model.metered(meter))
            budget = Budget(model_calls=calls)
            mind = open_game(planner, model, state, budget, 0)
            model.counter.calls = 0  # what a mind does to get ready is not a decision
            decision = answer(mind, planner, model, state, budget, 0)
            made = max(meter.calls, model.counter.calls)
            if made > calls:
                fail(f"{planner} made {made} model calls of the {calls} allowed in {shown(state)}")
            if model.counter.calls > meter.calls:
                fail(
                    f"{planner} made {model.counter.calls} model calls, of which its meter saw "
                    f"{meter.calls}; use the model that was given, as it was given"
                )
            if decision.model_calls != meter.calls:
                fail(
                    f"{planner} reports {decision.model_calls} model calls in {shown(state)}, "
                    f"the meter counted {meter.calls}"
                )
            legal_or_fail(planner, world, state, decision)


def check_keeps_a_budget_of_iterations(planner: Agent, world: World) -> None:
    """With 20 iterations no more are made, and the calls reported are those the meter counted."""
    if not suits(planner, world):
        return
    for state in decision_states(world):
        meter = Meter()
        decision = ask(planner, world.model.metered(meter), state, Budget(iterations=ITERATIONS))
        if decision.iterations > ITERATIONS:
            fail(f"{planner} made {decision.iterations} iterations of the {ITERATIONS} allowed")
        if decision.model_calls != meter.calls:
            fail(
                f"{planner} reports {decision.model_calls} model calls, the meter counted "
                f"{meter.calls}"
            )
        legal_or_fail(planner, world, state, decision)


def check_keeps_a_budget_of_time(planner: Agent, world: World) -> None:
    """With 10 ms it answers in about that time, and reports the calls the meter counted."""
    if not suits(planner, world):
        return
    for state in decision_states(world):
        # One answer can fall into a pause of the interpreter or of the machine; three do not.
        times = (timed_answer(planner, world, state) for _ in range(TRIES))
        if all((used := one) > TIME_MS * PATIENCE for one in times):
            fail(f"{planner} used {used:.0f} ms of its {TIME_MS:g} ms in {shown(state)}")


def timed_answer(planner: Agent, world: World[StateT], state: StateT) -> float:
    """The CPU time of a decision with little time, in ms; its report and its action are checked."""
    budget = Budget(time_ms=TIME_MS)
    meter = Meter()
    model = world.model.metered(meter)
    mind = open_game(planner, model, state, budget, 0)
    began = time.thread_time()
    decision = answer(mind, planner, model, state, budget, 0)
    used = (time.thread_time() - began) * 1000
    if decision.model_calls != meter.calls:
        fail(
            f"{planner} reports {decision.model_calls} model calls, the meter counted {meter.calls}"
        )
    legal_or_fail(planner, world, state, decision)
    return used


def legal_or_fail(planner: Agent, world: World[StateT], state: StateT, decision: Decision) -> None:
    legal = world.model.legal(state, world.model.to_act(state)[-1])
    if decision.action not in legal:
        fail(f"{planner} chose {decision.action!r} in {shown(state)}, which is not legal")


def check_same_seed_same_decision(planner: Agent, world: World) -> None:
    """Decisions depend on view, budget and stream, not on global generators or past decisions."""
    if not suits(planner, world):
        return
    for budget in (SMALL, Budget(iterations=ITERATIONS)):
        for index, state in enumerate(decision_states(world)):
            with other_global_dice(2 * index):
                first = ask(planner, world.model.metered(Meter()), state, budget, seed=5)
            with other_global_dice(2 * index + 1):
                second = ask(planner, world.model.metered(Meter()), state, budget, seed=5)
            if evidence(first) != evidence(second):
                fail(
                    f"{planner} decided twice in {shown(state)} with one seed: "
                    f"{evidence(first)} and {evidence(second)}"
                )


def evidence(decision: Decision) -> tuple[Any, ...]:
    """The parts of a decision that must be reproducible: everything but time."""
    return (
        decision.action,
        dict(decision.visits or {}),
        dict(decision.values or {}),
        decision.iterations,
        decision.model_calls,
        decision.depth,
    )


def check_short_form_agrees_with_mind(planner: Agent, world: World) -> None:
    """`decide` of the planner does what starting a mind and asking it once does."""
    if not isinstance(planner, Planner) or not suits(planner, world):
        return
    for state in decision_states(world):
        model = world.model.metered(Meter())
        by_mind = ask(planner, model, state, SMALL, seed=3)
        view = model.view(state, model.to_act(state)[-1])
        direct = planner.decide(model, view, SMALL, Rng(3).fork("decide"))
        if evidence(direct) != evidence(by_mind):
            fail(f"{planner}.decide and its mind differ in {shown(state)}")


def check_leaves_the_view_alone(planner: Agent, world: World) -> None:
    """Deciding changes neither the view nor the state behind it."""
    if not suits(planner, world):
        return
    for state in decision_states(world):
        model = world.model.metered(Meter())
        view = model.view(state, model.to_act(state)[-1])
        before = pickled(view), pickled(state)
        mind = planner.start(model, view, SMALL, Rng(0))
        mind.decide(view, SMALL, Rng(1))
        if (pickled(view), pickled(state)) != before:
            fail(f"{planner} changed the view it was given of {shown(state)}")


def check_evidence_is_about_legal_actions(planner: Agent, world: World) -> None:
    """Visits and values are given for legal actions, as counts and finite numbers."""
    if not suits(planner, world):
        return
    for state in decision_states(world):
        decision = ask(planner, world.model.metered(Meter()), state, Budget(model_calls=200))
        legal = set(world.model.legal(state, world.model.to_act(state)[-1]))
        visits, values = decision.visits or {}, decision.values or {}
        if strange := (set(visits) | set(values)) - legal:
            fail(f"{planner} gives evidence for {strange!r} in {shown(state)}, which is not legal")
        if any(not isinstance(count, int) or count < 0 for count in visits.values()):
            fail(f"{planner} counts visits as {dict(visits)!r}")
        if not all(math.isfinite(value) for value in values.values()):
            fail(f"{planner} values actions as {dict(values)!r}")
        if decision.confidence is not None and not 0 <= decision.confidence <= 1:
            fail(f"{planner} is sure of its prediction by {decision.confidence!r}, not 0 to 1")
        if min(decision.iterations, decision.depth) < 0:
            fail(f"{planner} reports {decision.iterations} iterations, depth {decision.depth}")


def check_thoughts_change_nothing(planner: Agent, world: World) -> None:
    """Watching a mind does not change its decisions, and its notes can be drawn."""
    if not suits(planner, world):
        return
    for state in decision_states(world):
        models = [world.model.metered(Meter()) for _ in range(2)]
        quiet, watched = (open_game(planner, model, state, SMALL, 0) for model in models)
        for seed in range(2):
            unseen = answer(quiet, planner, models[0], state, SMALL, seed)
            seen = answer(watched, planner, models[1], state, SMALL, seed)
            if evidence(seen) != evidence(unseen):
                fail(f"{planner} decides otherwise in {shown(state)} after it showed its thoughts")
            notes = with_thoughts(seen, world.action_text).notes
            if "broken" in notes:
                fail(f"{planner} cannot show its thoughts in {shown(state)}: {notes['broken']}")


def check_decides_by_the_view_alone(planner: Agent, world: World) -> None:
    """Hidden information does not change a planner's decision."""
    if not world.traits.hidden or not suits(planner, world):
        return
    for state in decision_states(world):
        model = world.model.metered(Meter())
        chosen = evidence(ask(planner, model, state, SMALL, seed=2))
        for twin in twins_of(model, state, model.to_act(state)[-1])[:3]:
            if evidence(ask(planner, model, twin, SMALL, seed=2)) != chosen:
                fail(f"{planner} tells {shown(state)} from {shown(twin)}, which look the same")


def check_plays_whole_matches(planner: Agent, world: World) -> None:
    """A match with this planner in every seat ends by the rules, without a fault."""
    if not suits(planner, world):
        return
    seats = world.traits.seats
    result = play_match(world, [planner] * seats, seed=1, budget=Budget(model_calls=25))
    if result.faults:
        first = result.faults[0]
        fail(f"{planner} in {world}: {first.kind} in tick {first.tick}: {first.message}")
    if result.outcome.truncated:
        fail(f"a match of {planner} in {world} did not end: {result.outcome.reason}")


def check_plays_a_few_ticks(planner: Agent, world: World) -> None:
    """A few ticks with this planner in every seat, and a tiny budget, pass without a fault."""
    if not suits(planner, world):
        return
    agents = [planner] * world.traits.seats
    result = play_match(world, agents, seed=1, budget=TINY, rules=MatchRules(max_ticks=FEW_TICKS))
    if result.faults:
        first = result.faults[0]
        fail(f"{planner} in {world}: {first.kind} in tick {first.tick}: {first.message}")


def check_text_of_planner_reads_back(planner: Agent, world: World) -> None:
    """`str(planner)` gives the parameters from which the same planner can be made."""
    if not isinstance(planner, Parameters):
        return
    if not str(planner) or "\n" in str(planner):
        fail(f"str(planner) must be one line, got {str(planner)!r}")
    try:
        twin = type(planner).from_texts(planner.changed())
    except LudexError as error:
        fail(f"the parameters in {str(planner)!r} are refused: {error}")
    if twin != planner or hash(twin) != hash(planner):
        fail(f"the planner made from the parameters in {str(planner)!r} is {str(twin)!r}")


PLANNER_CHECKS = [
    check_refuses_before_the_first_move,
    check_speaks_for_all_traits,
    check_keeps_a_budget_of_calls,
    check_keeps_a_budget_of_iterations,
    check_keeps_a_budget_of_time,
    check_same_seed_same_decision,
    check_short_form_agrees_with_mind,
    check_leaves_the_view_alone,
    check_evidence_is_about_legal_actions,
    check_thoughts_change_nothing,
    check_decides_by_the_view_alone,
    check_plays_whole_matches,
    check_text_of_planner_reads_back,
]
ALSO_WHERE_REFUSED = (
    check_refuses_before_the_first_move,
    check_speaks_for_all_traits,
    check_text_of_planner_reads_back,
)
"""checks that hold in worlds that the planner does not play, too"""
