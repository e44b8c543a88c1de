"""Open-loop MCTS of YOLOBOT, informed by the knowledge base."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, log, sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ludex.core.decision import Decision
from ludex.core.policy import Greedy
from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.planners.parts.best_line import best_line
from ludex.planners.parts.sequence_node import SequenceNode, ways_after
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.prediction import foresee, pruned, worth_trying
from ludex.planners.yolobot.sight import NOWHERE, Cell, Sight, Transition
from ludex.planners.yolobot.targets import Target, shown_aim

if TYPE_CHECKING:
    from ludex.planners.yolobot import Yolobot

FirstPlay: TypeAlias = Literal["hope", "siblings"]
Cut: TypeAlias = Literal["depth", "target"]
LOST, OPEN, WON = (0.0, 0.1), (0.15, 0.85), (0.9, 1.0)
"""the values of games that are lost, go on, and are won"""


class YolobotNode(SequenceNode):
    """A sequence of actions, with what each of the next ones promised before it was tried."""

    __slots__ = ("first",)

    def __init__(self, seat: int, legal: Sequence[Any] = ()) -> None:
        super().__init__(seat, legal)
        self.places = {}
        self.first: tuple[Sight, Sight] | None = None
        """how its parent's and its own state looked at first, while that matters"""

    def place_of(self, action: Any, prior: float) -> int:
        """Where the statistics of an action are; one that is new promises this."""
        if action not in self.places:
            self.places[action] = self.add(action)
            self.priors.append(prior)
        return self.places[action]


@dataclass(frozen=True, kw_only=True)
class Weights:
    """What counts at the end of a simulation besides the outcome; 0 for what is switched off."""

    score: float
    distance: float
    steps: float


class TreeSearch:
    """Algorithm 2: one decision."""

    def __init__(
        self,
        planner: Yolobot,
        knowledge: Knowledge,
        model: Any,
        view: Any,
        sight: Sight,
        target: Target | None,
        nothing: Any,
        rng: Rng,
        *,
        is_timed: bool = False,
    ) -> None:
        self.planner = planner
        self.weights = planner.weights()
        self.knowledge = knowledge
        self.model = model
        self.view = view
        self.seat: int = view.seat
        self.sight = sight
        self.target = target
        self.rng = rng
        self.nothing = nothing
        self.farthest = 2.0 * (view.width + view.height)
        self.root = YolobotNode(view.seat)
        self.played: Any = None
        self.iterations = 0
        self.deepest = 0
        self.began = perf_counter()
        self.learning_s = 0.0  # of the time since
        self.is_timed: bool = is_timed
        self.low, self.high = inf, -inf  # of what was seen besides the outcome
        self.greedy = self.policy(0.0)
        self.usual = self.policy(planner.epsilon if planner.informed_rollouts else 1.0)

    def policy(self, epsilon: float) -> Greedy:
        """Walk to the target, or with this probability anywhere on the board."""
        target = self.target
        columns, rows = range(self.view.width), range(self.view.height)
        if target is None or not self.planner.informed_rollouts:
            return Greedy([[0.0 for _ in columns] for _ in rows], epsilon=1.0)
        left = target.distances
        costs = [[left.get((x, y), inf) for x in columns] for y in rows]
        seen = None if target.seen is None else (target.seen.kind, target.seen.number)
        return Greedy(costs, epsilon=epsilon, target=seen, near=self.planner.near)

    # One simulation

    def simulate(self) -> None:
        """Go down the tree, play on, and take back a careless end before it is counted."""
        model, rng = self.model, self.rng
        state = model.imagine(self.view, rng)
        sight, node = self.sight, self.root
        path: list[tuple[YolobotNode, int]] = []
        before = state
        while not sight.over and len(path) < self.planner.rollout_depth:
            if not node.actions:
                self.open(node, sight)
            action = self.choose(node, self.allowed(sight))
            place = node.places[action]
            before = state.copy()
            model.meter.count_copy()
            model.advance(state, (action,), rng)
            after = Sight.of_state(model, state, self.seat)
            self.learn(sight, action, after)
            path.append((node, place))
            known = node.after[place]
            node = node.new_child((), (place,), ()) if known is None else known
            self.compare(node, sight, after)
            sight = after
            if known is None:
                break
        if sight.is_lost and path:
            last, place = path[-1]
            value = self.second_thoughts(before, last, action, len(path))
            self.back_up(path[:-1], value)
            last.record(place, self.value(sight, len(path)))
        else:
            self.back_up(path, self.play_on(state, sight, len(path)))
        self.iterations += 1
        self.deepest = max(self.deepest, len(path))

    def back_up(self, path: Sequence[tuple[YolobotNode, int]], value: float) -> None:
        for node, place in path:
            node.record(place, value)

    def open(self, node: YolobotNode, sight: Sight) -> None:
        """Give the actions of a node what is expected of them."""
        for action, prior in self.priors(sight).items():
            node.place_of(action, prior)

    def priors(self, sight: Sight) -> dict[Any, float]:
        """What actions promise before they are tried: hope, and a pull towards the target."""
        if not self.planner.node_init:
            return dict.fromkeys(sight.legal, inf)
        hope, here = self.hope, self.left(sight.avatar_cell)
        found: dict[Any, float] = {}
        outlook = foresee(self.knowledge, sight, sight.legal, self.model.heading)
        for action, seen in outlook.expected.items():
            pull = max(-1.0, min(1.0, here - self.left(seen.cell)))
            if self.would_hit(sight, action):
                pull = 1.0
            found[action] = 0.0 if seen.is_loss else hope + self.planner.pull * pull
        return found

    def would_hit(self, sight: Sight, action: Any) -> bool:
        """Whether an action uses something on the target, which is at hand and in front."""
        seen = self.target.seen if self.target is not None else None
        if seen is None or self.model.action_type(action) != "use":
            return False
        x, y = sight.avatar_cell
        in_front = seen.cell == (x + sight.facing[0], y + sight.facing[1])
        return in_front and self.knowledge.shot_effect(sight, seen.kind) is not None

    def left(self, cell: Cell) -> float:
        """How far it is from a cell to the target."""
        if self.target is None:
            return 0.0
        return float(min(self.target.distances.get(cell, inf), self.farthest))

    @property
    def hope(self) -> float:
        """What an action that was never tried is worth, with its bonus."""
        return self.planner.hope + self.planner.exploration

    def allowed(self, sight: Sight) -> Sequence[Any]:
        if not self.planner.knowledge_pruning:
            return sight.legal
        if self.planner.idle_by == "model" and sight is self.sight:
            return self.verified
        return worth_trying(self.knowledge, sight, sight.legal, self.model.heading, self.nothing)

    @cached_property
    def verified(self) -> Sequence[Any]:
        """The actions of the root that are worth trying; the model says which do nothing."""
        expected = foresee(self.knowledge, self.sight, self.sight.legal, self.model.heading)
        start, luck = self.model.imagine(self.view, self.rng), self.rng.below(2**32)

        def key_after(action: Any) -> int:
            after = self.model.step(start, (action,), Rng(luck))  # the same luck for all
            return Sight.of_state(self.model, after, self.seat).key

        idle = key_after(self.nothing)
        return pruned(
            {
                action: seen._replace(is_idle=key_after(action) == idle)
                for action, seen in expected.expected.items()
            },
            self.nothing,
        )

    def choose(self, node: YolobotNode, actions: Sequence[Any]) -> Any:
        """The highest bound; untried actions count what they promise. Among equals any."""
        reach = self.planner.exploration * sqrt(log(max(node.total, 1)))
        shift = self.shift(node)
        places = [node.place_of(action, self.planner.hope) for action in actions]
        visits, means, priors = node.visits, node.means, node.priors
        bounds = [
            means[one] + reach / sqrt(visits[one]) if visits[one] else priors[one] + shift
            for one in places
        ]
        highest = max(bounds)
        best = [one for one, bound in zip(actions, bounds, strict=True) if bound == highest]
        return best[self.rng.below(len(best))] if len(best) > 1 else best[0]

    def shift(self, node: YolobotNode) -> float:
        """What brings the hope for untried actions to the mean of their tried siblings."""
        if self.planner.first_play == "hope" or not node.total:
            return 0.0
        values = [mean for mean, visits in zip(node.means, node.visits, strict=True) if visits]
        return sum(values) / len(values) - self.hope if values else 0.0

    def play_on(self, state: State, sight: Sight, depth: int) -> float:
        """Play to the end of the horizon, and value what is there."""
        limit = self.planner.rollout_depth - depth
        if sight.over or limit <= 0:
            return self.value(sight, depth)
        policy = self.greedy if self.iterations == 0 else self.usual
        learns = self.iterations % self.planner.learn_every == 0 and not self.is_learned_out()
        if learns or self.planner.cut == "target":
            return self.value(*self.play_by_tick(state, sight, policy, limit, depth, learns))
        result = self.model.rollout(state, policy, limit, self.rng, backtrack=True)
        end = Sight.of_state(self.model, result.state, self.seat)
        depth += result.ticks
        if end.is_lost and result.before is not None:
            return self.value(*self.other_ends(result.before, result.last[0], end, depth))
        return self.value(end, depth)

    def play_by_tick(
        self, state: State, sight: Sight, policy: Greedy, limit: int, depth: int, learns: bool
    ) -> tuple[Sight, int]:
        """A rollout tick by tick: to teach it to the knowledge base, or to end it at the target."""
        for _ in range(limit):
            if self.planner.cut == "target" and self.is_reached(sight):
                break
            action = policy(self.model, state, self.seat, self.rng)
            before = state.copy()
            self.model.meter.count_copy()
            self.model.advance(state, (action,), self.rng)
            after = Sight.of_state(self.model, state, self.seat)
            if learns:
                self.learn(sight, action, after)
            depth += 1
            sight = after
            if sight.is_lost:
                return self.other_ends(before, action, sight, depth)
            if sight.over:
                break
        return sight, depth

    def is_reached(self, sight: Sight) -> bool:
        """Whether the avatar is where the target is, or the target is gone."""
        if self.target is None:
            return False
        seen = self.target.seen
        if seen is None:
            return self.left(sight.avatar_cell) == 0.0
        cells = [one.cell for one in sight.of_kinds([seen.kind]) if one.number == seen.number]
        return not cells or sight.avatar_cell in cells

    def other_ends(self, before: Any, action: Any, end: Sight, depth: int) -> tuple[Sight, int]:
        """Try other last moves until one does not lose; the last one tried counts."""
        tried = [other for _, other in self.alternatives(before, action)]
        return tried[-1] if tried else end, depth

    def second_thoughts(self, before: Any, node: YolobotNode, action: Any, depth: int) -> float:
        """A move of the tree lost: try others there, and credit them and what came before.

        The losing move itself keeps its loss, or suicide would look safe.
        """
        value = 0.0
        for other, end in self.alternatives(before, action):
            value = self.value(end, depth)
            node.record(node.place_of(other, self.planner.hope), value)
        return value

    def alternatives(self, before: Any, action: Any) -> Iterator[tuple[Any, Sight]]:
        """A few other actions and where they lead, up to the first that does not lose."""
        others = [one for one in self.model.legal(before, self.seat) if one != action]
        self.rng.shuffle(others)
        for other in others[: self.planner.backtracks]:
            state = self.model.step(before, (other,), self.rng)
            end = Sight.of_state(self.model, state, self.seat)
            yield other, end
            if not end.is_lost:
                return

    # What is learned and what counts

    def is_learned_out(self) -> bool:
        """Whether learning has had its share of the time; without a clock it never has."""
        passed = perf_counter() - self.began
        return self.is_timed and self.learning_s > self.planner.learn_share * passed

    def learn(self, before: Sight, action: Any, after: Sight) -> None:
        """Teach the knowledge base a step; meetings and ends are always worth the time."""
        is_out = self.is_learned_out()
        if is_out and not after.meetings and not after.over:
            return
        begin = perf_counter()
        step = Transition(before, action, self.model.heading(action), after)
        if is_out:
            self.knowledge.observe_avatar(step)
        else:
            self.knowledge.observe(step, waited=action == self.nothing)
        self.learning_s += perf_counter() - begin

    def compare(self, node: YolobotNode, before: Sight, after: Sight) -> None:
        """See whether the same step from the same state led elsewhere than the first time."""
        if self.knowledge.is_stochastic:
            return
        if node.first is None:
            node.first = before, after
        elif node.first[0].key == before.key:
            self.knowledge.saw_twice(before, node.first[1], after)

    def value(self, sight: Sight, depth: int) -> float:
        """The worth of the end of a simulation, from 0 to 1: the outcome, then all else."""
        weights = self.weights
        gain = sight.score - self.sight.score
        missing = weights.distance * self.missing(sight)
        rest = weights.score * gain - missing - weights.steps * depth
        self.low, self.high = min(self.low, rest), max(self.high, rest)
        share = (rest - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        least, most = OPEN
        if self.planner.win_heuristic and sight.over:
            least, most = WON if sight.is_won else LOST
        return least + (most - least) * share

    def missing(self, sight: Sight) -> float:
        """How far the target is; one that is gone has been reached."""
        if self.target is None:
            return 0.0
        seen = self.target.seen
        if seen is not None and not sight.over and not sight.has(seen.number):
            return 0.0
        return self.farthest if sight.avatar_cell == NOWHERE else self.left(sight.avatar_cell)

    def thoughts(self) -> dict[str, Any]:
        """What is expected, feared and aimed at, for those who watch."""
        return {
            "best line": best_line(self.root, ways_after, self.played),
            **shown_aim(self.knowledge, self.sight, self.target),
        }

    def decision(self) -> Decision:
        """The most visited action; among equals the better, then the one nearer to the target."""
        root = self.root
        visits = dict(zip(root.actions, root.visits, strict=True))
        values = dict(zip(root.actions, root.means, strict=True))
        priors = dict(zip(root.actions, root.priors, strict=True))
        tried = [action for action, count in visits.items() if count]
        if not tried:
            actions = self.allowed(self.sight)
            priors = self.priors(self.sight)
            best = max(actions, key=lambda one: priors[one])
        else:
            best = max(
                tried,
                key=lambda one: (visits[one], values[one], priors[one], one != self.nothing),
            )
        self.played = best
        return Decision(
            action=best,
            visits={one: visits.get(one, 0) for one in self.sight.legal},
            values={action: values[action] for action in tried},
            iterations=self.iterations,
            depth=self.deepest,
        )
