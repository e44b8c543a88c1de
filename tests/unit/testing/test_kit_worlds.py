"""The kit catches worlds that are broken in one place: one test for each way.

The healthy world:

Two seats get a hidden coin each by listed chance, then say in turn, three times each, whether
the coins match; a wind that is drawn inside each step turns a vane. Saying it right at the end
wins, and the coins are shown.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pytest

from ludex.core.codec import FixedCodec
from ludex.core.errors import InvalidState
from ludex.core.event import Event
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.tiles import Act, Tiles, TileView
from ludex.core.traits import Traits
from ludex.core.world import ArraySpec, PlainSensor, World
from ludex.testing import WORLD_CHECKS, CheckFailed, run_checks

SAYINGS = ("differ", "match")
DEALS = [(first + second, 0.25) for first in "HT" for second in "HT"]
LENGTH = 6
VANES = 5


@dataclass(slots=True, unsafe_hash=True)
class State(PlainState):
    """The coins (empty before the deal), what was said, and where the vane points."""

    coins: str = ""
    said: tuple[str, ...] = ()
    vane: int = 0
    news: tuple[Any, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return f"{self.coins or '-'} {'/'.join(self.said) or '-'} {self.vane}"


@dataclass(frozen=True, slots=True)
class CoinsView:
    """What one seat sees."""

    seat: int
    legal: tuple[str, ...]
    own: str
    shown: str
    said: tuple[str, ...]
    vane: int


class CoinsModel(PythonModel):
    """The rules."""

    state_type = State
    view_type = CoinsView

    def __init__(self) -> None:
        super().__init__()
        self.traits = Traits(
            seats=2,
            max_legal=2,
            hidden=True,
            chance="mixed",
            zero_sum=True,
            events=True,
            model_sees_all=False,
        )

    def to_act(self, state):
        if not state.coins or len(state.said) == LENGTH:
            return ()
        return (len(state.said) % 2,)

    def legal(self, state, seat):
        return list(SAYINGS) if seat in self.to_act(state) else []

    def _apply(self, state, actions, rng):
        seat = len(state.said) % 2
        state.said += (actions[0],)
        state.vane = (state.vane + rng.below(3)) % VANES
        state.news = (("say", seat, actions[0]),)

    def chance(self, state):
        return [] if state.coins else DEALS

    def _resolve(self, state, outcome):
        state.coins = outcome
        state.news = (("deal", None, outcome),)

    def outcome(self, state):
        if len(state.said) < LENGTH:
            return None
        right = SAYINGS[state.coins[0] == state.coins[1]]
        points = [state.said[-2 + seat] == right for seat in (0, 1)]
        gain = float(points[0]) - float(points[1])
        winners = tuple(seat for seat in (0, 1) if points[seat] > points[1 - seat])
        return Outcome(winners, (gain, -gain), "all was said")

    def score(self, state, seat):
        return float(state.said[seat::2].count("match"))

    def view(self, state, seat):
        own = state.coins[seat : seat + 1]
        shown = state.coins if len(state.said) == LENGTH else ""
        legal = tuple(self.legal(state, seat))
        return CoinsView(seat, legal, own, shown, state.said, state.vane)

    def imagine(self, view, rng):
        other = "HT"[rng.below(2)]
        if view.shown or not view.own:
            coins = view.shown
        else:
            coins = view.own + other if view.seat == 0 else other + view.own
        return State(coins, view.said, view.vane)

    def events(self, state, seat=None):
        told = []
        for kind, who, detail in state.news:
            if kind == "deal" and seat is not None:
                told.append(Event(kind, who, detail[seat]))
            else:
                told.append(Event(kind, who, detail))
        return tuple(told)


@dataclass(frozen=True, kw_only=True)
class CoinsWorld(World):
    """Two seats say whether their hidden coins match."""

    name: ClassVar[str] = "coins"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (2, 2)
    rules: ClassVar[type] = CoinsModel
    state: ClassVar[type] = State

    @cached_property
    def model(self):
        return self.rules()

    def start(self, rng):
        return self.state()

    def parse(self, text):
        parts = text.split(" ")
        said = tuple(parts[1].split("/")) if len(parts) == 3 and parts[1] != "-" else ()
        if len(parts) != 3 or not parts[2].isdigit() or not set(said) <= set(SAYINGS):
            raise InvalidState(f"cannot read {text!r} as coins; write 'HT differ/match 1'")
        coins = parts[0] if parts[0] != "-" else ""
        if coins not in ("", *(deal for deal, _ in DEALS)) or int(parts[2]) >= VANES:
            raise InvalidState(f"cannot read {text!r} as coins; write 'HT differ/match 1'")
        return self.state(coins, said, int(parts[2]))

    def draw(self, state, form="text"):
        text = f"coins {state.coins or 'in hand'}, said {' '.join(state.said) or 'nothing'}"
        if form == "text":
            return text
        return f'<svg xmlns="http://www.w3.org/2000/svg"><text>{text}</text></svg>'

    def draw_view(self, view, form="text"):
        seen = State(view.shown or view.own, view.said, view.vane)
        return self.draw(seen, form)

    @cached_property
    def codec(self):
        return FixedCodec(SAYINGS)

    @property
    def observation_spec(self):
        return ArraySpec(shape=(3,), low=0.0, high=float(LENGTH))

    def observation(self, view):
        return np.array([view.own == "H", len(view.said), view.vane], dtype=np.float32)


def world_with(**changes: Any) -> World:
    """The healthy world with some methods of its model replaced."""
    rules = type("MutantModel", (CoinsModel,), changes)
    return mutant(rules=rules)


def mutant(**changes: Any) -> World:
    """The healthy world with some methods of its own replaced."""
    kind = type("Mutant", (CoinsWorld,), {"__doc__": CoinsWorld.__doc__, **changes})
    return kind()


CHECKS = {check.__name__: check for check in WORLD_CHECKS}
STRUCTURAL = "check_same_in_another_process"


def caught(check_name, world, match):
    with pytest.raises(CheckFailed, match=match):
        CHECKS[check_name](world)


@pytest.mark.parametrize("check", WORLD_CHECKS, ids=lambda check: check.__name__)
def test_the_healthy_world_passes(check):
    check(CoinsWorld())


def test_failures_are_one_sentence():
    world = world_with(score=lambda self, state, seat: float("nan"))
    (result,) = run_checks([CHECKS["check_outcome_is_complete"]], world)
    assert not result.passed
    assert "\n" not in result.message


def test_a_check_that_crashes_is_reported_and_the_rest_goes_on():
    def crash(world):
        raise ZeroDivisionError("by nought")

    results = list(run_checks([crash, CHECKS["check_start_is_repeatable"]], CoinsWorld()))
    assert [result.passed for result in results] == [False, True]
    assert "ZeroDivisionError" in results[0].message


# States and stepping


@dataclass(slots=True, unsafe_hash=True)
class Alias(State):
    def copy(self):
        return self


def test_catches_a_copy_that_is_the_state_itself():
    caught("check_copy_is_independent", mutant(state=Alias), "not an equal state of its own")


@dataclass(slots=True, unsafe_hash=True)
class Listed(State):
    trail: list = field(default_factory=list, compare=False)


def test_catches_an_advance_that_changes_a_part_shared_with_the_original():
    def apply_to_the_shared_list(self, state, actions, rng):
        CoinsModel._apply(self, state, actions, rng)
        state.trail.append(actions[0])

    rules = type("Mutant", (CoinsModel,), {"_apply": apply_to_the_shared_list})
    caught("check_copy_is_independent", mutant(state=Listed, rules=rules), "share a part")


@dataclass(slots=True, unsafe_hash=True)
class Forgetful(State):
    def copy_from(self, other):
        State.copy_from(self, other)
        self.vane = 0

    def copy(self):
        return Forgetful(self.coins, self.said, self.vane, self.news)


def test_catches_a_copy_from_that_forgets_a_field():
    caught("check_copy_from_takes_everything", mutant(state=Forgetful), "copy_from")


@dataclass(slots=True, eq=True)
class ByIdentity(State):
    __hash__ = object.__hash__


def test_catches_a_hash_by_identity():
    caught("check_states_are_values", mutant(state=ByIdentity), "another hash")


@dataclass(slots=True, eq=False)
class AllEqual(State):
    def __eq__(self, other):
        return isinstance(other, AllEqual)

    def __hash__(self):
        return 1


def test_catches_an_equality_that_sees_nothing():
    caught("check_states_are_values", mutant(state=AllEqual), "all states of a walk are equal")


@dataclass(slots=True, unsafe_hash=True)
class WithDice(State):
    dice: Rng = field(default_factory=lambda: Rng(1), compare=False)


def test_catches_a_random_stream_inside_the_state():
    caught("check_state_holds_no_machinery", mutant(state=WithDice), "random stream")


def test_catches_a_step_that_works_in_place():
    def step(self, state, actions, rng):
        self.advance(state, actions, rng)
        return state

    caught("check_step_is_pure", world_with(step=step), "changed the state it was given")


def test_catches_a_step_that_draws_from_the_global_generator():
    def blow(self, state, actions, rng):
        CoinsModel._apply(self, state, actions, rng)
        state.vane = random.randrange(VANES)

    caught("check_step_is_pure", world_with(_apply=blow), "same stream differ")


def test_catches_a_step_that_remembers_the_last_one():
    def count(self, state, actions, rng):
        self.memory = getattr(self, "memory", 0) + 1
        CoinsModel._apply(self, state, actions, rng)
        state.vane = self.memory % VANES

    caught("check_step_is_pure", world_with(_apply=count), "same stream differ")


def test_catches_a_step_and_an_advance_that_draw_unlike():
    def step(self, state, actions, rng):
        rng.bits()
        return CoinsModel.step(self, state, actions, rng)

    caught("check_advance_equals_step", world_with(step=step), "step gives")


def test_catches_facts_that_are_not_those_of_the_state():
    def features(self, state):
        return (id(state),)

    caught("check_facts_are_those_of_the_state", world_with(features=features), "after a pickle")


def test_catches_a_distance_that_is_no_distance():
    def distance(self, state, seat):
        return -1.0

    caught("check_facts_are_those_of_the_state", world_with(distance=distance), "distance of")


# Rules


def test_catches_a_state_where_nobody_acts_and_nothing_is_pending():
    def to_act(self, state):
        return () if len(state.said) == 3 else CoinsModel.to_act(self, state)

    caught("check_someone_acts_or_chance_or_end", world_with(to_act=to_act), "exactly one of")


def test_catches_seats_that_act_at_once_without_the_trait():
    def to_act(self, state):
        return (0, 1) if CoinsModel.to_act(self, state) else ()

    world = world_with(to_act=to_act)
    caught("check_someone_acts_or_chance_or_end", world, r"traits\.simultaneous is False")


def test_catches_a_trait_of_simultaneous_moves_that_never_come():
    def init(self):
        CoinsModel.__init__(self)
        self.traits = replace(self.traits, simultaneous=True)

    world = world_with(__init__=init)
    caught("check_someone_acts_or_chance_or_end", world, r"traits\.simultaneous is True")


@pytest.mark.parametrize(
    ("legal", "match"),
    [
        (["match", "differ"], "not ascending"),
        (["differ", "differ"], "twice"),
        (["differ", "match", "pass"], "max_legal"),
        ([], "legal actions"),
    ],
)
def test_catches_a_bad_legal_list(legal, match):
    def listed(self, state, seat):
        return list(legal) if seat in self.to_act(state) else []

    caught("check_legal_lists", world_with(legal=listed), match)


def test_catches_legal_actions_off_turn():
    caught(
        "check_legal_lists", world_with(legal=lambda self, state, seat: list(SAYINGS)), "not to act"
    )


def test_catches_a_default_action_that_is_not_legal():
    world = world_with(default_action=lambda self, state, seat: "shrug")
    caught("check_legal_lists", world, "default_action")


def test_catches_an_action_type_that_is_no_word():
    caught("check_legal_lists", world_with(action_type=lambda self, action: 3), "action_type")


@pytest.mark.parametrize(
    ("outcome", "match"),
    [
        (Outcome((2,), (1.0, -1.0), "x"), "winners"),
        (Outcome((1, 0), (1.0, -1.0), "x"), "winners"),
        (Outcome((0,), (1.0,), "x"), "returns"),
        (Outcome((0,), (1.0, float("nan")), "x"), "returns"),
        (Outcome((0,), (1.0, 0.0), "x"), "zero_sum"),
        (Outcome((0,), (1.0, -1.0), ""), "reason"),
    ],
)
def test_catches_a_bad_outcome(outcome, match):
    world = world_with(outcome=lambda self, s: outcome if len(s.said) == LENGTH else None)
    caught("check_outcome_is_complete", world, match)


def test_catches_a_simulation_that_raises_for_illegal_actions():
    def advance(self, state, actions, rng):
        if self.to_act(state) and (not actions or actions[0] not in SAYINGS):
            raise ValueError(actions)
        CoinsModel.advance(self, state, actions, rng)

    world = world_with(advance=advance)
    caught("check_simulation_replaces_illegal_actions", world, "simulation never raises")


def test_catches_replaced_actions_that_are_not_counted():
    def made_legal(self, state, seats, actions):
        legal = self.legal(state, seats[0])
        return actions if actions and actions[0] in legal else (legal[0],)

    world = world_with(_made_legal=made_legal)
    caught("check_simulation_replaces_illegal_actions", world, "counted as 0")


def test_catches_an_illegal_action_replaced_by_another_than_the_default():
    def made_legal(self, state, seats, actions):
        fixed = CoinsModel._made_legal(self, state, seats, actions)
        return fixed if actions == fixed else ("match",)

    world = world_with(_made_legal=made_legal)
    caught("check_simulation_replaces_illegal_actions", world, "what default_action gives")


def test_catches_a_finished_state_that_moves_on():
    def advance(self, state, actions, rng):
        CoinsModel.advance(self, state, actions, rng)
        if not self.to_act(state):
            state.vane = (state.vane + 1) % VANES

    world = world_with(advance=advance)
    caught("check_simulation_leaves_finished_states", world, "where nobody acts, led to")


def test_catches_steps_that_are_not_counted():
    def advance(self, state, actions, rng):
        if seats := self.to_act(state):
            self._apply(state, self._made_legal(state, seats, actions), rng)

    caught("check_meter_counts_steps", world_with(advance=advance), "cost 0 calls")


def test_catches_queries_that_cost_calls():
    def score(self, state, seat):
        self.meter.take(1)
        return 0.0

    caught("check_meter_counts_steps", world_with(score=score), "queries")


def test_catches_metered_copies_that_share_a_meter():
    world = world_with(metered=lambda self, meter: self)
    caught("check_metered_models_are_separate", world, "share a meter")


def test_catches_a_key_that_is_too_coarse():
    world = world_with(key=lambda self, state, seat=None, ignore=(): len(state.said) // 2)
    caught("check_key_is_a_value", world, "share a key")


def test_catches_a_key_by_identity():
    world = world_with(key=lambda self, state, seat=None, ignore=(): id(state))
    caught("check_key_is_a_value", world, "unlike keys")


# Chance


def test_catches_probabilities_that_do_not_sum_to_one():
    world = world_with(chance=lambda self, s: [] if s.coins else [("HT", 0.5), ("TH", 0.4)])
    caught("check_listed_chance_is_a_distribution", world, "sum to 0.9")


def test_catches_an_outcome_listed_twice():
    world = world_with(chance=lambda self, s: [] if s.coins else [("HT", 0.5), ("HT", 0.5)])
    caught("check_listed_chance_is_a_distribution", world, "twice")


def test_catches_a_settle_with_other_probabilities_than_listed():
    def settle(self, state, rng):
        if state.coins:
            return ()
        outcome = DEALS[rng.weighted([0.3, 0.2, 0.25, 0.25])][0]
        self._resolve(state, outcome)
        return (outcome,)

    world = world_with(settle=settle)
    caught("check_settle_draws_what_is_listed", world, "does not draw what chance lists")


def test_catches_a_settle_that_leads_elsewhere_than_resolve():
    def settle(self, state, rng):
        drawn = CoinsModel.settle(self, state, rng)
        state.vane = 1 if drawn else state.vane
        return drawn

    caught("check_settle_draws_what_is_listed", world_with(settle=settle), "resolve leads to")


def test_catches_a_resolve_that_works_in_place():
    def resolve(self, state, outcome):
        self._resolve(state, outcome)
        return state

    caught("check_resolve_is_pure", world_with(resolve=resolve), "changed the state")


# Hidden facts


@dataclass(frozen=True, slots=True)
class Leaky(CoinsView):
    other: str = ""


def test_catches_a_hidden_coin_in_the_view():
    def view(self, state, seat):
        seen = CoinsModel.view(self, state, seat)
        parts = {item.name: getattr(seen, item.name) for item in fields(seen)}
        return Leaky(**parts, other=state.coins[1 - seat : 2 - seat])

    caught("check_hidden_facts_do_not_show", world_with(view=view), "view of seat 0 tells")


@dataclass(frozen=True, slots=True)
class LeakyPickle(CoinsView):
    cache: str = field(default="", compare=False, repr=False)


def test_catches_a_hidden_coin_that_only_a_pickle_shows():
    def view(self, state, seat):
        seen = CoinsModel.view(self, state, seat)
        parts = {item.name: getattr(seen, item.name) for item in fields(seen)}
        return LeakyPickle(**parts, cache=state.coins)

    caught("check_hidden_facts_do_not_show", world_with(view=view), "the view's pickle")


def test_catches_a_hidden_coin_in_the_legal_list():
    def legal(self, state, seat):
        may = CoinsModel.legal(self, state, seat)
        return may[:1] if may and state.coins == "HH" else may

    caught("check_hidden_facts_do_not_show", world_with(legal=legal), "tells")


def test_catches_a_hidden_coin_in_the_key():
    def key(self, state, seat=None, ignore=()):
        return (state.coins, state.said, state.vane)

    caught("check_hidden_facts_do_not_show", world_with(key=key), "the key of seat")


def test_catches_a_hidden_coin_in_the_default_action():
    def default_action(self, state, seat):
        return SAYINGS[state.coins[0] == state.coins[1]]

    world = world_with(default_action=default_action)
    caught("check_hidden_facts_do_not_show", world, "the default action")


def test_catches_a_hidden_coin_in_the_picture():
    class Draws(CoinsWorld):
        """Two seats say whether their hidden coins match."""

        def draw_view(self, view, form="text"):
            return self.draw(self.model.last, form)

    def view(self, state, seat):
        type(self).last = state
        return CoinsModel.view(self, state, seat)

    Draws.rules = type("Mutant", (CoinsModel,), {"view": view})
    caught("check_hidden_facts_do_not_show", Draws(), "the drawing")


def test_catches_an_imagination_that_knows_the_real_state():
    def view(self, state, seat):
        type(self).last = state
        return CoinsModel.view(self, state, seat)

    def imagine(self, view, rng):
        # Honest-looking, but which of two streams it follows depends on the hidden coin.
        rng = rng.fork(self.last.coins)
        return CoinsModel.imagine(self, view, rng)

    world = world_with(view=view, imagine=imagine)
    caught("check_hidden_facts_do_not_show", world, "imagine of seat")


@dataclass(frozen=True, slots=True)
class Holding(CoinsView):
    behind: Any = field(default=None, compare=False, repr=False)


def test_catches_a_complete_state_inside_a_view():
    def view(self, state, seat):
        seen = CoinsModel.view(self, state, seat)
        parts = {item.name: getattr(seen, item.name) for item in fields(seen)}
        return Holding(**parts, behind=state.copy())

    caught("check_views_are_values", world_with(view=view), "complete state can be reached")


def test_catches_a_model_that_keeps_the_real_state():
    def view(self, state, seat):
        self.last = [state]
        return CoinsModel.view(self, state, seat)

    caught("check_model_keeps_no_secret", world_with(view=view), "the model holds")


def test_catches_events_that_tell_the_other_coin():
    def events(self, state, seat=None):
        return tuple(Event(*one) for one in state.news)

    world = world_with(events=events)
    caught("check_events_hide_what_views_hide", world, "cannot tell")


def test_catches_an_imagination_that_contradicts_the_view():
    def imagine(self, view, rng):
        state = CoinsModel.imagine(self, view, rng)
        state.vane = 0
        return state

    world = world_with(imagine=imagine)
    caught("check_imagined_states_agree_with_the_view", world, "but imagines")


def test_catches_an_imagination_that_leaves_out_possible_states():
    def hidden_twins(self, state, seat):
        view = self.view(state, seat)
        return {self.imagine(view, Rng(seed)) for seed in range(50)}

    def imagine(self, view, rng):
        if view.own == "H" and not view.shown:
            return State("HH", view.said, view.vane)
        return CoinsModel.imagine(self, view, rng)

    world = world_with(hidden_twins=hidden_twins, imagine=imagine)
    honest = world_with(hidden_twins=hidden_twins)
    CHECKS["check_imagine_covers_the_twins"](honest)
    twins = honest.model.hidden_twins
    type(world.model).hidden_twins = lambda self, state, seat: twins(state, seat)
    caught("check_imagine_covers_the_twins", world, "must expect")


def test_catches_events_that_the_traits_deny():
    def init(self):
        CoinsModel.__init__(self)
        self.traits = replace(self.traits, events=False)

    caught("check_events_tell_each_seat", world_with(__init__=init), "events")


# Fast paths


def test_catches_a_rollout_that_draws_in_another_order():
    def rollout(self, state, policy, limit, rng, trace=False):
        rng.bits()
        return CoinsModel.rollout(self, state, policy, limit, rng, trace)

    caught("check_rollout_agrees_with_fallback", world_with(rollout=rollout), "rollout from")


def test_catches_a_rollout_that_overspends_by_one():
    def rollout(self, state, policy, limit, rng, trace=False):
        result = CoinsModel.rollout(self, state, policy, limit, rng, trace)
        self.meter.take(1)
        return result

    caught("check_rollout_agrees_with_fallback", world_with(rollout=rollout), "calls is")


def test_catches_a_rollout_without_its_trace():
    def rollout(self, state, policy, limit, rng, trace=False):
        return CoinsModel.rollout(self, state, policy, limit, rng)

    world = world_with(rollout=rollout)
    caught("check_guided_rollout_agrees_with_fallback", world, "results is")


def test_catches_a_play_that_forks_its_streams_by_another_name():
    def play(self, state, sequences, rng):
        return CoinsModel.play(self, state, sequences, rng.fork("other"))

    caught("check_play_agrees_with_fallback", world_with(play=play), "play from")


def test_catches_a_step_many_that_does_not_settle():
    def step_many(self, states, actions, rng):
        pairs = zip(states, actions, strict=True)
        return [self.step(s, a, rng.fork("step", i)) for i, (s, a) in enumerate(pairs)]

    world = world_with(step_many=step_many)
    caught("check_step_many_agrees_with_fallback", world, "step_many")


def test_catches_a_rollout_that_plays_on_the_given_state():
    def rollout(self, state, policy, limit, rng, trace=False):
        result = CoinsModel.rollout(self, state, policy, limit, rng, trace)
        state.copy_from(result.state)
        return result

    world = world_with(rollout=rollout)
    caught("check_fast_paths_leave_their_states", world, "it started from")


# The world around the rules


def test_catches_a_parse_that_loses_a_field():
    def parse(self, text):
        state = CoinsWorld.parse(self, text)
        state.vane = 0
        return state

    caught("check_text_of_states_reads_back", mutant(parse=parse), "not the same state")


def test_catches_a_parse_that_accepts_anything():
    def parse(self, text):
        try:
            return CoinsWorld.parse(self, text)
        except InvalidState:
            return State()

    caught("check_parse_refuses_rubbish", mutant(parse=parse), "must raise InvalidState")


def test_catches_a_parse_that_crashes_on_rubbish():
    def parse(self, text):
        coins, said, vane = text.split(" ")
        return CoinsWorld.parse(self, f"{coins} {said} {vane}")

    caught("check_parse_refuses_rubbish", mutant(parse=parse), "ValueError")


def test_catches_actions_with_the_same_text():
    world = mutant(action_text=lambda self, action: "say")
    caught("check_action_texts_read_back", world, "same text")


def test_catches_an_action_text_that_reads_back_as_another_action():
    def parse_action(self, text, view):
        return view.legal[0]

    world = mutant(parse_action=parse_action)
    caught("check_action_texts_read_back", world, "reads back as")


def test_catches_choices_that_leave_an_action_out():
    world = mutant(choices=lambda self, view: CoinsWorld.choices(self, view)[1:])
    caught("check_people_can_play", world, "must be the legal actions")


def test_catches_colours_that_change_the_drawing():
    world = mutant(draw_in_colour=lambda self, state, seat=None: "another")
    caught("check_drawings_for_people", world, "must be that of draw")


def test_catches_outcomes_with_the_same_text():
    world = mutant(outcome_text=lambda self, outcome: outcome[0])
    caught("check_texts_of_outcomes_differ", world, "outcomes of chance")


def test_catches_a_real_game_that_plays_illegal_actions():
    world = mutant(step=lambda self, state, actions, rng: self.referee.step(state, actions, rng))
    caught("check_real_game_is_strict", world, "must raise")


def test_catches_a_codec_with_a_wrong_mask():
    class Wrong(FixedCodec):
        def mask(self, view):
            return np.ones(self.size, dtype=np.int8)

    caught("check_codec_numbers_the_legal_actions", mutant(codec=Wrong(SAYINGS)), "the mask")


def test_catches_a_codec_that_gives_back_another_action():
    class Wrong(FixedCodec):
        def action(self, view, index):
            return self.actions[0] if 0 <= index < self.size else super().action(view, index)

    world = mutant(codec=Wrong(SAYINGS))
    caught("check_codec_numbers_the_legal_actions", world, "another action")


@pytest.mark.parametrize(
    "array",
    [
        np.array([1.0, 2.0], dtype=np.float32),
        np.array([1.0, 2.0, 3.0]),
        np.array([1.0, 2.0, 99.0], dtype=np.float32),
        np.array([1.0, 2.0, np.nan], dtype=np.float32),
    ],
    ids=["shape", "dtype", "range", "nan"],
)
def test_catches_an_observation_that_breaks_its_spec(array):
    world = mutant(observation=lambda self, view: array.copy())
    caught("check_observation_keeps_its_spec", world, "an observation of")


class Inverted(PlainSensor):
    """Sees everything the other way round."""

    def observe(self, view):
        return 1 - self.world.observation(view)


def test_catches_a_sensor_that_does_not_agree_with_the_observation():
    world = mutant(
        sensor=lambda self, form=None: Inverted(self),
        observation_spec=property(lambda self: ArraySpec((2,), -9, 9, "float32")),
        observation=lambda self, view: np.array([0, 3], np.float32),
    )
    caught("check_observation_keeps_its_spec", world, "sensor of the first form")


def test_catches_an_observation_that_is_reused():
    shared = np.zeros(3, dtype=np.float32)
    world = mutant(observation=lambda self, view: shared)
    caught("check_observation_keeps_its_spec", world, "share memory")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"score": 99.0}, "tells a score of 99"),
        ({"legal": ("match",)}, "other choices"),
        ({"acts": ()}, "what it is to the grid"),
        ({"tiles": Tiles((), 2, 2, bytes(8))}, "eight bytes"),
        ({"tiles": Tiles((), 1, 1, b"\1" + bytes(7))}, "does not name"),
        ({"outcome": Outcome((0,), (1.0, -1.0), "so be it")}, "tells the end"),
    ],
)
def test_catches_a_grid_that_tells_something_else_than_the_view(change, words):
    class Gridded(CoinsView):
        def as_tiles(self):
            acts = tuple(Act(place) for place, _ in enumerate(self.legal))
            plain = TileView(self.seat, self.legal, Tiles((), 1, 1, bytes(8)), 0.0, None, acts)
            return replace(plain, **change)

    def view(self, state, seat):
        plain = CoinsModel.view(self, state, seat)
        return Gridded(*(getattr(plain, item.name) for item in fields(plain)))

    caught("check_tiles_tell_what_the_view_tells", world_with(view=view), words)


def test_catches_a_picture_that_is_not_xml():
    def draw(self, state, form="text"):
        return CoinsWorld.draw(self, state, form).replace("</text>", "")

    caught("check_pictures", mutant(draw=draw), "well-formed")


def test_catches_a_game_that_never_ends():
    def apply(self, state, actions, rng):
        CoinsModel._apply(self, state, actions, rng)
        state.said = state.said[-2:]

    caught("check_random_play_ends", world_with(_apply=apply), "is not over")


def test_catches_a_start_from_global_dice():
    world = mutant(start=lambda self, rng: State(vane=random.randrange(10**9)))
    caught("check_start_is_repeatable", world, "two starts")


def test_catches_a_fingerprint_that_leaves_something_out():
    world = mutant(fingerprint=lambda self, state: "always the same")
    caught("check_fingerprint_tells_states_apart", world, "fingerprint")


class HashOrder(CoinsWorld):
    """Two seats say whether their hidden coins match."""

    def fingerprint(self, state):
        return f"{hash(str(state)):x}"


def test_catches_a_fingerprint_that_depends_on_the_hash_seed():
    caught(STRUCTURAL, HashOrder(), "another process")


def test_catches_a_world_without_a_summary():
    world = mutant(__doc__="coins")
    caught("check_world_describes_itself", world, "summary")


def test_catches_a_world_with_more_seats_than_it_says():
    caught("check_world_describes_itself", mutant(players=(1, 1)), "seats")


@dataclass(frozen=True, kw_only=True)
class LossyOptions(CoinsWorld):
    """Two seats say whether their hidden coins match."""

    tricks: int = 3

    def changed(self):
        return {}


def test_catches_options_that_the_text_of_a_world_leaves_out():
    caught("check_text_of_world_reads_back", LossyOptions(tricks=4), "made from the options")
