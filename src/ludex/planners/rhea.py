"""Rolling-horizon evolutionary algorithm (RHEA)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Action, Model
from ludex.core.notes import Line
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.planners.parts.breeding import (
    CROSSOVERS,
    CrossoverName,
    mutate_each,
    mutate_one,
    tournaments,
)
from ludex.planners.parts.budget import ENDLESS
from ludex.planners.parts.dynamic_length import DynamicLength
from ludex.planners.parts.gene_bandits import GeneBandits
from ludex.planners.parts.growth import forced
from ludex.planners.parts.opponents import OpponentName
from ludex.planners.parts.recommendation import RecommendationName, decide
from ludex.planners.parts.rollout import Evaluator, ValueName
from ludex.planners.parts.seeding import SeedingName, seed
from ludex.planners.parts.sequence_tree import SequenceTree
from ludex.planners.parts.sequences import Gene, Genome, Stage, valuer


@dataclass(frozen=True, kw_only=True)
class Rhea(StatefulPlanner):
    """Rolling-horizon evolution (RHEA): evolves action sequences and plays the best one's first.

    The defaults are those of GVGAI's sampleRHEA. Every addition is a parameter, and all of
    them can be combined; `rhea(population=10,length=14,shift_buffer=yes,rollouts=5)` is
    EA-shift-roll. With one individual it is a hill climber, see `rmhc`.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "population": AtLeast(1),
        "length": AtLeast(1),
        "elite": AtLeast(0),
        "tournament": AtLeast(1),
        "mutation_rate": Between(0, 1),
        "rollouts": AtLeast(0),
        "rollout_length": AtLeast(1),
        "score_scale": AtLeast(1e-9),
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
    """the first sequence: random, greedy step by step, or found by mcts in half the budget"""
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
    opponent: OpponentName = "random"
    """other seats: play at random, evolve for their own good, or evolve for our harm"""
    value: ValueName = "returns"
    """what a result counts: returns (squashed gain in score while unfinished), or the score"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""

    def contradiction(self) -> str | None:
        if self.elite >= self.population > 1:
            return (
                f"elite={self.elite} leaves no room for children in population={self.population}; "
                "lower elite"
            )
        return None

    def fresh_memory(self) -> RheaMemory:
        return RheaMemory(self)

    def plan_on(
        self, memory: RheaMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        if decision := forced(view):
            memory.shift(self, (decision.action,))
            return decision
        length = memory.horizon.next_length() if self.dynamic_length else self.length
        run = Evolution(self, model, view, budget, length, rng)
        run.begin(memory)
        run.evolve()
        memory.horizon.observe(run.landscape)
        memory.genomes, memory.tree = run.own.genomes, run.tree
        action = run.answer()
        memory.shift(self, (action,))
        return Decision(
            action=action,
            visits={gene[0]: count for gene, count in run.visits.items() if gene},
            values={gene[0]: value for gene, value in run.best.items() if gene and value > -inf},
            iterations=run.evaluated,
            depth=run.stage.deepest,
            notes={"generations": run.generations, "length": length},
            thoughts=run.thoughts,
        )


class RheaMemory:
    """What one decision leaves for the next."""

    def __init__(self, planner: Rhea) -> None:
        self.genomes: list[Genome] = []
        self.tree: SequenceTree | None = None
        self.bases: list[float] = []  # the scores that the values in the tree stand beside
        self.horizon = DynamicLength(planner.length)

    def shift(self, planner: Rhea, played: Gene) -> None:
        """Drop the first genes, and all of the tree but what follows the action played."""
        if not planner.shift_buffer:
            self.genomes, self.tree = [], None
            return
        self.genomes = [genome[1:] for genome in self.genomes]
        if self.tree is not None:
            self.tree = self.tree.children.get(played)

    def take(self, stage: Stage, rng: Rng) -> list[Genome]:
        """The shifted population with legal first genes, padded or cut to the length of now."""
        taken: list[Genome] = []
        for genome in self.genomes:
            fitted = genome[: stage.length]
            fitted += [
                stage.draw(stage.seat, index, rng) for index in range(len(fitted), stage.length)
            ]
            if fitted[0] not in stage.alphabets[stage.seat][0]:
                fitted[0] = stage.draw(stage.seat, 0, rng)
            taken.append(fitted)
        return taken


class Side:
    """The sequences of one seat, best first, with their values for the aim of that seat."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.genomes: list[Genome] = []
        self.values: list[float] = []

    def keep(self, genomes: list[Genome], values: list[float], most: int) -> None:
        """Keep the best; among equals those that come first."""
        order = sorted(range(len(values)), key=values.__getitem__, reverse=True)[:most]
        self.genomes = [genomes[place] for place in order]
        self.values = [values[place] for place in order]


class Evolution:
    """One decision."""

    def __init__(
        self, planner: Rhea, model: Model, view: View, budget: Budget, length: int, rng: Rng
    ) -> None:
        self.planner = planner
        self.model = model
        self.view = view
        self.budget = budget
        self.rng = rng
        self.stage = Stage(model, view, length, rng)
        self.own = Side(view.seat)
        self.others: list[Side] = []
        if planner.opponent != "random":
            seats = range(model.traits.seats)
            self.others = [Side(seat) for seat in seats if seat != view.seat]
        self.left = budget.iterations or ENDLESS
        self.evaluated = 0
        self.generations = 0
        first: list[Gene] = [(action,) for action in view.legal]
        self.visits = dict.fromkeys(first, 0)
        self.best = dict.fromkeys(first, -inf)
        self.landscape: list[float] = []
        self.tree: SequenceTree | None = SequenceTree() if planner.statistical_tree else None
        self.bandits: GeneBandits | None = None
        after = planner.rollout_length or max(1, length // 2)
        dice = rng.fork("rollouts")
        self.evaluator = Evaluator(model, self.stage.root, planner.value, planner.score_scale)
        self.value_for: dict[int, Callable[[Any], float | None]] = {
            seat: valuer(model, self.evaluator.of_results_for(seat), planner.rollouts, after, dice)
            for seat in range(model.traits.seats)
        }

    def thoughts(self) -> dict[str, Any]:
        """The best sequence, for those who watch."""
        best = self.own.genomes[0] if self.own.genomes else []
        return {"best line": Line(tuple(gene[0] for gene in best if gene))}

    # Step 1. The first population.

    def begin(self, memory: RheaMemory) -> None:
        """Make and value the first population: shifted, seeded or random."""
        planner, stage, seat, rng = self.planner, self.stage, self.own.seat, self.rng
        for side in self.others:
            side.genomes = [stage.random_genome(side.seat, rng) for _ in range(planner.population)]
            side.values = [-inf] * planner.population
        if (
            memory.tree is not None
            and self.tree is not None
            and memory.bases == self.evaluator.bases
        ):
            self.tree = memory.tree  # values beside another score could not be compared
        memory.bases = self.evaluator.bases
        genomes = memory.take(stage, rng)
        if planner.seeding != "random":
            first, used = seed(
                planner.seeding, stage, self.budget, planner.value, planner.score_scale, rng
            )
            self.left = max(0, self.left - used)
            genomes = [first, *genomes]
            while len(genomes) < planner.population:
                mutant = first.copy()
                self.mutate(mutant, seat)
                genomes.append(mutant)
        while len(genomes) < planner.population:
            genomes.append(stage.random_genome(seat, rng))
        genomes = genomes[: planner.population]
        self.own.keep(genomes, self.evaluate(genomes, self.own), planner.population)

    # Step 2. Generations, until the budget is spent.

    def evolve(self) -> None:
        planner = self.planner
        if planner.mutation == "bandit":
            self.bandits = GeneBandits(self.stage.alphabets[self.own.seat])
        while self.own.values and self.left > 0 and not self.model.meter.spent:
            if not self.generation(self.own):
                return
            for side in self.others:
                if not self.generation(side):
                    return
            self.generations += 1

    def generation(self, side: Side) -> bool:
        """Breed once; False when the budget ended in it, which loses no one but the unborn."""
        planner = self.planner
        elite = min(planner.elite, planner.population - 1)
        if self.bandits is not None and side is self.own:
            return self.generation_by_bandits(elite)
        children = self.breed(side, planner.population - elite)
        if planner.population == 1:
            elite = 1  # the parent stays beside its mutant, and the better one is kept
        if self.others:
            # The others have changed since the elite was valued.
            children = side.genomes[:elite] + children
            elite = 0
        values = self.evaluate(children, side)
        if len(values) < len(children):
            elite = len(side.genomes)
        self.survive(side, elite, children, values)
        return len(values) == len(children)

    def survive(self, side: Side, elite: int, children: list[Genome], values: list[float]) -> None:
        genomes = side.genomes[:elite] + children[: len(values)]
        side.keep(genomes, side.values[:elite] + values, self.planner.population)

    def breed(self, side: Side, count: int) -> list[Genome]:
        """Make so many children by crossover and mutation."""
        children = self.cross(side, count)
        for child in children:
            self.mutate(child, side.seat)
        return children

    def cross(self, side: Side, count: int) -> list[Genome]:
        """Cross parents, each the winner of a tournament; an only one is copied."""
        genomes, rng = side.genomes, self.rng
        size, cross = self.planner.tournament, CROSSOVERS[self.planner.crossover]
        if len(genomes) == 1:
            return [genomes[0].copy() for _ in range(count)]
        parents = tournaments(len(genomes), size, 2 * count, rng)
        return [
            cross(genomes[parents[index]], genomes[parents[index + 1]], rng)
            for index in range(0, 2 * count, 2)
        ]

    def mutate(self, genome: Genome, seat: int) -> None:
        alphabets = self.stage.alphabets[seat]
        if self.planner.mutation == "each":
            mutate_each(genome, alphabets, self.planner.mutation_rate, self.rng)
        else:
            mutate_one(genome, alphabets, self.rng)

    def generation_by_bandits(self, elite: int) -> bool:
        """Change each child where the bandits say; a change for the worse is taken back."""
        side, bandits = self.own, self.bandits
        assert bandits is not None
        children: list[Genome] = []
        values: list[float] = []
        whole = True
        for _ in range(self.planner.population - elite):
            before, known = side.genomes[0], side.values[:1]
            if len(side.genomes) > 1:
                before = self.cross(side, 1)[0]
                known = self.evaluate([before], side)
            arms = bandits.choose(self.rng)
            place, gene = bandits.change(arms)
            after = before.copy()
            after[place] = gene
            found = self.evaluate([after], side) if known else []
            if not found:
                whole = False
                break
            bandits.learn(arms, found[0])
            better = found[0] >= known[0]
            children.append(after if better else before)
            values.append(found[0] if better else known[0])
        self.survive(side, elite if whole else len(side.genomes), children, values)
        return whole

    def evaluate(self, genomes: Sequence[Genome], side: Side) -> list[float]:
        """Play and value sequences; those the budget does not reach are left out at the end."""
        genomes = genomes[: self.left]
        is_own = side is self.own
        harms = not is_own and self.planner.opponent == "pessimistic"
        value_of = self.value_for[self.own.seat if harms else side.seat]
        results = self.stage.play(genomes, side.seat, self.champions())
        values = [value for result in results if (value := value_of(result)) is not None]
        self.left -= len(values)
        self.evaluated += len(values)
        if is_own:
            self.note(genomes, values)
        return [-value for value in values] if harms else values

    def champions(self) -> dict[int, Genome]:
        """What each seat is taken to play while the sequences of another are tried."""
        if not self.others:
            return {}
        return {side.seat: side.genomes[0] for side in (self.own, *self.others) if side.genomes}

    def note(self, genomes: Sequence[Genome], values: list[float]) -> None:
        """Keep what these sequences tell about their first actions."""
        visits, best = self.visits, self.best
        for genome, value in zip(genomes, values):  # noqa: B905  # values may be fewer
            gene = genome[0]
            visits[gene] += 1
            if value > best[gene]:
                best[gene] = value
        if self.tree is not None:
            for genome, value in zip(genomes, values):  # noqa: B905
                self.tree.insert(genome, value)
        if self.planner.dynamic_length:
            self.landscape += values

    # Step 3. The action.

    def answer(self) -> Action:
        """The first action of the best sequence, or the one that the tree speaks for."""
        if self.tree is not None and self.tree.children:
            tried = {gene[0]: node for gene, node in self.tree.children.items() if gene}
            visits = {action: tried[action].visits for action in self.view.legal if action in tried}
            values = {action: tried[action].mean for action in visits}
            return decide(self.planner.tree_final, self.view.legal, visits, values, self.rng)
        if self.own.values and (gene := self.own.genomes[0][0]) is not None:
            return gene[0]
        return self.view.legal[self.rng.below(len(self.view.legal))]
