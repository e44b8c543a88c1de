"""The native contract on a world made for it, beside the same world in plain Python.

The world is built the way any new one is: its folder is put beside the others, and nothing else
is touched. It has several seats at once, listed and sampled chance, and no optional function.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ludex.core import Meter, Outcome, PlainState, Rng, Traits
from ludex.core.errors import BadParameter, BudgetSpent
from ludex.core.native_model import OpenNativeModel
from ludex.core.python_model import PythonModel

REPOSITORY = Path(__file__).parents[2]
HOME, ROUNDS = 12, 8
TRAITS = Traits(seats=3, max_legal=3, simultaneous=True, chance="mixed")

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("native_contract")]


@pytest.fixture(scope="session")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root = tmp_path_factory.mktemp("trial")
    source = root / "source"
    shutil.copytree(REPOSITORY / "cmake", source / "cmake")
    shutil.copy(REPOSITORY / "CMakeLists.txt", source)
    core = "src/ludex/core/native"
    shutil.copytree(REPOSITORY / core, source / core)
    shutil.copytree(REPOSITORY / "tests/native/trial", source / "src/ludex/worlds/trial")
    tools = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    nanobind = subprocess.run(
        [sys.executable, "-m", "nanobind", "--cmake_dir"], capture_output=True, text=True
    )
    configure = ["cmake", "-G", "Ninja", "-S", source, "-B", root / "build", "-DSKBUILD=ON"]
    configure += [
        f"-DPython_EXECUTABLE={sys.executable}",
        f"-Dnanobind_DIR={nanobind.stdout.strip()}",
    ]
    build = ["cmake", "--build", root / "build", "--target", "ludex_trial_native"]
    for command in (configure, build):
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
    file = next((root / "build" / "modules" / "trial").glob("_native*.so"))
    spec = importlib.util.spec_from_file_location("_native", file)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="session")
def native(module: Any) -> Any:
    class TrialModel(OpenNativeModel, module.Model):  # type: ignore[misc, name-defined]
        traits = TRAITS

        def __init__(self) -> None:
            super().__init__()
            self.note = "kept"

        def outcome(self, state: Any) -> Outcome | None:
            if not self.over(state):
                return None
            return Outcome((), tuple(self.return_of(state, seat) for seat in range(3)), "end")

    return TrialModel()


@dataclass(slots=True, unsafe_hash=True)
class SlowState(PlainState):
    place: tuple[int, ...] = (0, 0, 0)
    tired: tuple[bool, ...] = (False, False, False)
    round: int = 0
    weather_pending: bool = True

    def __str__(self) -> str:
        tired = "".join("t" if one else "-" for one in self.tired)
        mark = "?" if self.weather_pending else "."
        return f"{' '.join(map(str, self.place))} {tired} {self.round} {mark}"


class SlowTrial(PythonModel):
    traits = TRAITS

    def to_act(self, state: SlowState) -> tuple[int, ...]:
        if state.weather_pending or self.over(state):
            return ()
        return tuple(seat for seat in range(3) if state.place[seat] < HOME)

    def legal(self, state: SlowState, seat: int) -> list[int]:
        if seat not in self.to_act(state):
            return []
        return [1, 2] if state.tired[seat] else [1, 2, 3]

    def _apply(self, state: SlowState, actions: tuple[int, ...], rng: Rng) -> None:
        place, tired = list(state.place), list(state.tired)
        for seat, steps in zip(self.to_act(state), actions, strict=True):
            stumbles = rng.below(4) == 0
            place[seat] = min(place[seat] + steps - stumbles, HOME)
            tired[seat] = steps == 3
        state.place, state.tired = tuple(place), tuple(tired)
        state.round += 1
        state.weather_pending = not self.over(state)

    def chance(self, state: SlowState) -> list[tuple[int, float]]:
        return [(0, 1 / 2), (1, 1 / 3), (2, 1 / 6)] if state.weather_pending else []

    def _resolve(self, state: SlowState, outcome: Any) -> None:
        state.weather_pending = outcome == 2
        if outcome:
            state.place = tuple(p - 1 if 0 < p < HOME else p for p in state.place)

    def outcome(self, state: SlowState) -> Outcome | None:
        if state.round < ROUNDS and any(place < HOME for place in state.place):
            return None
        return Outcome((), tuple(float(place == HOME) for place in state.place), "end")

    def score(self, state: SlowState, seat: int) -> float:
        return float(state.place[seat])


slow = SlowTrial()


def counts(meter: Meter) -> tuple[int, int, int, int]:
    return meter.calls, meter.copies, meter.replaced, meter.ignored


def facts(result: Any) -> tuple[Any, ...]:
    return str(result.state), result.ticks, result.scores, result.returns, result.cut


def answer(call: Any) -> Any:
    try:
        return call()
    except BudgetSpent:
        return BudgetSpent


def ask_both(native: Any, start: Any, budget: int | None, call: Any) -> list[Any]:
    """Ask both models the same with meters armed alike; what they count must agree."""
    answers: list[Any] = []
    meters: list[Any] = []
    for model, state in ((native, start), (slow, SlowState())):
        twin = model.metered(Meter())
        twin.meter.arm(model_calls=budget)
        answers.append(answer(lambda twin=twin, state=state: call(twin, state)))
        meters.append(counts(twin.meter))
    assert meters[0] == meters[1]
    return answers


def test_both_list_the_same_chance(native: Any, module: Any):
    assert list(native.chance(module.State())) == slow.chance(SlowState())
    assert native.to_act(module.State()) == ()
    settled = native.resolve(module.State(), 0)
    assert native.chance(settled) == ()
    assert native.to_act(settled) == (0, 1, 2)


@pytest.mark.parametrize("outcome", [3, -1, 2**70])
def test_an_outcome_that_is_not_pending_is_refused(native: Any, module: Any, outcome: int):
    with pytest.raises(BadParameter, match="not pending"):
        native.resolve(module.State(), outcome)


@pytest.mark.parametrize("seed", range(20))
def test_settling_draws_the_same_outcomes(native: Any, module: Any, seed: int):
    one, other = module.State(), SlowState()
    rngs = Rng(seed), Rng(seed)
    assert native.settle(one, rngs[0]) == slow.settle(other, rngs[1])
    assert str(one) == str(other)
    assert rngs[0] == rngs[1]


@pytest.mark.parametrize("seed", range(30))
def test_rollouts_agree_draw_for_draw(native: Any, module: Any, seed: int):
    def call(model: Any, state: Any) -> Any:
        rng = Rng(seed)
        return (*facts(model.rollout(state, "uniform", 100, rng)), rng.text)

    a, b = ask_both(native, module.State(), None, call)
    assert a == b


@pytest.mark.parametrize("budget", range(10))
@pytest.mark.parametrize("limit", [1, 5, 100])
def test_rollouts_agree_when_the_budget_cuts_them(
    native: Any, module: Any, budget: int, limit: int
):
    rngs: list[str] = []

    def call(model: Any, state: Any) -> Any:
        rng = Rng(7)
        try:
            return facts(model.rollout(state, "uniform", limit, rng))
        finally:
            rngs.append(rng.text)

    a, b = ask_both(native, module.State(), budget, call)
    assert a == b
    assert rngs[0] == rngs[1]


ROUGH: list[tuple[Any, ...]] = [
    (1, 2, 3),
    (3, 3, 3),
    (3, 3, 3),
    (0, None, 9),
    (1,),
    (),
    (2, 2),
    (1, 1, 1),
    (3, 2, 1),
]


WHOLE = [(*row, *(None,) * (3 - len(row))) for row in ROUGH]


@pytest.mark.parametrize("budget", [*range(26), None])
def test_playing_sequences_agrees_for_every_budget(native: Any, module: Any, budget: int | None):
    sequences = [ROUGH, ROUGH[::-1], [], ROUGH[:3]]

    def call(model: Any, state: Any) -> Any:
        return [facts(result) for result in model.play(state, sequences, Rng(3))]

    a, b = ask_both(native, module.State(), budget, call)
    assert a == b


@pytest.mark.parametrize("budget", [*range(11), None])
def test_stepping_many_agrees_for_every_budget(native: Any, module: Any, budget: int | None):
    def call(model: Any, state: Any) -> Any:
        settled = model.resolve(state, 0)
        states = [state, *[settled] * 9]
        return [str(after) for after in model.step_many(states, [(1, 1, 1), *WHOLE], Rng(4))]

    a, b = ask_both(native, module.State(), budget, call)
    assert a == b


def test_without_a_rule_of_its_own_the_default_is_the_first_legal_action(native: Any, module: Any):
    assert native.default_action(native.resolve(module.State(), 0), 2) == 1


def test_without_a_short_key_the_bytes_of_the_state_are_its_key(native: Any, module: Any):
    one = native.resolve(module.State(), 0)
    assert native.key(one) == native.key(one.copy())
    assert native.key(one) != native.key(module.State())


def test_a_metered_twin_keeps_the_attributes_of_its_python_class(native: Any):
    twin = native.metered(Meter())
    assert twin.note == "kept"
    assert type(twin) is type(native)
    assert twin.meter is not native.meter


def test_a_state_of_another_world_is_refused(native: Any):
    with pytest.raises(TypeError):
        native.to_act(SlowState())


def test_states_survive_a_pickle_within_their_module(module: Any, native: Any):
    state = native.resolve(module.State(), 1)
    sys.modules["_native"] = module
    try:
        assert pickle.loads(pickle.dumps(state)) == state
    finally:
        del sys.modules["_native"]


@pytest.mark.parametrize("metric", ["tick", "copy_tick", "copy", "rollout_tick"])
def test_any_native_world_can_be_timed(native: Any, metric: str):
    assert native.bench(metric, 0.001) > 0
