"""Rolling horizons: evolution, hill climbing and random search, with every addition."""

from __future__ import annotations

import itertools
from collections import Counter
from math import inf

import pytest
from small_models import KEEN, KIND, Chosen, Lock, Maze, Typed, ask

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import BadParameter, BudgetSpent
from ludex.core.traits import Traits
from ludex.planners.open_loop_mcts import OpenLoopMcts
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.breeding import CROSSOVERS, mutate_each, mutate_one, tournament
from ludex.planners.parts.dynamic_length import DynamicLength, LengthRule
from ludex.planners.parts.gene_bandits import GeneBandits
from ludex.planners.parts.seeding import seed
from ludex.planners.parts.sequence_tree import SequenceTree
from ludex.planners.parts.sequences import Alphabet, Stage, Valuation
from ludex.planners.random_search import RandomSearch
from ludex.planners.rhea import Evolution, Kept, Rhea, RheaMemory, one_arm
from ludex.planners.rhea_reference import RheaReference
from ludex.planners.rmhc import Rmhc

CODE = "cabdacbdabcd"
LOCK = Lock(CODE)
LONG = Lock("a" * 500, ends=False)  # never over


def best(decision):
    return max(decision.values.values())


def genes(text):
    return list(text)


# The engine: sequences on a stage


def stage_of(model, state, length, seat=0, **budget):
    metered = model.metered(Meter())
    metered.meter.arm(**budget)
    valuation = Valuation.after(length, "score", 10.0, 0, None)
    return Stage(metered, metered.view(state, seat), length, valuation, Rng(1))


def played(stage, genome, seat=0):
    """What the end of a sequence is worth to its seat."""
    return stage.play(seat, genome, stage.alphabets_of(seat), {})[seat]


def test_a_sequence_is_played_as_it_stands():
    stage = stage_of(Lock(CODE, ends=False), Typed(), len(CODE))
    genome = genes(CODE)
    assert [played(stage, genome), played(stage, genes("a" * 12))] == [12.0, 3.0]
    assert genome == genes(CODE)
    assert stage.deepest == 12


def test_a_play_that_the_budget_cuts_short_is_no_result():
    stage = stage_of(LONG, Typed(), 10, model_calls=25)
    assert [played(stage, genes("a" * 10)) for _ in range(2)] == [10.0, 10.0]
    with pytest.raises(BudgetSpent):
        played(stage, genes("a" * 10))


def test_a_gene_that_is_not_legal_where_it_is_reached_is_replaced_by_one_that_is():
    world = registry.world("nim[heaps=1-2-2]")
    stage = stage_of(world.model, world.start(Rng(0)), 3)
    take_all = list(world.model.legal(world.start(Rng(0)), 0))[-1]
    replaced = set()
    for _ in range(20):
        genome = [take_all] * 3
        played(stage, genome)
        assert genome[0] == take_all
        replaced.add(genome[1])
    assert len(replaced) > 1
    assert {move.heap for move in replaced} <= {0, 1}  # the last heap is gone


def test_a_gene_that_nobody_has_drawn_is_drawn_where_it_is_reached():
    world = registry.world("connect_four")
    stage = stage_of(world.model, world.start(Rng(0)), 4)
    alphabets = stage.alphabets_of(0)
    assert [alphabet.genes for alphabet in alphabets] == [list(range(7)), [], [], []]
    genome = [3, None, None, None]
    stage.play(0, genome, alphabets, {})
    assert genome[0] == 3
    assert None not in genome
    assert all(len(alphabet.genes) >= 6 for alphabet in alphabets)


def test_chance_falls_otherwise_in_every_play():
    world = registry.world("vgdl/aliens")
    stage = stage_of(world.model, world.start(Rng(0)), 40)
    states = []
    for _ in range(20):
        states.append(stage.states.draw())
        stage.follow(states[-1], 0, [0] * 40, stage.alphabets_of(0), {})
    assert len({str(state) for state in states}) > 16


# Breeding


def test_uniform_crossover_takes_each_gene_from_either_parent_as_often():
    rng = Rng(3)
    length = 70  # more than one draw of coins
    mothers, fathers = genes("m" * length), genes("f" * length)
    children = [CROSSOVERS["uniform"](mothers, fathers, rng) for _ in range(2000)]
    counts = [sum(child[place] == "m" for child in children) for place in range(length)]
    assert all(880 < count < 1120 for count in counts)  # 5.4 standard deviations
    pairs = sum(child[0] == child[69] for child in children)
    assert 880 < pairs < 1120  # and independently


def test_one_point_crossover_joins_a_beginning_and_an_end():
    rng = Rng(3)
    texts = {
        "".join(gene for gene in CROSSOVERS["one_point"](genes("mmmm"), genes("ffff"), rng))
        for _ in range(100)
    }
    assert texts == {"ffff", "mfff", "mmff", "mmmf"}


def test_the_better_of_two_wins_a_tournament():
    # Of the 9 pairs of 3 places, 5 hold place 0, and 3 of the rest place 1.
    rng = Rng(1)
    found = Counter(tournament(3, 2, rng) for _ in range(9000))
    assert found[0] == pytest.approx(5000, abs=200)  # 4.2 standard deviations
    assert found[1] == pytest.approx(3000, abs=200)
    large = Counter(tournament(10_000, 3, rng) < 5000 for _ in range(800))
    assert 660 < large[True] < 740  # 7/8 of 800, within 4.3 standard deviations


def test_one_gene_or_each_by_its_rate_is_redrawn():
    rng = Rng(2)
    alphabets = [Alphabet("xyz")] * 10
    changed = []
    for _ in range(600):
        genome = genes("a" * 10)
        mutate_one(genome, alphabets, rng)
        changed.append(sum(gene != "a" for gene in genome))
    assert set(changed) == {1}
    total = 0
    for _ in range(600):
        genome = genes("a" * 10)
        mutate_each(genome, alphabets, 0.3, rng)
        total += sum(gene != "a" for gene in genome)
    assert 1650 < total < 1950  # 1,800, within 4.2 standard deviations


# Evolution


def test_with_a_population_as_large_as_the_budget_it_is_random_search():
    for seed_ in range(5):
        one = ask(Rhea(population=40, length=12), LOCK, Typed(), Budget(iterations=40), seed_)
        two = ask(RandomSearch(length=12), LOCK, Typed(), Budget(iterations=40), seed_)
        assert one.action == two.action
        assert one.visits == two.visits
        assert one.values == two.values


@pytest.mark.parametrize("planner", [Rhea(length=12), Rmhc(length=12)])
def test_evolution_opens_a_lock_that_random_search_does_not(planner):
    # A random sequence has all 12 keys right once in 16 million; at best 8 are expected here.
    for seed_ in range(3):
        evolved = ask(planner, LOCK, Typed(), Budget(iterations=1500), seed_)
        drawn = ask(RandomSearch(length=12), LOCK, Typed(), Budget(iterations=1500), seed_)
        assert best(evolved) == 12.0
        assert evolved.action == CODE[0]
        assert best(drawn) < 12.0


SETTINGS = [
    {"population": population, "elite": elite, "mutation": mutation, "crossover": crossover}
    for population, elite, mutation, crossover in itertools.product(
        (1, 6), (1, 2), ("one", "each", "bandit"), ("uniform", "one_point", "none")
    )
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_elite_is_never_lost(settings):
    # The same seed makes the same beginning, so more budget can only add to the best.
    planner = Rhea(length=12, **settings)
    bests = [best(ask(planner, LOCK, Typed(), Budget(iterations=n), 4)) for n in (6, 9, 17, 40)]
    assert bests == sorted(bests)
    run = ask(planner, LOCK, Typed(), Budget(iterations=40), 4)
    assert run.action in [action for action, value in run.values.items() if value == bests[-1]]


def test_every_evaluation_costs_its_ticks():
    decision = ask(Rhea(length=7), LONG, Typed(), Budget(iterations=33))
    assert decision.iterations == sum(decision.visits.values()) == 33
    assert decision.model_calls == 33 * 7
    assert decision.depth == 7


def test_one_individual_gives_way_to_a_better_mutant_alone():
    assert Rmhc() == Rmhc(population=1)
    decision = ask(Rmhc(length=3), Lock("aaa", "a"), Typed(), Budget(iterations=5))
    assert decision.notes == {"forced": True}


# The additions


def begun(memory, state, length):
    """The remembered sequences as the next decision begins with them."""
    model = LOCK.metered(Meter())
    run = Evolution(Rhea(), model, model.view(state, 0), length, memory, Rng(1))
    return [run.first_genome(run.own, place) for place in range(len(memory.kept.genomes))]


def test_the_shift_buffer_drops_the_first_action_and_keeps_the_length():
    memory = RheaMemory(Rhea(shift_buffer=True))
    memory.kept = Kept([genes("abcdabcd"), genes("bbbbbbbb")], None)
    memory.shift(Rhea(shift_buffer=True), "a")
    taken = begun(memory, Typed("a"), 8)
    assert [genome[:7] for genome in taken] == [genes("bcdabcd"), genes("bbbbbbb")]
    assert {len(genome) for genome in taken} == {8}
    assert all(gene in genes("abcd") for genome in taken for gene in genome)


def test_a_shifted_first_action_that_is_no_longer_legal_is_redrawn():
    memory = RheaMemory(Rhea(shift_buffer=True))
    memory.kept = Kept([genes("xaaa")], None)
    assert begun(memory, Typed(), 4)[0][0] in genes("abcd")


def test_shifted_sequences_are_cut_or_padded_to_another_length():
    memory = RheaMemory(Rhea(shift_buffer=True))
    memory.kept = Kept([genes("abcd")], None)
    assert begun(memory, Typed(), 2) == [genes("ab")]
    assert len(begun(memory, Typed(), 9)[0]) == 9


def decide_twice(planner, second):
    """The second decision of a mind that had plenty for the first one."""
    model = LOCK.metered(Meter())
    mind = planner.start(model, model.view(Typed(), 0), second, Rng(0))
    mind.decide(model.view(Typed(), 0), Budget(iterations=1500), Rng(0))
    return mind.decide(model.view(Typed(CODE[0]), 0), second, Rng(1))


def test_with_the_shift_buffer_the_next_decision_begins_where_the_last_one_ended():
    budget = Budget(iterations=10)  # the first population and no more
    assert best(decide_twice(Rhea(length=12, shift_buffer=True), budget)) == 12.0
    assert best(decide_twice(Rhea(length=12), budget)) < 12.0


def test_the_statistical_tree_counts_every_evaluation():
    tree = SequenceTree()
    tree.insert(genes("ab"), 1.0)
    tree.insert(genes("ac"), 0.0)
    tree.insert(["b", None], 0.5)
    assert (tree.root.visits, tree.root.total, tree.size) == (3, 1.5, 5)
    assert tree.firsts() == {"a": (2, 0.5), "b": (1, 0.5)}
    assert tree.after("a").firsts() == {"b": (1, 1.0), "c": (1, 0.0)}
    assert (tree.after("a").size, tree.after("b").firsts(), tree.after("c")) == (3, {}, None)


def test_a_full_statistical_tree_goes_on_with_what_it_has(monkeypatch):
    monkeypatch.setattr("ludex.planners.parts.sequence_tree.MOST_NODES", 3)
    tree = SequenceTree()
    for keys in ("abc", "abe", "x"):
        tree.insert(genes(keys), 1.0)
    assert (tree.size, tree.root.visits, tree.firsts()) == (3, 3, {"a": (2, 1.0)})


def test_the_statistical_tree_overrules_a_lucky_sequence():
    # Only "dddd" is worth 1, and all that begin with a are worth 0.9: the best sequence says d,
    # the means say a (d's is below 0.1), and a bonus of d cannot make up for it after so many.
    scores = {
        keys: 0.9 for keys in map("".join, itertools.product("abcd", repeat=4)) if keys[0] == "a"
    }
    model = Table(scores | {"dddd": 1.0})
    budget = Budget(iterations=256)
    plain = Rhea(population=256, length=4)
    assert {ask(plain, model, Typed(), budget, s).action for s in range(40)} == {"a", "d"}
    tree = Rhea(population=256, length=4, statistical_tree=True)
    assert {ask(tree, model, Typed(), budget, s).action for s in range(40)} == {"a"}


class Table(Lock):
    """Four keys, and a table that says what they are worth."""

    def __init__(self, scores):
        super().__init__("----")
        self.scores = scores

    def score(self, state, seat):
        return self.scores.get(state.keys, 0.0)


def test_the_tree_is_shifted_with_the_population():
    planner = Rhea(length=12, shift_buffer=True, statistical_tree=True)
    memory = RheaMemory(planner)
    tree = SequenceTree()
    tree.insert(genes("ab"), 1.0)
    memory.kept = Kept([genes("ab")], tree)
    memory.shift(planner, "a")
    assert list(memory.kept.tree.firsts()) == ["b"]
    assert memory.kept.genomes == [genes("b")]
    memory.shift(planner, "x")
    assert memory.kept.tree is None
    memory.shift(Rhea(), "x")
    assert memory.kept is None


def test_rollouts_after_the_sequence_cost_calls_and_are_averaged():
    planner = Rhea(length=6, rollouts=5)
    decision = ask(planner, LONG, Typed(), Budget(iterations=12))
    assert decision.model_calls == 12 * (6 + 5 * 3)  # half the length each
    other = Rhea(length=6, rollouts=2, rollout_length=10)
    assert ask(other, LONG, Typed(), Budget(iterations=12)).model_calls == 12 * (6 + 2 * 10)


def test_rollouts_see_what_lies_behind_the_sequence():
    # The point is made by the fourth key, and sequences of two see none of it.
    model = Table(
        {keys: 1.0 for keys in map("".join, itertools.product("abcd", repeat=4)) if keys[0] == "c"}
    )
    blind = [ask(Rhea(length=2), model, Typed(), Budget(iterations=60), s).action for s in range(6)]
    seeing = Rhea(length=2, rollouts=5, rollout_length=2)
    assert {ask(seeing, model, Typed(), Budget(iterations=60), s).action for s in range(6)} == {"c"}
    assert set(blind) != {"c"}


def test_the_bandits_of_genes_converge_on_the_change_that_pays():
    # Gene c in place 2 is worth 1, anything else nothing.
    alphabets = [Alphabet("abcd") for _ in range(5)]
    bandits, rng = GeneBandits(alphabets), Rng(1)
    for _ in range(400):
        arms = bandits.choose(rng)
        bandits.learn(arms, float(bandits.change(arms) == (2, "c")))
    outer = dict(zip(bandits.places.actions, bandits.places.visits, strict=True))
    inner = dict(zip(bandits.genes[2].actions, bandits.genes[2].visits, strict=True))
    assert max(outer, key=outer.get) == 2
    assert outer[2] > 200
    assert max(inner, key=inner.get) == "c"
    assert inner["c"] > 0.7 * outer[2]


def test_bandits_learn_of_genes_that_are_found_later():
    alphabets = [Alphabet("a"), Alphabet()]
    bandits, rng = GeneBandits(alphabets), Rng(1)
    for _ in range(20):
        bandits.learn(bandits.choose(rng), 0.0)
    alphabets[1].learn("xy")
    for _ in range(20):
        bandits.learn(bandits.choose(rng), 0.0)
    assert {"x", "y"} <= set(bandits.genes[1].actions)


def test_bandit_mutation_takes_back_what_made_it_worse():
    decision = ask(Rmhc(length=12, mutation="bandit"), LOCK, Typed(), Budget(iterations=900), 1)
    assert best(decision) == 12.0


def observe(horizon, values):
    """Take in what one decision saw."""
    arm = one_arm()
    for value in values:
        arm.record(0, value)
    horizon.observe_arms(arm, min(values, default=inf), max(values, default=-inf))


@pytest.mark.parametrize(
    ("values", "length"),
    [
        ((), 10),  # nothing seen yet: as it was
        ((0.5, 0.5), 15),  # flat
        ((0.0, 1.0), 5),  # 0.5 > 0.4
        ((0.0, 0.2, 0.4, 0.6, 0.8, 1.0), 10),  # 0.34 lies between
    ],
)
def test_the_length_follows_the_flatness_of_the_landscape(values, length):
    horizon = DynamicLength(10)
    observe(horizon, values)
    assert horizon.next_length() == length


def test_flatness_is_measured_against_all_values_of_the_game():
    horizon = DynamicLength(10)
    observe(horizon, (0.0, 100.0))
    observe(horizon, (50.0, 51.0))  # differs by 1 of 100: 0.005 is flat
    assert horizon.flatness == pytest.approx(0.005)
    assert horizon.next_length() == 15


def test_the_length_changes_every_fifteenth_decision_within_its_bounds():
    horizon = DynamicLength(10)
    observe(horizon, (0.5, 0.5))
    assert [horizon.next_length() for _ in range(31)] == [15] * 15 + [20] * 15 + [25]
    for _ in range(1000):
        longest = horizon.next_length()
    assert longest == 150
    observe(horizon, (0.0, 1.0))
    for _ in range(1000):
        shortest = horizon.next_length()
    assert shortest == 5


def test_when_and_how_far_the_length_changes_can_be_told():
    # Every second decision; 0.1 from the mean is flat below 0.2, and 0.4 is rough above 0.3.
    rule = LengthRule(period=2, flat=0.2, rough=0.3, step=3, least=4, most=9)
    horizon = DynamicLength(6, rule)
    assert horizon.flatness == 0.2  # nothing seen yet: just what changes nothing
    observe(horizon, (0.0, 1.0))  # the range of the game
    observe(horizon, (0.4, 0.6))
    assert [horizon.next_length() for _ in range(5)] == [9, 9, 9, 9, 9]  # 6 + 3, then at most 9
    observe(horizon, (0.1, 0.9))
    assert [horizon.next_length() for _ in range(5)] == [9, 6, 6, 4, 4]  # at least 4
    observe(horizon, (0.25, 0.75))  # 0.25 lies between
    assert [horizon.next_length() for _ in range(3)] == [4, 4, 4]


def test_the_rule_of_the_length_is_a_parameter_of_rhea():
    planner = Rhea(
        length=10,
        dynamic_length=True,
        length_period=2,
        length_step=7,
        most_length=20,
        length_flat=0.1,
    )
    assert planner.length_rule == LengthRule(period=2, flat=0.1, step=7, most=20)
    assert Rhea().length_rule == LengthRule()
    flat = Maze("#" * 40, "#S" + " " * 36 + "G#", "#" * 40)
    model = flat.metered(Meter())
    view, budget = model.view(flat.find("S"), 0), Budget(iterations=20)
    mind = planner.start(model, view, budget, Rng(0))
    lengths = [mind.decide(view, budget, Rng(n)).notes["length"] for n in range(6)]
    assert lengths == [10, 10, 17, 17, 20, 20]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"seed_share": 0.0}, "seed_share must be a number from 0.05 to 0.95"),
        ({"seed_share": 1.0}, "seed_share must be a number from 0.05 to 0.95"),
        ({"seed_mutation": 1.5}, "seed_mutation must be a number or none from 0 to 1"),
        ({"length_period": 0}, "length_period must be a whole number >= 1"),
        ({"most_length": 2000}, "most_length must be a whole number from 1 to 1000"),
        ({"length_flat": 0.5, "length_rough": 0.4}, "raise length_rough"),
        ({"least_length": 20, "most_length": 10}, "raise most_length"),
    ],
)
def test_limits_of_seeding_and_of_the_length_are_told(settings, words):
    with pytest.raises(BadParameter, match=words):
        Rhea(**settings)


def test_a_flat_game_makes_sequences_longer():
    planner = Rhea(length=10, dynamic_length=True)
    flat = Maze("#" * 40, "#S" + " " * 36 + "G#", "#" * 40)
    model = flat.metered(Meter())
    view = model.view(flat.find("S"), 0)
    budget = Budget(iterations=20)
    mind = planner.start(model, view, budget, Rng(0))
    lengths = [mind.decide(view, budget, Rng(n)).notes["length"] for n in range(31)]
    assert (lengths[0], lengths[15], lengths[30]) == (10, 15, 20)


def test_a_bandit_of_several_arms_tells_the_same_flatness_as_one_of_all_values():
    values = {"a": [0.1, 0.9, 0.4], "b": [0.0, 1.0], "c": [0.7]}
    bandit = Bandit(0, ())
    for action, seen in values.items():
        place = bandit.add(action)
        for value in seen:
            bandit.record(place, value)
    by_arms, by_values = DynamicLength(10), DynamicLength(10)
    by_arms.observe_arms(bandit, 0.0, 1.0)
    observe(by_values, [value for seen in values.values() for value in seen])
    assert by_arms.flatness == pytest.approx(by_values.flatness)
    assert by_arms.flatness == pytest.approx(0.3804, abs=1e-4)


def test_a_flat_game_makes_the_rollouts_of_mcts_longer():
    # Nothing can be scored: after fifteen decisions plays are five ticks longer.
    planner = OpenLoopMcts(rollout_depth=10, depth_from="root", dynamic_depth=True)
    model = Lock("-" * 99, ends=False).metered(Meter())
    view, budget = model.view(Typed(), 0), Budget(iterations=20)
    mind = planner.start(model, view, budget, Rng(0))
    calls = [mind.decide(view, budget, Rng(n)).model_calls for n in range(16)]
    assert calls == [20 * 10] * 15 + [20 * 15]


def test_greedy_seeding_takes_the_best_next_state_of_every_step():
    stage = stage_of(LOCK, Typed(), 12)
    alphabets = stage.alphabets_of(0)
    genome, used = seed("one_step", stage, alphabets, Budget(iterations=5), Rng(1))
    assert genome == genes(CODE)
    assert used == 0
    assert stage.model.meter.calls == 4 * 12


def test_a_seeded_population_begins_with_the_seed_and_its_mutants():
    decision = ask(Rhea(length=12, seeding="one_step"), LOCK, Typed(), Budget(iterations=10))
    assert best(decision) == 12.0
    assert min(decision.visits[CODE[0]], 10) > 5  # mutants differ in one gene of twelve


@pytest.mark.parametrize("budget", [Budget(model_calls=2000), Budget(iterations=200)])
def test_mcts_seeding_uses_half_the_budget(budget):
    stage = stage_of(LONG, Typed(), 10)
    budget.arm(stage.model.meter)
    genome, used = seed("mcts", stage, stage.alphabets_of(0), budget, Rng(1))
    calls = stage.model.meter.calls
    assert 1000 <= calls < 1000 + 10
    assert used == (100 if budget.iterations else 0)
    assert genome[0] == "a"  # what a search of 100 iterations knows for sure


@pytest.mark.parametrize("share", [0.05, 0.2, 0.9])
def test_the_share_of_mcts_seeding_can_be_told(share):
    for budget in (Budget(model_calls=2000), Budget(iterations=200)):
        stage = stage_of(LONG, Typed(), 10)
        budget.arm(stage.model.meter)
        _, used = seed("mcts", stage, stage.alphabets_of(0), budget, Rng(1), share)
        assert 2000 * share <= stage.model.meter.calls < 2000 * share + 10
        assert used == (200 * share if budget.iterations else 0)


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("rate", [0.0, 0.25, 1.0])
def test_how_much_of_the_seed_is_redrawn_can_be_told(rate, native):
    # Butterflies: 30 sequences of 20 genes, all but the first made of the seed.
    planner = Rhea(population=30, length=20, seeding="one_step", seed_mutation=rate, native=native)
    made = registry.world("vgdl/butterflies")
    model = made.model.metered(Meter())
    view, budget = model.view(made.start(Rng(1)), 0), Budget(iterations=30)
    memory = planner.fresh_memory()
    budget.arm(model.meter)
    run = planner.evolved(memory, model, view, budget, Rng(2))
    first = max(run.visits.values())
    if rate == 0.0:
        assert first == 30  # copies of the seed
    else:
        # A redrawn gene is the same one in five: the first is another with 0.8 * rate.
        expected = 1 + 29 * (1 - 0.8 * rate)
        assert abs(first - expected) < 4 * (29 * 0.25) ** 0.5


def test_without_a_rate_the_seed_is_mutated_as_children_are():
    settings = {"length": 12, "seeding": "one_step", "mutation": "each", "mutation_rate": 0.3}
    as_children = ask(Rhea(**settings), LOCK, Typed(), Budget(iterations=10), 3)
    told = ask(Rhea(seed_mutation=0.3, **settings), LOCK, Typed(), Budget(iterations=10), 3)
    assert (as_children.visits, as_children.values) == (told.visits, told.values)


@pytest.mark.parametrize(
    "settings",
    [
        {"seeding": "mcts", "seed_share": 0.2},
        {"seeding": "mcts", "seed_share": 0.8, "seed_mutation": 0.5},
        {"seeding": "one_step", "seed_mutation": 0.0},
        {"dynamic_length": True, "length_period": 1, "length_step": 3, "most_length": 14},
    ],
)
@pytest.mark.parametrize("budget", [Budget(iterations=60), Budget(model_calls=500)])
def test_both_forms_seed_and_follow_the_length_alike(settings, budget):
    made = registry.world("vgdl/butterflies")
    found = []
    for native in (True, False):
        planner = Rhea(native=native, **settings)
        model = made.model.metered(Meter())
        view = model.view(made.start(Rng(1)), 0)
        mind = planner.start(model, view, budget, Rng(2))
        rows = [mind.decide(view, budget, Rng(n)) for n in range(3)]
        assert {row.notes["search"].partition(":")[0] for row in rows} == {
            "native" if native else "python"
        }
        found.append([(row.action, row.visits, row.values, row.model_calls) for row in rows])
    assert found[0] == found[1]


def test_mcts_seeding_takes_the_whole_path_that_was_recommended():
    stage = stage_of(Lock("ba", "ab"), Typed(), 2)
    budget = Budget(iterations=400)
    budget.arm(stage.model.meter)
    assert seed("mcts", stage, stage.alphabets_of(0), budget, Rng(1))[0] == genes("ba")


COMBINATIONS = [
    {
        "seeding": seeding,
        "shift_buffer": shift,
        "statistical_tree": tree,
        "rollouts": rollouts,
        "dynamic_length": dynamic,
        "mutation": mutation,
    }
    for seeding, shift, tree, rollouts, dynamic, mutation in itertools.product(
        ("random", "one_step", "mcts"),
        (False, True),
        (False, True),
        (0, 2),
        (False, True),
        ("one", "bandit"),
    )
]


@pytest.mark.parametrize("budget", [Budget(model_calls=150), Budget(iterations=15)], ids=str)
def test_all_additions_work_together(budget):
    for settings in COMBINATIONS:
        planner = Rhea(population=4, length=6, **settings)
        model = LONG.metered(Meter())
        view = model.view(Typed(), 0)
        mind = planner.start(model, view, budget, Rng(0))
        for number in range(3):
            decision = mind.decide(view, budget, Rng(number))
            assert decision.action in view.legal, planner
            assert model.meter.calls <= (budget.model_calls or inf), planner
            assert decision.iterations <= (budget.iterations or inf), planner


# Other seats


@pytest.mark.parametrize("planner", [Rhea, Rmhc])
def test_the_expected_opponent_decides_between_daring_and_safe(planner):
    # Against a draw the best sequence is a lucky one, so only the other two say something.
    for model, same in ((KEEN, "b"), (KIND, "a")):
        for name, expected in (("same", same), ("pessimistic", "b")):
            agent = planner(length=1, opponent=name)
            budget = Budget(iterations=150)
            chosen = [ask(agent, model, Chosen(), budget, s).action for s in range(6)]
            assert chosen == [expected] * 6, (name, model.payoffs)


def test_a_pessimist_blocks_the_winning_move_of_the_other_seat():
    world = registry.world("connect_four")
    state = world.parse("dacada")  # seat 1 has three in column a
    planner = Rhea(length=2, opponent="pessimistic", population=14)
    for seed_ in range(4):
        decision = ask(planner, world.model, state, Budget(iterations=600), seed_)
        assert world.action_text(decision.action) == "a"


@pytest.mark.parametrize("planner", [Rhea, Rmhc, RandomSearch])
def test_an_immediate_win_is_found(planner):
    # With a longer horizon a win by the luck of a random opponent counts as much.
    world = registry.world("connect_four")
    state = world.parse("ddccbb")
    decision = ask(planner(length=1), world.model, state, Budget(iterations=400))
    assert world.action_text(decision.action) in "ae"


def test_hidden_facts_are_refused_with_what_would_help():
    reason = Rhea().refusal(Traits(seats=2, max_legal=2, hidden=True, events=True))
    assert reason is not None
    assert "rhea@believed" in reason


def test_the_reference_tries_fifty_mutants_of_one_sequence_and_no_more(monkeypatch):
    genomes = []
    play = Stage.play

    def watched(stage, seat, genome, *rest):
        genomes.append(genome)
        return play(stage, seat, genome, *rest)

    monkeypatch.setattr(Stage, "play", watched)
    changes = 0
    parents = set()
    for number in range(20):
        genomes.clear()
        decision = ask(RheaReference(), LONG, Typed(), Budget(iterations=900), number)
        assert (decision.iterations, decision.model_calls) == (50, 500)
        assert decision.notes["complete"]
        assert len(genomes) == 50
        # A gene survives in most mutants, so what most have at a place is the parent's.
        parent = tuple(
            Counter(column).most_common(1)[0][0] for column in zip(*genomes, strict=True)
        )
        parents.add(parent)
        assert len(parent) == 10
        changes += sum(a != b for genome in genomes for a, b in zip(genome, parent, strict=True))
    assert len(parents) == 20  # a fresh parent each time
    # A gene stays with 0.9 * 0.9 + (1 - 0.9 * 0.9) / 4 = 0.8575: 1.425 of 10 change.
    assert changes / (20 * 50) == pytest.approx(1.425, abs=0.12)  # 3 standard errors


def test_the_reference_plays_the_first_action_of_its_best_mutant():
    decision = ask(RheaReference(), Lock("c" * 30, ends=False), Typed(), Budget(iterations=50), 3)
    assert decision.values[decision.action] == max(decision.values.values()) > 0.0
