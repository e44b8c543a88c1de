"""What is not of a model's rules is refused in one sentence, and nothing crashes the process."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from folders import HELPERS

from ludex.core import registry
from ludex.core.errors import (
    BadParameter,
    ForeignState,
    IllegalAction,
    InvalidState,
    LudexError,
    NoSuchSeat,
)
from ludex.core.rng import Meter, Rng
from ludex.core.world import World
from ludex.testing.checks.borders import questions

ALL = (
    "nim",
    "pig",
    "kuhn_poker",
    "goofspiel",
    "parley",
    "life",
    "sokoban",
    "connect_four",
    "catan",
    "hearthstone",
    "vgdl/aliens",
)
NATIVE = ("connect_four", "catan", "hearthstone", "vgdl/aliens", "vgdl/zelda")
KIN = (
    ("nim", "nim[heaps=1-2-3-4]"),
    ("nim", "nim[misere=yes]"),
    ("pig", "pig[seats=3]"),
    ("pig", "pig[target=50]"),
    ("goofspiel", "goofspiel[cards=5]"),
    ("life", "life[width=5]"),
    ("sokoban", "sokoban[limit=7]"),
    ("catan", "catan[seats=3]"),
    ("catan", "catan[trades=none]"),
    ("catan", "catan[points=8]"),
    ("catan", "catan[view=open]"),
    ("hearthstone", "hearthstone[actions=staged]"),
    ("hearthstone", "hearthstone[mulligan=yes]"),
    ("vgdl/aliens", "vgdl/aliens[level=1]"),
    ("vgdl/aliens", "vgdl/sokoban"),
)
"""pairs of worlds whose states are of one class"""


def middle_of(world: World, ticks: int = 12, seed: int = 3) -> Any:
    """A state from the middle of a game."""
    model, rng = world.model, Rng(seed)
    state = world.start(rng)
    model.settle(state, rng)
    for _ in range(ticks):
        if not model.to_act(state):
            break
        before = state.copy()
        joint = tuple(rng.choice(list(model.legal(state, seat))) for seat in model.to_act(state))
        model.advance(state, joint, rng)
        model.settle(state, rng)
        if not model.to_act(state):
            return before
    return state


def everything(world: World, state: Any) -> list[str]:
    """Ask a model all that can be asked of a state; the names of what answered."""
    answered = []
    for name, ask in questions(world.model.metered(Meter()), state):
        try:
            ask()
        except ForeignState:
            continue
        answered.append(name)
    return answered


@pytest.mark.parametrize("name", ALL)
def test_no_model_answers_for_a_state_of_another_world(name: str) -> None:
    world = registry.world(name)
    for other in ALL:
        if other != name:
            assert everything(world, middle_of(registry.world(other))) == [], other


@pytest.mark.parametrize(("one", "other"), [pair for kin in KIN for pair in permutations(kin)])
def test_no_model_answers_for_a_state_of_other_options(one: str, other: str) -> None:
    state = middle_of(registry.world(other))
    assert everything(registry.world(one), state) == []


@pytest.mark.parametrize("name", ALL)
def test_a_world_made_again_takes_the_states_of_its_twin(name: str) -> None:
    world = registry.world(name)
    twin = type(world)(**world.changed())
    state = middle_of(world)
    assert twin.model is not world.model
    assert twin.model.to_act(state) == world.model.to_act(state)
    travelled = pickle.loads(pickle.dumps(state))
    assert travelled == state
    assert twin.model.to_act(travelled) == world.model.to_act(state)
    assert world.model.to_act(world.parse(str(state))) == world.model.to_act(state)


def test_rules_that_vary_the_offers_play_the_states_of_their_game() -> None:
    world = registry.world("catan")
    state = middle_of(world)
    for varied in (world.model.without_trades(), world.model.with_exchanges()):
        assert varied.to_act(state) == world.model.to_act(state)
        assert pickle.loads(pickle.dumps(varied)).to_act(state) == world.model.to_act(state)


@pytest.mark.parametrize("name", ALL)
def test_no_world_draws_the_state_of_another(name: str) -> None:
    world = registry.world(name)
    for other in ("nim", "connect_four", "catan"):
        if other != name:
            with pytest.raises(ForeignState):
                world.draw(middle_of(registry.world(other)))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("seat", [-1, 99, 2**63, -(2**70), None, "0", 0.0])
def test_a_seat_that_there_is_not_is_named_in_the_error(name: str, seat: Any) -> None:
    world = registry.world(name)
    state = middle_of(world)
    for ask in (world.model.view, world.model.legal, world.model.score):
        with pytest.raises(NoSuchSeat, match="seat"):
            ask(state, seat)


def test_the_view_of_a_third_seat_does_not_crash_hearthstone() -> None:
    world = registry.world("hearthstone")
    with pytest.raises(NoSuchSeat, match="seats are 0 to 1, got 2"):
        world.model.view(middle_of(world), 2)


def test_seats_of_numpy_are_seats() -> None:
    for name in ("catan", "nim"):
        world = registry.world(name)
        state = middle_of(world)
        assert world.model.legal(state, np.int64(0)) == world.model.legal(state, 0)


@pytest.mark.parametrize("name", ALL)
def test_a_joint_action_has_one_action_for_each_seat_that_acts(name: str) -> None:
    world = registry.world(name)
    state = middle_of(world)
    acting = len(world.model.to_act(state))
    for wrong in ((), (None,) * (acting + 1)):
        with pytest.raises(IllegalAction, match="act"):
            world.model.step(state, wrong, Rng(0))
    with pytest.raises(BadParameter, match="tuple"):
        world.model.step(state, [None] * acting, Rng(0))  # type: ignore[arg-type]  # on purpose
    # Actions that are none are replaced, as ever.
    for strange in (-1, 2**70, None, object(), "no action"):
        world.model.step(state, (strange,) * acting, Rng(0))


def test_an_outcome_that_is_not_pending_is_refused() -> None:
    for name, outcome in (("catan", 99), ("pig", 7), ("kuhn_poker", "XX"), ("connect_four", 0)):
        world = registry.world(name)
        with pytest.raises(BadParameter, match="not pending"):
            world.model.resolve(world.start(Rng(0)), outcome)


def test_a_list_that_changes_while_it_is_read_does_no_harm() -> None:
    """An action may be an object whose code runs when it is read."""
    model = registry.world("connect_four").model
    opening: list[Any] = []

    class Emptying:
        def __index__(self) -> int:
            opening.clear()
            return 3

    opening += [(Emptying(),), (3,), (3,)]
    state = registry.world("connect_four").start(Rng(0))
    assert model.rollout(state, "uniform", 2, Rng(0), opening=opening).ticks <= 5


def test_a_vgdl_observer_refuses_states_and_types_of_other_levels() -> None:
    world = registry.world("vgdl/aliens")
    other = middle_of(registry.world("vgdl/sokoban"))
    observer = world.model.scene.observer
    with pytest.raises(ForeignState):
        observer.sights(other, 0)
    with pytest.raises(BadParameter):
        observer.is_hidden(10_000, 0)
    with pytest.raises(NoSuchSeat):
        observer.sights(middle_of(world), 7)
    for ask in (world.model.level.sprites, world.model.level.facts, world.model.level.counts):
        with pytest.raises(ForeignState):
            ask(other)


def test_whole_actions_of_hearthstone_must_be_legal() -> None:
    world = registry.world("hearthstone[actions=flat]")
    state = middle_of(world)
    for action in (7 << 15, 0xFFFFFFFF, 15 << 11):
        with pytest.raises(IllegalAction):
            world.model.apply_flat(state, action, Rng(0))


# Bytes from outside


@pytest.mark.parametrize("name", NATIVE)
def test_damaged_pickles_are_one_clear_error(name: str) -> None:
    state = middle_of(registry.world(name))
    whole = state.__getstate__()
    rng = Rng(5)
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[rng.below(len(damaged))] ^= 1 << rng.below(8)
        with pytest.raises(InvalidState):
            type(state).__new__(type(state)).__setstate__(bytes(damaged))
    for shortened in (b"", whole[:7], whole[:-1], whole + b"x"):
        with pytest.raises(InvalidState):
            type(state).__new__(type(state)).__setstate__(shortened)


@pytest.mark.parametrize("name", [*NATIVE, "catan[view=open]", "hearthstone[actions=staged]"])
def test_bytes_made_to_pass_do_not_crash_the_process(name: str) -> None:
    """With a checksum that fits, every number in a state is still looked at."""
    done = subprocess.run(
        [sys.executable, str(HELPERS / "forged_states.py"), name, "400"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    tried, admitted = map(int, done.stdout.split())
    assert tried == 400
    assert 0 < admitted < tried


def test_a_view_of_catan_that_was_forged_is_refused() -> None:
    world = registry.world("catan")
    view = world.model.view(middle_of(world, 60), 0)
    again = pickle.loads(pickle.dumps(view))
    assert again == view
    assert hash(again) == hash(view)
    assert world.model.view(world.model.imagine(again, Rng(1)), 0) == view
    other = registry.world("catan[seats=3]").model
    with pytest.raises(LudexError):
        other.imagine(again, Rng(1))


# Threads


@pytest.mark.parametrize("name", ["vgdl/aliens", "vgdl/zelda", "catan", "hearthstone"])
def test_threads_that_share_a_model_get_what_one_gets(name: str) -> None:
    world = registry.world(name)
    meter = Meter()
    model = world.model.metered(meter)
    start = world.start(Rng(1))

    def played(thread: int) -> list[Any]:
        return [
            model.rollout(start.copy(), "uniform", 2000, Rng(thread).fork(number)).state
            for number in range(12)
        ]

    alone = [played(thread) for thread in range(4)]
    calls = meter.calls
    meter.arm()
    together: dict[int, list[Any]] = {}
    threads = [
        threading.Thread(target=lambda n=n: together.update({n: played(n)})) for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[thread] for thread in range(4)] == alone
    assert meter.calls == calls


def test_a_budget_of_calls_holds_for_all_threads_together() -> None:
    world = registry.world("vgdl/aliens")
    meter = Meter()
    model = world.model.metered(meter)
    start = world.start(Rng(1))
    meter.arm(model_calls=5000)
    ticks: list[int] = []

    def spend() -> None:
        while not meter.spent:
            try:
                ticks.append(model.rollout(start.copy(), "uniform", 1000, Rng(2)).ticks)
            except Exception:
                return

    threads = [threading.Thread(target=spend) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(ticks) == meter.calls <= 5000


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_longest_lists_of_catan_fit_their_buffers(players):
    world = registry.world(f"catan[trades=free,seats={players}]")
    longest = 0
    for seed in range(6):
        state = world.model.rollout(world.start(Rng(seed)), "uniform", 400, Rng(seed)).state
        longest = max(longest, *(len(world.model.legal(state, seat)) for seat in range(players)))
    assert longest <= world.traits.max_legal


def test_hearthstone_imagines_nothing_from_views_of_other_cards():
    one, other = registry.world("hearthstone"), registry.world("hearthstone[cards=competition]")
    view = one.model.view(one.start(Rng(0)), 0)
    assert one.model.imagine(view, Rng(1)) is not None
    assert one.model.imagine(pickle.loads(pickle.dumps(view)), Rng(1)) is not None
    with pytest.raises(ForeignState, match="a view of other rules"):
        other.model.imagine(view, Rng(1))


@pytest.mark.parametrize("name", ALL)
def test_a_model_is_no_state_of_itself(name):
    model: Any = registry.world(name).model
    with pytest.raises(ForeignState):
        model.to_act(model)


def test_errors_show_nothing_that_a_terminal_obeys():
    class Seat:
        def __repr__(self) -> str:
            return "\x1b[31m\nseat"

    for name in ("nim", "connect_four"):
        world = registry.world(name)
        given: Any = Seat()
        with pytest.raises(NoSuchSeat) as caught:
            world.model.score(world.start(Rng(0)), given)
        assert str(caught.value).isprintable()
