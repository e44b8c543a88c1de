"""Action sequences (genomes) of one player, played and evaluated, for rolling horizons.

A gene is `(action,)`, a joint action of one seat, so that a sequence can be handed to
`model.play` as it is. None stands for a gene that nobody has drawn yet: which actions there
are so far ahead is not known, and one is drawn when play gets there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.rng import Rng
from ludex.core.rollout import Rollout
from ludex.core.state import State
from ludex.core.view import View

Gene: TypeAlias = tuple[Action] | None
Genome: TypeAlias = list[Gene]

BATCH = 16  # sequences played in one call of the model


class Stage:
    """Plays sequences from the root of one decision, in worlds of any kind.

    With one seat, whole batches are played in one call of `model.play`. With several, and in
    worlds whose actions come and go, play goes tick by tick: a gene that is not legal where it
    is reached is replaced in the sequence by a legal one, and other seats follow their lines
    if they have one, else they play uniformly.
    """

    def __init__(self, model: Model, view: View, length: int, rng: Rng) -> None:
        traits = model.traits
        self.model = model
        self.view = view
        self.seat = view.seat
        self.rng = rng
        self.length = length
        # In turns, a sequence of n actions of ours lasts while the others move, too.
        self.limit = length if traits.simultaneous else length * traits.seats
        self.root = model.imagine(view, rng)
        self.knows_root = traits.model_sees_all
        self.alone = traits.seats == 1 and self.knows_root
        self.calls = 0  # batches played, which number their random streams
        self.deepest = 0  # ticks of the longest play
        # The genes known at each place of a seat's sequences.
        self.alphabets: dict[int, list[list[Gene]]] = {
            seat: [[] for _ in range(length)] for seat in range(traits.seats)
        }
        own = self.alphabets[view.seat]
        for known in own if self.alone else own[:1]:
            known += [(action,) for action in view.legal]
        self.seen: dict[tuple[int, int], set[tuple[Action, ...]]] = {}

    def draw(self, seat: int, place: int, rng: Rng) -> Gene:
        """Draw a gene; None where none is known yet."""
        known = self.alphabets[seat][place]
        return known[rng.below(len(known))] if known else None

    def random_genome(self, seat: int, rng: Rng) -> Genome:
        below = rng.below
        return [known[below(len(known))] if known else None for known in self.alphabets[seat]]

    def play(self, genomes: Sequence[Genome], seat: int, lines: dict[int, Genome]) -> list[Rollout]:
        """Play each genome of a seat; what the budget does not reach is left out at the end."""
        results: list[Rollout] = []
        for begin in range(0, len(genomes), BATCH):
            batch = genomes[begin : begin + BATCH]
            stream = self.rng.fork("batch", self.calls)
            self.calls += 1
            try:
                results += self.play_batch(batch, seat, lines, stream)
            except BudgetSpent:
                break
            last = results[-1]
            if last.ticks > self.deepest:  # one of each batch will do
                self.deepest = last.ticks
            if last.cut:
                results.pop()
                break
        return results

    def play_batch(
        self, genomes: Sequence[Genome], seat: int, lines: dict[int, Genome], rng: Rng
    ) -> list[Rollout]:
        meter = self.model.meter
        if self.alone:
            before = meter.replaced
            found = self.model.play(self.root, genomes, rng)  # type: ignore[arg-type]  # no None
            if meter.replaced == before:
                return found
            # Some action was not legal where it was reached and the default was played there:
            # these results stand, but from now on every tick is looked at.
            self.alone = False
            return found
        return [
            self.play_one(genome, seat, lines, rng.fork(number))
            for number, genome in enumerate(genomes)
        ]

    def play_one(self, genome: Genome, seat: int, lines: dict[int, Genome], rng: Rng) -> Rollout:
        reached = dict.fromkeys(range(self.model.traits.seats), 0)
        alphabets, seen = self.alphabets[seat], self.seen

        def choose(model: Model, state: State, mover: int, dice: Rng) -> Action:
            legal = model.legal(state, mover)
            place = reached[mover]
            reached[mover] = place + 1
            line = genome if mover == seat else lines.get(mover)
            if line is None or place >= len(line):
                return legal[dice.below(len(legal))]
            gene = line[place]
            if gene is None or gene[0] not in legal:
                gene = (legal[dice.below(len(legal))],)
                if line is genome:
                    genome[place] = gene
            if line is genome and (listed := tuple(legal)) not in seen.setdefault(
                (seat, place), set()
            ):
                seen[seat, place].add(listed)
                known = alphabets[place]
                known += [(action,) for action in listed if (action,) not in known]
            return gene[0]

        root = self.root if self.knows_root else self.model.imagine(self.view, rng)
        return self.model.rollout(root, choose, self.limit, rng)


def valuer(
    model: Model, estimate: Callable[[Rollout], float], rollouts: int, length: int, rng: Rng
) -> Callable[[Rollout], float | None]:
    """Return the function that values where a sequence ended; None when the budget ends in it.

    With `rollouts`, play goes on from there at random so often, for `length` ticks, and the
    mean counts.
    """
    if not rollouts:
        return estimate

    def by_playing_on(result: Rollout) -> float | None:
        if result.returns is not None:
            return estimate(result)
        total = 0.0
        for _ in range(rollouts):
            try:
                after = model.rollout(result.state, "uniform", length, rng)
            except BudgetSpent:
                return None
            if after.cut:
                return None
            total += estimate(after)
        return total / rollouts

    return by_playing_on
