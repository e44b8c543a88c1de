"""Macro-actions that are sequences, and options, on corridors worked by hand."""

from __future__ import annotations

import pytest
from small_models import Maze

from ludex.agents.compose import named_agent
from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import BadParameter, BrokenAgent, Unsupported
from ludex.core.option import Option
from ludex.planners.macro_mcts import ChoiceSearch, MacroMcts

# Twelve steps to the right; nothing is scored on the way.
CORRIDOR = Maze("###############", "#S           G#", "###############")
# Six right, then four up: the corner is where an option along the wall ends.
CORNER = Maze(
    "#########",
    "#      G#",
    "#      .#",
    "#      .#",
    "#      .#",
    "#S      #",
    "#########",
)
ACTIONS = ("up", "left", "down", "right")


def along(word):
    """Walk on until a wall is ahead or the goal is reached."""
    from small_models import STEPS

    dx, dy = STEPS[word]

    def blocked(model, state, seat, ticks=0):
        return model.letter(state.x + dx, state.y + dy) == "#"

    return Option(
        word,
        lambda model, state, seat, rng: word,
        blocked,
        begins=lambda model, state, seat: not blocked(model, state, seat),
    )


def walls(model, state, seat):
    return [along(word) for word in ACTIONS]


def forever(model, state, seat):
    return [Option("on", lambda m, s, one, rng: "right", lambda *given: False)]


def played(planner, maze, ticks, iterations=20, seed=1):
    """The decisions of a mind, until the goal or for so many ticks; and whether it got there."""
    model, rng = maze.metered(Meter()), Rng(seed)
    state = maze.find("S")
    mind = planner.start(model, model.view(state, 0), Budget(iterations=iterations), rng)
    made = []
    while len(made) < ticks and not maze.over(state):
        view = model.view(state, 0)
        made.append(mind.decide(view, Budget(iterations=iterations), rng.fork("d", len(made))))
        model.advance(state, (made[-1].action,), rng)
    return made, maze.over(state)


def search_of(planner, maze, seed=1):
    model = maze.metered(Meter())
    memory = planner.fresh_memory()
    return ChoiceSearch(planner, memory, model, model.view(maze.find("S"), 0), Rng(seed))


# What they are good for


def test_sequences_reach_a_goal_that_single_actions_with_as_much_budget_do_not():
    # Three macro-actions of four steps see the goal; three single steps do not.
    macros = MacroMcts(macros="right-right-right-right;left-left", singles=False, rollout_depth=3)
    singles = MacroMcts(repeat=1, rollout_depth=3)
    for seed in range(5):
        assert played(macros, CORRIDOR, 12, seed=seed)[1]
        assert not played(singles, CORRIDOR, 12, seed=seed)[1]


def test_options_reach_a_goal_that_single_actions_with_as_much_budget_do_not():
    # Right to the wall and up to the goal: two options, ten ticks.
    options = MacroMcts(options=walls, singles=False, rollout_depth=2)
    for seed in range(5):
        made, won = played(options, CORNER, 10, seed=seed)
        assert won
        first, second = [one.notes["choice"] for one in made if one.notes["ticks"] == 1]
        assert {first, second} == {"right", "up"}
        assert not played(MacroMcts(repeat=1, rollout_depth=2), CORNER, 10, seed=seed)[1]


# Semi-Markov steps


def test_a_sequence_lasts_as_long_as_it_is_and_the_next_is_planned_meanwhile():
    planner = MacroMcts(macros="right-right-right-right;left-left", singles=False, rollout_depth=3)
    made, _ = played(planner, CORRIDOR, 12, iterations=10)
    assert [one.action for one in made] == ["right"] * 12
    assert [one.notes["ticks"] for one in made] == [1, 2, 3, 4] * 3
    assert all(one.iterations == 10 for one in made)
    # The tree of the next has grown for three decisions when its own comes: 10, then 40 visits.
    sizes = [one.notes["tree_size"] for one in made]
    assert sizes[1] <= sizes[2] <= sizes[3] <= sizes[4]


def test_the_tree_of_the_next_choice_has_the_simulations_of_all_decisions_on_the_way():
    planner = MacroMcts(macros="right-right-right-right", rollout_depth=2)
    model, rng = CORRIDOR.metered(Meter()), Rng(3)
    state, budget = CORRIDOR.find("S"), Budget(iterations=10)
    mind = planner.start(model, model.view(state, 0), budget, rng)
    while True:
        decision = mind.decide(model.view(state, 0), budget, rng)
        model.advance(state, (decision.action,), rng)
        lasts = len(mind.memory.course.choice.actions)
        if decision.notes["ticks"] == lasts and lasts > 1:
            break
    # All decisions but the one that chose it.
    assert mind.memory.root.total == 10 * (lasts - 1)


@pytest.mark.parametrize(
    ("choice", "ticks", "cell"),
    [("right", 6, (7, 5)), ("up", 4, (1, 1)), ("left", 0, None), ("down", 0, None)],
)
def test_an_option_lasts_until_it_ends(choice, ticks, cell):
    # From S, the wall is six steps to the right and four up; at once to the left and below.
    search = search_of(MacroMcts(options=walls, singles=False), CORNER)
    names = {str(one): one for one in search.choices(search.start)}
    if not ticks:
        assert choice not in names
        return
    state = search.start.copy()
    search.began()
    search.move(state, names[choice])
    assert (search.ticks, (state.x, state.y)) == (ticks, cell)


def test_an_option_that_never_ends_is_cut():
    planner = MacroMcts(options=forever, singles=False, option_limit=5, rollout_depth=2)
    search = search_of(planner, CORRIDOR)
    state = search.start.copy()
    search.move(state, search.choices(state)[0])
    assert (search.ticks, state.x) == (5, 6)
    made, won = played(planner, CORRIDOR, 12)
    assert [one.notes["ticks"] for one in made] == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2]
    assert won


def test_a_later_result_counts_less_by_the_ticks_that_it_takes():
    planner = MacroMcts(macros="right-right-right", discount=0.5, singles=False, rollout_depth=4)
    search = search_of(planner, CORRIDOR)
    search.run(Budget(iterations=1))
    # Four sequences of three steps reach the goal at tick 12: 1 * 0.5^12.
    assert search.high == pytest.approx(0.5**12)
    even = search_of(planner.clone(discount=1.0), CORRIDOR)
    even.run(Budget(iterations=1))
    assert even.high == 1.0


def test_the_end_of_the_game_ends_what_is_in_progress():
    planner = MacroMcts(macros="-".join(["right"] * 20), singles=False, rollout_depth=1)
    search = search_of(planner, CORRIDOR)
    search.run(Budget(iterations=1))
    assert search.model.meter.calls == 12


def test_single_actions_can_be_chosen_beside_them_or_not():
    names = [str(one) for one in search_of(MacroMcts(options=walls), CORNER).first_choices()]
    assert names == ["up", "right", "upx3", "leftx3", "downx3", "rightx3"]
    alone = search_of(MacroMcts(options=walls, singles=False), CORNER).first_choices()
    assert [str(one) for one in alone] == ["up", "right"]
    # Where none of them can begin, single actions are what is left.
    stuck = MacroMcts(options=lambda *given: [], singles=False, repeat=2)
    assert len(search_of(stuck, CORNER).first_choices()) == 4


def test_a_choice_ends_where_the_game_takes_another_turn():
    planner = MacroMcts(macros="right-right-right", singles=False)
    model, budget = CORRIDOR.metered(Meter()), Budget(iterations=5)
    mind = planner.start(model, model.view(CORRIDOR.find("S"), 0), budget, Rng(1))
    mind.decide(model.view(CORRIDOR.find("S"), 0), budget, Rng(1))
    mind.memory.course.ticks = 3  # as if all of it had been played
    assert mind.decide(model.view(CORRIDOR.find("S"), 0), budget, Rng(2)).notes["ticks"] == 1


# By name, in video games and in files


def test_words_name_actions_by_their_direction_and_type():
    world = registry.world("vgdl/zelda")
    model = world.model.metered(Meter())
    view = model.view(world.start(Rng(1)), 0)
    planner = named_agent("macro_mcts(macros=up-up-left;right-down;use-use;wait,singles=no)")
    search = ChoiceSearch(planner, planner.fresh_memory(), model, view, Rng(1))
    actions = {one.name: one.actions for one in search.first_choices()}
    up, left, down, right = (
        next(one for one in view.legal if model.heading(one) == step)
        for step in ((0, -1), (-1, 0), (0, 1), (1, 0))
    )
    assert actions["up-up-left"] == (up, up, left)
    assert actions["right-down"] == (right, down)
    assert [model.action_type(one) for one in actions["use-use"]] == ["use", "use"]
    assert [model.action_type(one) for one in actions["wait"]] == ["wait"]


OPTIONS = """
from ludex.core.option import Option

def options(model, state, seat):
    return [Option("up", policy, ends)]

def policy(model, state, seat, rng):
    return 1

def ends(model, state, seat, ticks):
    return {ends}
"""


def decision(text, world="vgdl/zelda"):
    made = registry.world(world)
    model = made.model.metered(Meter())
    view = model.view(made.start(Rng(1)), 0)
    return named_agent(text).decide(model, view, Budget(iterations=10), Rng(1))


def test_options_come_from_a_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(OPTIONS.format(ends="ticks == 2"))
    made = decision(f"macro_mcts(options={path}:options,singles=no)")
    assert made.notes["choice"] == "up"
    assert made.action == 1


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (OPTIONS.format(ends="1 / 0"), "mine.py:11: option 'up' fails: ZeroDivisionError"),
        (OPTIONS.replace("return 1", "return 99"), "option up begins with 99, which is not legal"),
        ("def options(model, state, seat): return 3", "mine.py:1: options must return a list of l"),
        ("def options(model, state): return []", "must be callable as options(model, state, seat"),
    ],
)
def test_what_is_wrong_with_options_is_one_sentence(tmp_path, code, words):
    path = tmp_path / "mine.py"
    path.write_text(code.replace("{ends}", "True"))
    with pytest.raises((BrokenAgent, BadParameter)) as error:
        decision(f"macro_mcts(options={path}:options,singles=no)")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("macros", "words"),
    [
        ("up-jump", "no action here is named 'jump', as in macros; use "),
        ("upp", "did you mean 'up'"),
        ("move-up", "'move' in macros names 4 actions here; use "),
    ],
)
def test_words_that_name_no_action_are_refused(macros, words):
    with pytest.raises(Unsupported) as error:
        decision(f"macro_mcts(macros={macros})")
    assert words in str(error.value)
    world = registry.world("vgdl/zelda")
    view = world.model.view(world.start(Rng(1)), 0)
    planner = MacroMcts(macros=macros)
    with pytest.raises(Unsupported):  # before the first move, too
        planner.start(world.model, view, Budget(iterations=1), Rng(1))


@pytest.mark.parametrize("macros", ["up--up", ";", "up;;up", "-".join(["up"] * 1001)])
def test_macro_actions_are_words_joined_by_dashes(macros):
    with pytest.raises(BadParameter, match=r"empty word|at most 1000 actions"):
        MacroMcts(macros=macros)


def test_a_budget_of_calls_is_kept():
    planner = MacroMcts(options=walls, macros="right-right;up-up")
    model = CORNER.metered(Meter())
    for calls in (1, 7, 100):
        budget = Budget(model_calls=calls)
        made = planner.decide(model, model.view(CORNER.find("S"), 0), budget, Rng(1))
        assert made.model_calls <= calls
        assert made.action in ACTIONS
