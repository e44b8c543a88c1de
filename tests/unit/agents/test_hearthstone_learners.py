"""Players that learn more than Nora: corrections of the script, and values of actions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hearthstone_forest import one_test
from hearthstone_position import Game

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone._native import Chooser
from ludex.agents.hearthstone.apprentice import Apprentice
from ludex.agents.hearthstone.fitted_q import FittedQ
from ludex.agents.hearthstone.learning import improving, valuing
from ludex.agents.hearthstone.learning.forests import Arrays, refreshed
from ludex.agents.hearthstone.learning.iteration import IterationSettings, RecordedSteps, iterate
from ludex.agents.hearthstone.learning.samples import study_numbers
from ludex.agents.hearthstone.simulated import Simulated
from ludex.core.budget import Budget
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.rng import Rng
from ludex.testing import PLANNER_CHECKS
from ludex.worlds.hearthstone import Hearthstone, profiles
from ludex.worlds.hearthstone._native import State, pack, unpack

WORLD = Hearthstone()
MODEL = WORLD.model
NUMBERS = study_numbers(WORLD.tables)
STATE = 176


def test_an_action_is_described_with_what_a_fight_would_cost():
    game = Game(
        {"board": ["Magma Rager"]}, {"board": ["Chillwind Yeti"]}, tables=profiles.load("classic")
    )
    attack = _native.action_vector(game.model, game.state, pack(2, 0, 0, 10), NUMBERS)
    # 5/1 against 4/5: both fall, 9 points for 6.
    assert attack.tolist() == [2, 14, 1, 5, 0, 25, 5, 4, 0, 1, 1, 3]
    end = _native.action_vector(game.model, game.state, pack(0), NUMBERS)
    assert end.tolist() == [0, -1, -99, -99, 0, -1, -99, -99, -1, 0, 0, 0]


def test_a_valued_player_takes_the_action_of_highest_value():
    game = Game(
        {"hand": ["Fireball", "Chillwind Yeti"], "mana": 4},
        {"board": ["Wisp"]},
        tables=profiles.load("classic"),
    )
    # The first number of an action is its kind: 0 ends the turn, 1 plays.
    ends = one_test(STATE, 0, 1.0, 0.0)
    plays = one_test(STATE, 0, 0.0, 1.0)
    for forest, kind in ((ends, 0), (plays, 1)):
        chooser = Chooser.valued(game.model, forest, NUMBERS)
        assert unpack(_native.chosen(game.model, game.state, chooser, Rng(1)))[0] == kind


def test_a_forest_that_looks_beyond_the_row_is_refused():
    with pytest.raises(ValueError, match="too short"):
        Chooser.valued(MODEL, one_test(STATE + 12, 0, 1.0, 0.0), NUMBERS)


def test_a_corrected_player_departs_from_its_base_only_when_sure():
    state = WORLD.start(Rng(1))
    script = Chooser.scripted()
    usual = _native.chosen(MODEL, state, script, Rng(1))
    unsure = Chooser.corrected(MODEL, script, Arrays.constant(0.5).native(), NUMBERS, 0.6)
    assert _native.chosen(MODEL, state, unsure, Rng(1)) == usual
    game = Game({"hand": ["Chillwind Yeti"], "mana": 4}, tables=profiles.load("classic"))
    sure_of_ending = one_test(STATE, 0, 0.9, 0.1)
    sure = Chooser.corrected(game.model, script, sure_of_ending, NUMBERS, 0.6)
    assert unpack(_native.chosen(game.model, game.state, script, Rng(1)))[0] == 1
    assert unpack(_native.chosen(game.model, game.state, sure, Rng(1)))[0] == 0


def test_a_player_of_two_levels_does_what_the_first_level_says():
    game = Game(
        {"hand": ["Chillwind Yeti"], "board": ["Wisp"], "mana": 4},
        {"board": ["Magma Rager"]},
        tables=profiles.load("classic"),
    )
    nothing = Arrays.constant(0.0).native()
    nora = _native.Nora(game.model, nothing, nothing, nothing, NUMBERS)
    for asked, kind in (((1, 1.0, 0.0), 1), ((2, 0.0, 1.0), 0)):
        # Playing is level 1, attacking 2, ending 3.
        first = one_test(STATE, *asked)
        chosen = _native.chosen(game.model, game.state, Chooser.two_level(nora, first), Rng(1))
        assert unpack(chosen)[0] == kind


def test_steps_lead_from_one_decision_of_a_side_to_its_next():
    rows, rewards, following, ends = _native.transitions(
        MODEL, Chooser.scripted(0.3), "whole", NUMBERS, 1.0, 3, 0, 20
    )
    assert rows.shape == (len(rewards), STATE + 12)
    assert following.shape == (ends[-1], STATE + 12)
    counts = np.diff(np.concatenate([[0], ends]))
    # Both sides of each game end with a step that nothing follows, worth 1, -1 or 0.
    assert (counts == 0).sum() == 40
    last = rewards[counts == 0]
    assert (np.abs(last) > 0.5).sum() >= 36
    assert (counts[counts > 0] >= 2).all()
    # What is done next is one of the things that could be done.
    assert (np.abs(rewards[counts > 0]) <= 2).all()


def test_steps_do_not_depend_on_how_games_are_grouped():
    player = Chooser.scripted(0.3)
    whole = _native.transitions(MODEL, player, "attack", NUMBERS, 1.0, 3, 0, 10)
    parts = [
        _native.transitions(MODEL, player, "attack", NUMBERS, 1.0, 3, first, 5) for first in (0, 5)
    ]
    for column in range(3):
        joined = np.concatenate([part[column] for part in parts])
        assert (joined == whole[column]).all()


@pytest.mark.parametrize(("level", "width"), [("play", 177), ("attack", 185), ("meta", 177)])
def test_each_level_has_rows_of_its_own(level, width):
    rows, _, following, _ = _native.transitions(
        MODEL, Chooser.damped(), level, NUMBERS, 0.0, 1, 0, 3
    )
    assert rows.shape[1] == following.shape[1] == width
    if level == "meta":
        assert set(rows[:, -1]) <= {1, 2, 3}


def chain(length: int) -> tuple[RecordedSteps, list[float]]:
    """A walk on a line: right earns 1 at the end, left ends with 0; and its exact values at 0.9."""
    rows, rewards, following, ends = [], [], [], []
    for place in range(length):
        rows.append((place, 0))
        rewards.append(0.0)
        ends.append(len(following))
        rows.append((place, 1))
        last = place == length - 1
        rewards.append(1.0 if last else 0.0)
        if not last:
            following += [(place + 1, 0), (place + 1, 1)]
        ends.append(len(following))
    steps = RecordedSteps(
        np.array(rows, np.int16),
        np.array(rewards, np.float32),
        np.array(following, np.int16),
        np.array(ends, np.int64),
    )
    exact = [value for place in range(length) for value in (0.0, 0.9 ** (length - 1 - place))]
    return steps, exact


def test_values_of_a_small_walk_become_exact():
    pytest.importorskip("sklearn")
    steps, exact = chain(6)
    settings = IterationSettings(rounds=12, regrown=7, discount=0.9, trees=8, least=1, features=1.0)
    forest, moves = iterate(steps, settings)
    assert forest.native().predict(steps.rows) == pytest.approx(exact, abs=1e-5)
    assert moves[-1] == pytest.approx(0.0, abs=1e-6)


def test_changes_shrink_by_the_discount_while_trees_are_kept():
    pytest.importorskip("sklearn")
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 6, size=(300, 3)).astype(np.int16)
    following = rng.integers(0, 6, size=(600, 3)).astype(np.int16)
    rewards = rng.random(300).astype(np.float32)
    steps = RecordedSteps(rows, rewards, following, np.arange(2, 602, 2, dtype=np.int64))
    settings = IterationSettings(
        rounds=30, regrown=1, discount=0.8, trees=10, least=3, features=1.0
    )
    _, moves = iterate(steps, settings)
    kept = moves[2:]
    assert all(later <= 0.8 * earlier + 1e-6 for earlier, later in pairwise(kept))


def test_refreshed_leaves_hold_the_means_of_what_falls_into_them():
    forest = Arrays(
        np.array([0, -1, -1], np.int16),
        np.array([4, 0, 0], np.int16),
        np.array([2, 0, 1], np.int32),
        np.array([0.0, 0.0], np.float32),
        np.array([0], np.int32),
    )
    rows = np.array([[1], [2], [9]], np.int16)
    leaves = forest.native().leaves_of(rows)
    assert leaves.tolist() == [[0], [0], [1]]
    new = refreshed(forest, leaves, np.array([1.0, 2.0, 7.0]))
    assert new.leaves.tolist() == [1.5, 7.0]


def test_the_apprentice_learns_from_trials_and_plays(tmp_path):
    pytest.importorskip("sklearn")
    forest, judged = improving.learn(400, trees=3, seed=2)
    assert judged["rows"] > 10
    path = tmp_path / "apprentice.npz"
    improving.save(path, forest, judged)
    for check in PLANNER_CHECKS:
        check(Apprentice(file=str(path)), Hearthstone())


def test_trials_do_not_depend_on_how_they_are_grouped():
    script = Chooser.scripted()
    whole = _native.trials(MODEL, script, NUMBERS, 4, 0, 60)
    parts = [_native.trials(MODEL, script, NUMBERS, 4, first, 30) for first in (0, 30)]
    for column in range(2):
        assert (np.concatenate([part[column] for part in parts]) == whole[column]).all()
    assert whole[0].shape == (len(whole[1]), STATE + 24)


def test_too_few_trials_are_refused():
    with pytest.raises(BadParameter, match="too few to learn from"):
        improving.learn(10, trees=3, seed=2)


@pytest.mark.parametrize("levels", [False, True])
def test_values_are_learned_kept_and_played(tmp_path, levels):
    pytest.importorskip("sklearn")
    settings = IterationSettings(rounds=3, regrown=1, trees=3, least=5)
    values = valuing.Values(steps=300, levels=levels, samples=40, settings=settings)
    forests, moves = valuing.learn(values, lambda what, share: None)
    assert set(moves) == ({"play", "attack", "meta"} if levels else {"whole"})
    path = tmp_path / "values.npz"
    valuing.save(path, forests, values, moves)
    for check in PLANNER_CHECKS:
        check(FittedQ(file=str(path)), Hearthstone())


def test_a_player_without_a_file_says_how_to_get_one():
    state = WORLD.start(Rng(1))
    view = MODEL.view(state, state.active)
    with pytest.raises(Unsupported, match="ludex hearthstone iterate"):
        FittedQ().decide(MODEL, view, None, Rng(1))


def can_win_at_once(state: State) -> bool:
    """Whether an attack ends the game."""
    for action in MODEL.legal(state, state.active):
        after = MODEL.step(state, (action,), Rng(0))
        won = MODEL.over(after) and after.winner == state.active
        if won and MODEL.action_type(action) == "attack":
            return True
    return False


def test_simulations_win_in_the_turn_in_which_an_attack_wins():
    player, found = Chooser.simulated(Chooser.scripted(), 200), 0
    for seed in range(8):
        rng = Rng(seed)
        state = WORLD.start(rng)
        while not (MODEL.over(state) or can_win_at_once(state)):
            MODEL.advance(state, (_native.random_move(MODEL, state, rng),), rng)
        if MODEL.over(state):
            continue
        found += 1
        seat, turn = state.active, state.turn
        while not MODEL.over(state) and state.turn == turn:
            MODEL.advance(state, (_native.chosen(MODEL, state, player, rng),), rng)
        assert (MODEL.over(state), state.winner) == (True, seat)
    assert found >= 4


def test_simulations_are_not_played_by_simulations():
    player = Chooser.simulated(Chooser.random(), 3)
    with pytest.raises(ValueError, match="not played by simulations"):
        Chooser.simulated(player, 3)


def test_more_simulations_win_more():
    script = Chooser.scripted()
    few, many = (
        _native.matches(MODEL, Chooser.simulated(script, count), script, 1, 0, 60).count(1)
        for count in (2, 40)
    )
    assert many > few + 10


def test_hidden_cards_do_not_change_what_a_simulated_player_does():
    agent = Simulated(simulations=20)
    state = WORLD.start(Rng(5))
    view = MODEL.view(state, state.active)
    other = MODEL.imagine(view, Rng(9))
    assert other != state
    budget = Budget(iterations=1)
    one, two = (
        agent.decide(MODEL, MODEL.view(real, state.active), budget, Rng(3)).action
        for real in (state, other)
    )
    assert one == two
