"""Rolling-horizon evolutionary algorithm (RHEA)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal, NamedTuple

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.notes import Line
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.twin import NativeEvolution, TwinPlanner
from ludex.core.view import View
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.breeding import (
    CROSSOVERS,
    CrossoverName,
    mutate_each,
    mutate_one,
    tournament,
)
from ludex.planners.parts.budget import most_rounds
from ludex.planners.parts.determinise import Determinisations
from ludex.planners.parts.dynamic_length import DynamicLength, LengthRule
from ludex.planners.parts.gene_bandits import GeneBandits
from ludex.planners.parts.growth import forced
from ludex.planners.parts.opponents import OpponentName
from ludex.planners.parts.recommendation import (
    RecommendationName,
    Tried,
    TriedActions,
    decide,
    tried_natively,
)
from ludex.planners.parts.rollout import Value
from ludex.planners.parts.seeding import SeedingName, seed
from ludex.planners.parts.sequence_tree import SequenceTree
from ludex.planners.parts.sequences import (
    LONGEST,
    Alphabet,
    Gene,
    Genome,
    Stage,
    Valuation,
    random_genome,
)

LARGEST_POPULATION = 10_000  # of sequences, which lie in memory; `random_search` keeps none
LARGEST_TOURNAMENT = 1000


@dataclass(frozen=True, kw_only=True)
class Rhea(TwinPlanner, StatefulPlanner):
    """Rolling-horizon evolution (RHEA): evolves action sequences and plays the best one's first.

    The defaults are those of GVGAI's sampleRHEA. Every addition is a parameter, and all of
    them can be combined; `rhea(population=10,length=14,shift_buffer=yes,rollouts=5)` is
    EA-shift-roll. With one individual it is a hill climber, see `rmhc`.
    """

    twin: ClassVar[str | None] = "rhea"
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "population": Between(1, LARGEST_POPULATION),
        "length": Between(1, LONGEST),
        "elite": AtLeast(0),
        "tournament": Between(1, LARGEST_TOURNAMENT),
        "mutation_rate": Between(0, 1),
        "rollouts": AtLeast(0),
        "rollout_length": AtLeast(1),
        "score_scale": AtLeast(1e-9),
        "seed_share": Between(0.05, 0.95),
        "seed_mutation": Between(0, 1),
        "length_period": AtLeast(1),
        "length_flat": Between(0, 1),
        "length_rough": Between(0, 1),
        "length_step": Between(1, LONGEST),
        "least_length": Between(1, LONGEST),
        "most_length": Between(1, LONGEST),
    }

    population: int = 10
    """sequences kept at a time; with 1 a mutant takes the place of its parent if it is better"""
    length: int = 10
    """actions in a sequence"""
    elite: int = 1
    """best sequences carried over to the next generation unchanged"""
    tournament: int = 2
    """sequences drawn for each parent, of which the best becomes it"""
    crossover: CrossoverName = "uniform"
    """how two parents make a child"""
    mutation: Literal["one", "each", "bandit"] = "one"
    """genes changed in a child: one, each with `mutation_rate`, or one chosen by bandits"""
    mutation_rate: float = 0.1
    """with mutation=each: the probability that a gene is redrawn"""
    seeding: SeedingName = "random"
    """the first sequence: random, greedy step by step, or found by mcts"""
    seed_share: float = 0.5
    """the part of the budget that seeding=mcts takes"""
    seed_mutation: float | None = None
    """the probability that a gene of the seed is redrawn in the others; none: as in children"""
    shift_buffer: bool = False
    """begin each decision with the last population, its first actions dropped"""
    statistical_tree: bool = False
    """choose by a tree of all sequences played instead of the best one"""
    tree_final: RecommendationName = "ucb"
    """which first action of that tree is played: of the highest bound, value or visits"""
    rollouts: int = 0
    """random plays after each sequence, whose mean values it; 0: its last state is valued"""
    rollout_length: int | None = None
    """ticks of each of these plays; none: half the length"""
    dynamic_length: bool = False
    """lengthen sequences where all seem worth the same, shorten them where they differ"""
    length_period: int = 15
    """with dynamic_length: decisions between two changes"""
    length_flat: float = 0.05
    """below this standard deviation of all values, from 0 to 1, sequences become longer ..."""
    length_rough: float = 0.4
    """... and above this one shorter"""
    length_step: int = 5
    """actions by which they change"""
    least_length: int = 5
    """the shortest that they become"""
    most_length: int = 150
    """the longest that they become"""
    opponent: OpponentName = "random"
    """other seats: play at random, evolve for their own good, or evolve for our harm"""
    value: Value = "returns"
    """what a result counts: returns (squashed gain while unfinished), score, or a function"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""

    def contradiction(self) -> str | None:
        if self.elite >= self.population > 1:
            return (
                f"elite={self.elite} leaves no room for children in population={self.population}; "
                "lower elite"
            )
        if self.length_flat > self.length_rough:
            return (
                f"length_flat={self.length_flat:g} is above length_rough={self.length_rough:g}; "
                "raise length_rough"
            )
        if self.least_length > self.most_length:
            return (
                f"least_length={self.least_length} is above most_length={self.most_length}; "
                "raise most_length"
            )
        return None

    @property
    def length_rule(self) -> LengthRule:
        """How a dynamic length changes."""
        return LengthRule(
            period=self.length_period,
            flat=self.length_flat,
            rough=self.length_rough,
            step=self.length_step,
            least=self.least_length,
            most=self.most_length,
        )

    def fresh_memory(self) -> RheaMemory:
        return RheaMemory(self)

    def plan_on(
        self, memory: RheaMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        if decision := forced(view):
            memory.shift(self, decision.action)
            return decision
        run = self.evolved(memory, model, view, budget, rng)
        memory.horizon.observe_arms(run.landscape(), run.low, run.high)
        memory.kept, memory.bases = run.kept(), run.stage.bases
        action = run.answer()
        memory.shift(self, action)
        return Decision(
            action=action,
            visits=run.visits,
            values={action: value for action, value in run.best.items() if value > -inf},
            iterations=run.evaluated,
            depth=run.stage.deepest,
            notes={"generations": run.generations, "length": run.stage.length},
            thoughts=run.thoughts,
        )

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> Evolution:
        """Evolve sequences until the budget is spent."""
        return self.evolved(self.fresh_memory(), model, view, budget, rng)

    def evolved(
        self, memory: RheaMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Evolution:
        """Evolve sequences, those that are remembered first, until the budget is spent."""
        length = memory.horizon.next_length() if self.dynamic_length else self.length
        kind = NativeRun if self.kernels(model) else Evolution
        run = kind(self, model, view, length, memory, rng)
        run.evolve(budget)
        return run


class RheaMemory:
    """What one decision leaves for the next."""

    def __init__(self, planner: Rhea) -> None:
        self.kept: Kept | NativeKept | None = None
        self.bases: list[float] = []  # the scores that the values in the tree stand beside
        self.horizon = DynamicLength(planner.length, planner.length_rule)

    def shift(self, planner: Rhea, played: Action) -> None:
        """Drop all that does not follow the action played."""
        kept = self.kept if planner.shift_buffer else None
        self.kept = None if kept is None else kept.after(played)


@dataclass(frozen=True, slots=True)
class Kept:
    """Sequences, best first, and the statistical tree, if there is one."""

    genomes: list[Genome]
    tree: SequenceTree | None

    def after(self, played: Action) -> Kept:
        """Without the first genes, and all of the tree but what follows an action."""
        tree = None if self.tree is None else self.tree.after(played)
        return Kept([genome[1:] for genome in self.genomes], tree)


@dataclass(frozen=True, slots=True)
class NativeKept:
    """The same in native memory, with the actions played since."""

    found: NativeEvolution
    played: tuple[Action, ...] = ()

    def after(self, played: Action) -> NativeKept:
        return NativeKept(self.found, (*self.played, played))


class Individual(NamedTuple):
    """A sequence that was played."""

    genome: Genome
    value: float
    """for the aim of its seat"""


class Side:
    """The sequences of one seat, best first, and those that will take their place."""

    def __init__(self, seat: int, alphabets: list[Alphabet]) -> None:
        self.seat = seat
        self.alphabets = alphabets
        self.population: list[Individual] = []
        self.fresh: list[Individual] = []  # the next generation, as far as it is valued

    def keep(self, individuals: list[Individual], most: int) -> None:
        """Keep the best; among equals those that come first."""
        self.population = sorted(individuals, key=lambda one: one.value, reverse=True)[:most]
        self.fresh = []


def one_arm() -> Bandit:
    """A bandit that takes in values as those of one arm."""
    made = Bandit(0, ())
    made.add(None)
    return made


class Evolution:
    """One decision.

    Each seat that plans has a side. They take turns: one breeds a whole generation against the
    best sequences of the others, then the next. All sides begin with a first generation that
    has no parents.
    """

    def __init__(
        self,
        planner: Rhea,
        model: Model,
        view: View,
        length: int,
        memory: RheaMemory,
        rng: Rng,
    ) -> None:
        self.planner = planner
        self.view = view
        self.rng = rng
        valuation = Valuation.after(
            length, planner.value, planner.score_scale, planner.rollouts, planner.rollout_length
        )
        self.stage = stage = Stage(model, view, length, valuation, rng)
        self.own = Side(view.seat, stage.alphabets_of(view.seat))
        seats = range(model.traits.seats) if planner.opponent != "random" else ()
        others = [Side(seat, stage.alphabets_of(seat)) for seat in seats if seat != view.seat]
        self.sides = [self.own, *others]
        self.turn = 0  # of which side
        self.rounds = 0  # in which all sides have made a generation
        self.evaluated = 0
        # Among several, one is always left to be bred.
        self.elite = min(planner.elite, planner.population - 1) if planner.population > 1 else 1
        self.children = max(1, planner.population - self.elite)
        self.remembered = memory.kept
        # Values beside another score could not be compared.
        self.can_keep_tree = memory.bases == stage.bases
        self.seeded: Genome | None = None
        self.bandits = GeneBandits(self.own.alphabets) if planner.mutation == "bandit" else None
        self.before: Individual | None = None  # a child that bandits have still to change
        self.visits: dict[Action, int] = dict.fromkeys(view.legal, 0)
        self.best: dict[Action, float] = dict.fromkeys(view.legal, -inf)
        self.values = one_arm()  # of all sequences,
        self.low, self.high = inf, -inf  # and their range, where the length follows them
        self.tree = self.first_tree() if planner.statistical_tree else None

    def first_tree(self) -> SequenceTree:
        """The tree that the last decision left, if its values count as much now."""
        if self.can_keep_tree and isinstance(self.remembered, Kept) and self.remembered.tree:
            return self.remembered.tree
        return SequenceTree()

    def kept(self) -> Kept | NativeKept:
        """What the next decision may go on with."""
        return Kept([one.genome for one in self.own.population], self.tree)

    def landscape(self) -> Tried:
        """The values of all sequences, where the length follows them."""
        return self.values

    def champion(self) -> Genome:
        """The best sequence; empty where none was played."""
        return self.own.population[0].genome if self.own.population else []

    @property
    def generations(self) -> int:
        """Generations that were bred; the first has no parents."""
        return max(0, self.rounds - 1)

    def thoughts(self) -> dict[str, Any]:
        """The best sequence, for those who watch."""
        return {"best line": Line(tuple(gene for gene in self.champion() if gene is not None))}

    def evolve(self, budget: Budget) -> None:
        """Play sequence after sequence until the budget is spent."""
        left = most_rounds(budget)
        meter = self.stage.model.meter
        if self.planner.seeding != "random":
            self.seeded, used = seed(
                self.planner.seeding,
                self.stage,
                self.own.alphabets,
                budget,
                self.rng,
                self.planner.seed_share,
            )
            left -= used
        try:
            while left > 0 and not meter.spent:
                self.step()
                left -= 1
        except BudgetSpent:  # the sequence that was being played is dropped
            pass
        for side in self.sides:  # what was to be replaced stays beside what there is of the next
            side.keep(side.population + side.fresh, self.planner.population)

    def step(self) -> None:
        """Play one more sequence of the side whose turn it is."""
        side = self.sides[self.turn]
        place = len(side.fresh)
        if not side.population:
            self.try_out(side, self.first_genome(side, place))
        elif len(self.sides) > 1 and place < self.elite:
            # The others have changed since the elite was valued.
            self.try_out(side, side.population[place].genome.copy())
        elif side is self.own and self.bandits is not None:
            self.try_change(side, self.bandits)
        else:
            self.try_out(side, self.child(side))
        self.end_generation(side)

    def end_generation(self, side: Side) -> None:
        """Let the next generation take the place of the last one, once it is complete."""
        most = self.planner.population
        again = self.elite if len(self.sides) > 1 else 0
        if len(side.fresh) < (self.children + again if side.population else most):
            return
        elite = [] if again else side.population[: self.elite]
        side.keep(elite + side.fresh, most)
        self.turn = (self.turn + 1) % len(self.sides)
        if self.turn == 0:
            self.rounds += 1

    # Where sequences come from

    def first_genome(self, side: Side, place: int) -> Genome:
        """A sequence of the first generation: seeded, remembered, or random."""
        if side is self.own:
            known = [] if self.seeded is None else [self.seeded]
            known += self.remembered.genomes if isinstance(self.remembered, Kept) else []
            if place < len(known):
                return self.fitted(known[place])
            if self.seeded is not None:
                return self.mutant(self.seeded, side)
        return random_genome(side.alphabets, self.rng)

    def mutant(self, seeded: Genome, side: Side) -> Genome:
        """A sequence beside the seeded one in the first generation."""
        made = seeded.copy()
        rate = self.planner.seed_mutation
        if rate is None:
            self.mutate(made, side)
        else:
            mutate_each(made, side.alphabets, rate, self.rng)
        return made

    def fitted(self, genome: Genome) -> Genome:
        """A sequence with a first gene that is legal, padded or cut to the length of now."""
        alphabets = self.own.alphabets
        fitted = genome[: len(alphabets)]
        fitted += [alphabet.draw(self.rng) for alphabet in alphabets[len(fitted) :]]
        if fitted[0] not in alphabets[0].known:
            fitted[0] = alphabets[0].draw(self.rng)
        return fitted

    def child(self, side: Side) -> Genome:
        child = self.cross(side)
        self.mutate(child, side)
        return child

    def cross(self, side: Side) -> Genome:
        """Cross two parents, each the winner of a tournament; an only one is copied."""
        population, rng = side.population, self.rng
        if len(population) == 1:
            return population[0].genome.copy()
        first, second = (
            population[tournament(len(population), self.planner.tournament, rng)].genome
            for _ in range(2)
        )
        return CROSSOVERS[self.planner.crossover](first, second, rng)

    def mutate(self, genome: Genome, side: Side) -> None:
        if self.planner.mutation == "each":
            mutate_each(genome, side.alphabets, self.planner.mutation_rate, self.rng)
        else:
            mutate_one(genome, side.alphabets, self.rng)

    # What they are worth

    def try_out(self, side: Side, genome: Genome) -> None:
        """Play a sequence for the next generation."""
        side.fresh.append(self.evaluated_one(side, genome))

    def try_change(self, side: Side, bandits: GeneBandits) -> None:
        """Change a child where the bandits say; a change for the worse is taken back.

        What a child of two parents is worth without the change must be known first.
        """
        if self.before is None and len(side.population) > 1:
            self.before = self.evaluated_one(side, self.cross(side))
            return
        before = self.before
        if before is None:  # there is one parent alone, valued again where others have changed
            before = (side.fresh or side.population)[0]
        arms = bandits.choose(self.rng)
        place, gene = bandits.change(arms)
        genome = before.genome.copy()
        genome[place] = gene
        after = self.evaluated_one(side, genome)
        bandits.learn(arms, after.value)
        side.fresh.append(after if after.value >= before.value else before)
        self.before = None

    def evaluated_one(self, side: Side, genome: Genome) -> Individual:
        """Play and value a sequence, against the best ones of the other sides."""
        others = {one.seat: one.population[0].genome for one in self.sides if one.population}
        others.pop(side.seat, None)
        values = self.stage.play(side.seat, genome, side.alphabets, others)
        self.evaluated += 1
        if side is self.own:
            self.note(genome, values[side.seat])
            return Individual(genome, values[side.seat])
        if self.planner.opponent == "pessimistic":
            return Individual(genome, -values[self.own.seat])
        return Individual(genome, values[side.seat])

    def note(self, genome: Genome, value: float) -> None:
        """Keep what a sequence tells about its first action."""
        first = genome[0]
        if first in self.visits:
            self.visits[first] += 1
            self.best[first] = max(self.best[first], value)
        if self.tree is not None:
            self.tree.insert(genome, value)
        if self.planner.dynamic_length:
            self.values.record(0, value)
            self.low, self.high = min(self.low, value), max(self.high, value)

    # What is played

    def answer(self) -> Action:
        """The first action of the best sequence, or the one that the tree speaks for."""
        legal = self.view.legal
        if tried := self.firsts():
            visits = {action: tried[action][0] for action in legal if action in tried}
            values = {action: tried[action][1] for action in visits}
            return decide(self.planner.tree_final, legal, visits, values, self.rng)
        first: Gene = next(iter(self.champion()), None)
        return legal[self.rng.below(len(legal))] if first is None else first

    def firsts(self) -> dict[Action, tuple[int, float]]:
        """The visits and the mean value of each first action in the statistical tree."""
        return {} if self.tree is None else self.tree.firsts()


class NativeRun(Evolution):
    """The same, by the native twin."""

    found: NativeEvolution

    def evolve(self, budget: Budget) -> None:
        stage, kept = self.stage, self.remembered
        by_mcts = self.planner.seeding == "mcts"
        seeds = Determinisations(stage.model, self.view, self.rng) if by_mcts else stage.states
        self.found = found = stage.states.native.native_rhea(
            self.planner,
            stage,
            stage.states.native_source(),
            seeds.native_source(),
            self.view.legal,
            self.view.seat,
            budget,
            most_rounds(budget),
            self.rng,
            (kept.found, kept.played, self.can_keep_tree) if isinstance(kept, NativeKept) else None,
        )
        self.evaluated, stage.deepest, self.rounds = found.iterations, found.depth, found.rounds
        self.low, self.high = found.low, found.high
        for action, visits, best in found.firsts():
            if action in self.visits:
                self.visits[action], self.best[action] = visits, best

    def kept(self) -> NativeKept:
        return NativeKept(self.found)

    def landscape(self) -> TriedActions:
        total, mean, squares = self.found.landscape
        return TriedActions([None], [total], [mean], [squares], total)

    def champion(self) -> Genome:
        return self.found.champion()

    def firsts(self) -> dict[Action, tuple[int, float]]:
        return {
            action: (visits, mean)
            for root in tried_natively(self.found, self.view.seat)
            for action, visits, mean in zip(root.actions, root.visits, root.means, strict=True)
        }
