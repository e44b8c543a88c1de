"""Breadth-first, best-first, A*, iterated width and beam search, on mazes worked by hand."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from folders import REPOSITORY
from hypothesis import given
from hypothesis import strategies as st
from small_models import KEEN, KIND, Chosen, Lock, Maze, Scored, Typed, ask, walk

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import BudgetSpent
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.state import PlainState
from ludex.core.traits import Traits
from ludex.planners.a_star import AStar
from ludex.planners.beam import Beam
from ludex.planners.best_first import BestFirst
from ludex.planners.breadth_first import BreadthFirst
from ludex.planners.iterated_width import MOST_FACTS, IteratedWidth, Known
from ludex.planners.parts.forward import (
    ForwardMemory,
    ForwardPlanner,
    ForwardSearch,
    GuidedPlanner,
)

ALL = [BreadthFirst(), BestFirst(), AStar(), IteratedWidth(), Beam()]
PLENTY = Budget(iterations=100_000)

ROOM = Maze("#######", "#S    #", "#     #", "#     #", "#     #", "#     #", "#######")
# The straight way ends in a pocket; around it, it is 10 steps.
POCKET = Maze(
    "#########",
    "#       #",
    "# ##### #",
    "#S    #G#",
    "# ##### #",
    "#       #",
    "#########",
)
# The way along the top comes nearer to the goal, but ends in a wall.
LURE = Maze(
    "###########",
    "#   #     #",
    "# # # ### #",
    "#S# # # # #",
    "# # # # #G#",
    "# ### ### #",
    "#         #",
    "###########",
)


def steps(decisions):
    return [decision.action for decision in decisions]


@pytest.mark.parametrize("planner", [BreadthFirst(), AStar(), IteratedWidth()])
def test_the_shortest_way_out_of_a_pocket_is_found(planner):
    # Up or down twice, right six times, back twice: 10 steps.
    assert len(walk(planner, POCKET, POCKET.find("S"), PLENTY)) == 10


@pytest.mark.parametrize("planner", ALL)
def test_every_search_reaches_the_goal(planner):
    made = walk(planner, POCKET, POCKET.find("S"), PLENTY)
    assert len(made) < 60
    assert made[0].notes["plan"] == len(made)


@pytest.mark.parametrize("planner", ALL)
def test_a_plan_that_wins_is_followed_without_another_call(planner):
    first, *later = walk(planner, POCKET, POCKET.find("S"), PLENTY)
    assert first.model_calls > 0
    assert [decision.model_calls for decision in later] == [0] * len(later)


def test_a_plan_is_dropped_when_the_game_does_not_go_as_foreseen():
    model = POCKET.metered(Meter())
    start = POCKET.find("S")
    mind = BreadthFirst().start(model, model.view(start, 0), PLENTY, Rng(0))
    mind.decide(model.view(start, 0), PLENTY, Rng(0))
    decision = mind.decide(model.view(start, 0), PLENTY, Rng(0))  # we did not move
    assert decision.model_calls > 0
    assert decision.notes["plan"] == 10


def test_breadth_first_expands_every_state_once():
    decision = ask(BreadthFirst(), ROOM, ROOM.find("S"), PLENTY)
    assert decision.iterations == 25
    assert decision.model_calls == 25 * 4
    assert decision.notes["complete"]
    assert decision.depth == 8  # the far corner


def test_without_pruning_the_same_work_reaches_less_far():
    corridor = Maze("#" * 40, "#S" + " " * 37 + "#", "#" * 40)
    budget = Budget(iterations=30)
    pruned = ask(BreadthFirst(), corridor, corridor.find("S"), budget)
    unpruned = ask(BreadthFirst(prune=False), corridor, corridor.find("S"), budget)
    assert pruned.depth == 30
    assert unpruned.depth == 4  # 1 + 4 + 16 nodes come first, and 9 of the third layer


@dataclass(slots=True, unsafe_hash=True)
class Place(PlainState):
    """A place on a road, and what was earned on the way."""

    place: int = 0
    score: float = 0.0


class Road(PythonModel):
    """Two ways lead from each place to the next, and one of them is paid."""

    def __init__(self):
        super().__init__()
        self.traits = Traits(seats=1, max_legal=2)

    def to_act(self, state):
        return (0,) if state.place < 5 else ()

    def legal(self, state, seat):
        return ("free", "paid") if self.to_act(state) else ()

    def _apply(self, state, actions, rng):
        state.place += 1
        state.score += actions[0] == "paid"

    def outcome(self, state) -> Outcome | None:
        return None if state.place < 5 else Outcome((), (0.0,), "arrived")

    def score(self, state, seat):
        return state.score


def test_a_state_reached_again_counts_only_with_a_higher_gain():
    for seed in range(10):
        planner = BreadthFirst(value="score")
        decision = ask(planner, Road(), Place(), Budget(iterations=40), seed)
        assert decision.action == "paid"
        assert decision.values["paid"] == 4.0  # the end takes the huge sum of a loss
        assert decision.iterations <= 1 + 2 + 3 + 4 + 5 + 6


def test_the_penalty_for_coming_back_keeps_a_short_sighted_search_walking():
    corridor = Maze("########", "#S    G#", "########")
    near_sighted = Budget(iterations=1)
    assert len(walk(BreadthFirst(), corridor, corridor.find("S"), near_sighted)) == 5
    lost = walk(BreadthFirst(revisit_penalty=0.0), corridor, corridor.find("S"), near_sighted)
    assert len(lost) > 5


def test_a_gain_is_discounted_by_its_depth_and_less_its_penalties():
    # Scores 0, 1, 3 along `ab`: with value=score and discount 1/2 the gain is 1 + 2/2 = 2.
    model = Scored({"a": 1.0, "ab": 3.0, "b": 0.0}, "ab", 2)
    decision = ask(
        BreadthFirst(value="score", discount=0.5),
        Endless(model),
        Typed(),
        Budget(iterations=3),
    )
    assert decision.values == {"a": pytest.approx(2.0), "b": pytest.approx(0.0)}


class Endless(PythonModel):
    """A table of scores whose game does not end."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.traits = inner.traits

    def to_act(self, state):
        return (0,)

    def legal(self, state, seat):
        return tuple(self.inner.keys)

    def _apply(self, state, actions, rng):
        state.keys += actions[0]

    def outcome(self, state):
        return None

    def score(self, state, seat):
        return self.inner.score(state, seat)


def test_a_star_finds_the_shortest_way_where_greed_does_not():
    greedy = walk(BestFirst(), LURE, LURE.find("S"), PLENTY)
    shortest = walk(AStar(), LURE, LURE.find("S"), PLENTY)
    breadth = walk(BreadthFirst(), LURE, LURE.find("S"), PLENTY)
    assert len(shortest) == len(breadth) == 13  # 3 down, 8 right, 2 up
    assert len(greedy) >= len(shortest)


@pytest.mark.parametrize("maze", [ROOM, POCKET, LURE])
def test_a_star_agrees_with_breadth_first_from_every_cell(maze):
    if maze is ROOM:
        maze = Maze(*ROOM.rows[:5], "#    G#", ROOM.rows[6])
    for y, row in enumerate(maze.rows):
        for x, letter in enumerate(row):
            if letter in "#G":
                continue
            state = type(maze.find("G"))(x, y)
            found = ask(AStar(), maze, state, PLENTY).notes.get("plan")
            assert found == ask(BreadthFirst(), maze, state, PLENTY).notes.get("plan")


def test_the_guess_saves_a_star_most_of_the_work():
    open_room = Maze(
        "#" * 22, "#" + " " * 10 + "S" + " " * 8 + "G#", *["#" + " " * 20 + "#"] * 9, "#" * 22
    )
    led = ask(AStar(), open_room, open_room.find("S"), PLENTY)
    blind = ask(AStar(weight=0.0), open_room, open_room.find("S"), PLENTY)
    assert led.notes["plan"] == blind.notes["plan"] == 9
    assert led.iterations == 9
    assert blind.iterations > 50


@dataclass(slots=True, unsafe_hash=True)
class Pair(PlainState):
    """Two counters."""

    first: int = 0
    second: int = 0


class Counters(PythonModel):
    """One seat counts either of two counters up, to at most 3."""

    def __init__(self):
        super().__init__()
        self.traits = Traits(seats=1, max_legal=2)

    def to_act(self, state):
        return (0,)

    def legal(self, state, seat):
        return ("first", "second")

    def _apply(self, state, actions, rng):
        setattr(state, actions[0], min(3, getattr(state, actions[0]) + 1))

    def outcome(self, state) -> Outcome | None:
        return None

    def score(self, state, seat):
        return 0.0


def expanded(planner, model, state) -> list:
    """The states that a search expands, in order."""
    seen = []

    class Watching(type(planner)):
        def explore(self, search):
            inner = search.expand

            def expand(node):
                seen.append((node.state.first, node.state.second))
                return inner(node)

            search.expand = expand
            super().explore(search)

    ask(Watching(**vars(planner)), model, state, PLENTY)
    return seen


def test_width_one_drops_exactly_the_states_without_a_new_fact():
    # A state is new by a counter that shows what it never showed. Where both are above 0, each
    # value was seen before on its axis, since the axes are reached first.
    axes = {(n, 0) for n in range(4)} | {(0, n) for n in range(4)}
    found = expanded(IteratedWidth(width=1), Counters(), Pair())
    assert set(found) == axes
    assert len(found) == len(axes)


def test_width_two_drops_no_pair_of_counters():
    found = expanded(IteratedWidth(least_width=2), Counters(), Pair())
    assert set(found) == {(one, two) for one in range(4) for two in range(4)}
    assert len(found) == 16


def test_the_second_width_follows_where_the_first_finds_no_win():
    decision = ask(IteratedWidth(), Counters(), Pair(), PLENTY)
    assert decision.iterations == 7 + 16
    assert decision.notes["complete"]


def pairs_of(facts) -> set:
    return {frozenset((one, other)) for one in facts for other in facts}


@given(st.lists(st.frozensets(st.integers(0, 7)), min_size=1, max_size=12))
def test_states_have_a_new_pair_as_by_a_list_of_all_pairs(states):
    first, *others = states
    known, listed, before = Known(first, 2), pairs_of(first), first
    for facts in others:
        # Only what the state before lacked is fresh: its own pairs were listed.
        assert known.grows(facts, facts - before) == bool(pairs_of(facts) - listed)
        listed |= pairs_of(facts)
        before = facts


def test_the_pairs_of_the_first_state_are_not_listed():
    # With 358 facts, as in a GVGAI level, 64,261 pairs took longer than a decision may.
    known = Known(frozenset(range(358)), 2)
    assert not known.grows(set(range(358)), set(range(358)))
    assert not known.pairs


def test_before_the_pairs_of_each_fact_there_is_a_look_at_the_clock():
    known, looks = Known(frozenset("ab"), 2), []
    known.grows(set("abcde"), set("cde"), lambda: looks.append(len(known.pairs)))
    # c has five pairs, then d and e four and three that are new, in whatever order they come.
    assert looks == [0, 5, 9]


def test_pairs_end_with_the_facts_that_there_is_room_for():
    narrow, wide = (Known(frozenset(range(MOST_FACTS)), width) for width in (1, 2))
    assert narrow.grows({-1}, {-1})
    with pytest.raises(BudgetSpent):
        wide.grows({-1}, {-1})


def begun(model, state, budget) -> ForwardSearch:
    """A search that has looked at nothing but its root, and has this budget."""
    metered = model.metered(Meter())
    budget.arm(metered.meter)
    search = ForwardSearch(Beam(), metered, metered.view(state, 0), ForwardMemory(), Rng(1))
    search.is_timed = budget.time_ms is not None
    return search


def test_all_that_can_be_played_now_counts_for_the_answer():
    # Both counters stand still, so that no state is new.
    decision = ask(BreadthFirst(), Counters(), Pair(3, 3), PLENTY)
    assert decision.visits == {"first": 1, "second": 1}
    assert decision.notes["complete"]


def test_a_search_that_left_children_out_is_not_complete():
    # Both counters stand still. With one call one of them is looked at, and nothing is left to do.
    partly, wholly = (
        ask(BreadthFirst(), Counters(), Pair(3, 3), Budget(model_calls=calls)) for calls in (1, 2)
    )
    assert "complete" not in partly.notes
    assert wholly.notes["complete"]


def test_a_search_is_late_by_its_clock_and_never_by_its_calls():
    counted = begun(Counters(), Pair(), Budget(model_calls=2))
    assert len(list(counted.expand(counted.root))) == 2
    assert counted.model.meter.spent
    counted.look_at_clock()
    timed = begun(Counters(), Pair(), Budget(time_ms=1e-6))
    with pytest.raises(BudgetSpent):
        timed.look_at_clock()


def test_a_narrow_beam_follows_the_bait_and_a_wide_one_does_not():
    # `a` scores at once, but all that is worth having lies behind `b`.
    model = Scored({"a": 1.0, "aa": 1.0, "ab": 1.0, "bb": 9.0}, "ab", 2)
    narrow = ask(Beam(width=1, widen=False), model, Typed(), PLENTY)
    wide = ask(Beam(width=2, widen=False), model, Typed(), PLENTY)
    assert (narrow.action, wide.action) == ("a", "b")


def test_a_beam_that_reached_its_depth_begins_again_with_twice_the_width():
    model = Scored({"a": 1.0, "aa": 1.0, "ab": 1.0, "bb": 9.0}, "ab", 2)
    assert ask(Beam(width=1), model, Typed(), PLENTY).action == "b"


def test_a_beam_keeps_no_more_than_its_width_of_a_layer():
    model = Lock("-" * 9, "abc")
    decision = ask(Beam(width=4, widen=False, max_depth=6), model, Typed(), PLENTY)
    assert decision.iterations == 1 + 3 + 4 + 4 + 4 + 4


@pytest.mark.parametrize("planner", [BreadthFirst, BestFirst, AStar, Beam])
def test_the_expected_opponent_decides_between_daring_and_safe(planner):
    budget = Budget(iterations=50)
    for model, same in ((KEEN, "b"), (KIND, "a")):
        chosen = {
            name: {
                ask(planner(opponent=name), model, Chosen(), budget, seed).action
                for seed in range(5)
            }
            for name in ("same", "pessimistic")
        }
        assert chosen == {"same": {same}, "pessimistic": {"b"}}


def test_a_pessimist_blocks_the_winning_move_of_the_other_seat():
    world = registry.world("connect_four")
    state = world.parse("dacada")  # seat 1 has three in column a
    for seed in range(5):
        planner = BreadthFirst(opponent="pessimistic")
        decision = ask(planner, world.model, state, Budget(iterations=8), seed)
        assert world.action_text(decision.action) == "a"


SOKOBAN = REPOSITORY / "src/ludex/worlds/vgdl/games/sokoban/game.txt"
LEVELS = {
    # Walk one step, push twice.
    "wwwwwww\nwA.b.ow\nwwwwwww\n": 3,
    # Push left twice.
    "wwwwwww\nwo.bA.w\nw.....w\nwwwwwww\n": 2,
    # Walk around the barrel: two steps right, one up; push twice.
    "wwwwwww\nwo.b..w\nw.A...w\nwwwwwww\n": 5,
    # It must be pushed from above: two steps up, two right; push twice.
    "wwwwww\nw....w\nw..b.w\nwA...w\nw..o.w\nwwwwww\n": 6,
}


@pytest.mark.parametrize(("level", "shortest"), LEVELS.items())
@pytest.mark.parametrize("planner", [BreadthFirst(), AStar()])
def test_shortest_plans_of_sokoban_are_found_and_played(planner, level, shortest, tmp_path):
    (tmp_path / "sokoban.txt").write_text(SOKOBAN.read_text())
    (tmp_path / "sokoban_lvl0.txt").write_text(level)
    world = registry.load("worlds", "vgdl")(game=str(tmp_path / "sokoban.txt"))
    made = walk(planner, world.model, world.start(Rng(0)), PLENTY)
    assert len(made) == shortest
    assert made[0].notes["plan"] == shortest


def test_every_forward_search_is_tried_here():
    own = [*ForwardPlanner.__subclasses__(), *GuidedPlanner.__subclasses__()]
    known = {one for one in own if "test" not in one.__module__}
    assert {type(planner) for planner in ALL} == known - {GuidedPlanner}
