"""The mind of YOLOBOT: when it searches, when it plays back, and when it simulates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.notes import Line
from ludex.core.rng import Rng
from ludex.planners.parts.budget import rounds
from ludex.planners.yolobot.best_first import BestFirst, BestFirstNode, LookAhead
from ludex.planners.yolobot.knowledge import Knowledge, Watcher
from ludex.planners.yolobot.sight import Sight
from ludex.planners.yolobot.targets import Chooser, Target, aim, clock
from ludex.planners.yolobot.tree import TreeSearch

if TYPE_CHECKING:
    from ludex.planners.yolobot import Yolobot

Mode: TypeAlias = Literal["search", "replay", "simulate"]

PRE_RUN = 25
"""budgets of one decision that fit into the second before the game"""


def line_to(node: BestFirstNode) -> Line:
    """The actions that lead to a state of the search, for those who watch."""
    return Line(tuple(action for _, action in node.plan()))


class YolobotMemory:
    """The mind: its mode, all it knows, and the work that goes on from one tick to the next."""

    model: Any
    view: Any
    sight: Sight
    nothing: Any

    def __init__(self, planner: Yolobot) -> None:
        self.planner = planner
        self.mode: Mode = "search" if planner.search else "simulate"
        self.knowledge = Knowledge(planner.settling if planner.three_tick_rule else 0, planner)
        self.search: BestFirst | None = None
        self.over: list[BestFirst] = []
        """searches that gave way to others, and are not freed yet"""
        self.look_ahead: LookAhead | None = None
        self.plan: list[tuple[int, Any]] = []
        self.chooser = Chooser(planner)
        self.target: Target | None = None
        self.is_slow = False
        """whether choosing the target took too much of the last decision"""
        self.tree: TreeSearch | None = None
        """of the last decision that was simulated"""
        self.watcher = Watcher(self.knowledge)
        self.first_tick: int | None = None

    # Before the game, and at the start of each decision

    def prepare(self, model: Any, view: Any, budget: Budget) -> None:
        """Search for as long as the second before the game allows; nothing is decided by it."""
        most_calls = self.planner.pre_run_calls
        if budget.time_ms is not None:
            model.meter.arm(time_ms=self.planner.pre_run_ms)
        else:
            calls = budget.model_calls or most_calls
            model.meter.arm(model_calls=min(calls * PRE_RUN, most_calls))
        self.begin(model, view)
        assert self.search is not None
        assert self.look_ahead is not None
        most = Budget(iterations=(budget.iterations or most_calls) * PRE_RUN)
        rng = Rng(0)
        try:
            for _ in rounds(most, model.meter):
                if not self.search.is_exhausted:
                    self.search.expand(rng)
                else:  # time is left to find out whether the game moves or is left to chance
                    self.look_ahead.extend(self.planner.look_ahead, rng)
                    self.search.try_again(self.search.start.copy(), self.sight, rng)
        except BudgetSpent:
            pass

    def begin(self, model: Any, view: Any) -> None:
        """Set up the search from the state of a view."""
        state = model.imagine(view, Rng(0))
        self.model, self.view = model, view
        self.sight = Sight.of_view(view, len(view.history))
        self.knowledge.register(self.sight)
        self.nothing = model.default_action(state, view.seat)
        if self.first_tick is None:
            self.first_tick = self.sight.tick
        if self.search is not None:
            self.over.append(self.search)
        self.search = BestFirst(self.knowledge, model, state, self.sight, self.planner)
        self.look_ahead = LookAhead(self.knowledge, model, state, self.sight)

    def wake(self, model: Any, view: Any) -> None:
        """Take in the real game since the last decision."""
        self.free()
        if self.search is None:
            self.begin(model, view)
        self.model, self.view = model, view
        self.sight = self.watcher.look(model, view)

    def free(self) -> None:
        """Free a part of the searches that are over."""
        if self.over and not self.over[-1].let_go():
            self.over.pop()

    def let_go(self) -> bool:
        """Free a part of all there is; returns whether much is left."""
        if self.search is not None:
            self.over.append(self.search)
            self.search = None
        self.free()
        are_answers_left = self.knowledge.let_go()
        return bool(self.over) or are_answers_left

    def answer(self, decision: Decision) -> Decision:
        """Remember what is played, and show what led to it."""
        self.watcher.last = self.sight, decision.action
        target = self.target.seen if self.target is not None else None
        notes: dict[str, Any] = {"mode": self.mode, "stochastic": self.knowledge.is_stochastic}
        if self.mode == "simulate" and target is not None:
            notes["target"] = target.cell
        return replace(decision, notes={**notes, **decision.notes}, thoughts=self.thoughts)

    def thoughts(self) -> dict[str, Any]:
        """What is on its mind, for those who watch."""
        search = self.search
        found: dict[str, Any] = {}
        if self.mode == "search" and search is not None:
            found["states"] = search.made
            found["best gain"] = search.gain(search.best)
            if search.won is not None:
                found["win found"] = line_to(search.won)
            else:
                found["best line"] = line_to(search.best)
        if self.mode == "replay":
            found["rest of the plan"] = Line(tuple(action for _, action in self.plan))
        if self.mode == "simulate" and self.tree is not None:
            found |= self.tree.thoughts()
        return {**found, "rules learned": self.knowledge.as_table(self.sight)}

    # Search and replay

    @property
    def is_moving(self) -> bool:
        return self.knowledge.is_stochastic or self.knowledge.has_npc

    def keep_searching(self, budget: Budget, rng: Rng) -> int:
        """Go on with the search, and leave it when there is reason to; returns the expansions."""
        planner, done = self.planner, 0
        if self.mode != "search":
            return done
        assert self.search is not None
        assert self.look_ahead is not None
        assert self.first_tick is not None
        waited = self.sight.tick - self.first_tick
        settled = waited >= self.knowledge.settling
        if settled and self.is_moving and planner.simulate:
            self.mode = "simulate"
            return done
        if self.sight.key != self.search.root.key and (
            waited == planner.settling  # it has set itself up: begin from here
            or (not planner.simulate and planner.on_change == "restart")
        ):
            self.begin(self.model, self.view)
        held_back = not settled and (self.is_moving or self.knowledge.is_suspect)
        try:
            self.look_ahead.extend(planner.look_ahead, rng)
            self.search.try_again(self.model.imagine(self.view, rng), self.sight, rng)
            for _ in rounds(budget, self.model.meter):
                if not held_back and self.replay_if_best():
                    break
                if self.search.is_exhausted:
                    break
                self.search.expand(rng)
                done += 1
        except BudgetSpent:
            pass
        if not held_back and not self.plan and not self.replay_if_best():
            self.replay_if_late(waited)
        return done

    def replay_if_best(self) -> bool:
        """Play back a win that cannot be bettered as far as we know."""
        assert self.search is not None
        if not self.search.is_optimal:
            return False
        assert self.search.won is not None
        self.replay(self.search.won)
        return True

    def replay_if_late(self, waited: int) -> None:
        """Play back the best there is when time is up or nothing is left to search."""
        assert self.search is not None
        assert self.look_ahead is not None
        assert self.first_tick is not None
        planner, search = self.planner, self.search
        total = planner.game_ticks - self.first_tick
        if self.look_ahead.ends_after is not None:
            total = search.sight.tick + self.look_ahead.ends_after - self.first_tick
        left = total - waited
        won = search.won
        is_over = waited >= planner.search_share * total and planner.simulate
        if won is not None and won.depth <= left:
            if is_over or search.is_exhausted or left <= won.depth + 1:
                self.replay(won)
        elif is_over or search.is_exhausted:
            if self.look_ahead.is_won:
                self.wait_for_the_win(left)
            else:
                self.replay(search.best)

    def wait_for_the_win(self, ticks: int) -> None:
        """Go on doing nothing, which wins; a state that is not the same ends it."""
        self.plan = [(self.sight.key, self.nothing)] * ticks
        self.mode = "replay"

    def replay(self, node: BestFirstNode) -> None:
        """Begin to play back a line; what comes after it is simulated."""
        self.plan = node.plan()
        self.mode = "replay"

    def planned(self) -> Decision | None:
        """The next step of the plan; None without one, or when the game took another turn."""
        if self.mode != "replay":
            return None
        if self.plan:
            key, action = self.plan[0]
            if key == self.sight.key and action in self.sight.legal:
                self.plan.pop(0)
                return Decision(action=action, notes={"plan": len(self.plan)})
            self.knowledge.is_stochastic = True
        self.plan = []
        self.mode = "simulate"
        if not self.planner.simulate:
            self.mode = "search"
            self.begin(self.model, self.view)
        return None

    # Simulation

    def unplanned(self, budget: Budget, rng: Rng, expanded: int) -> Decision:
        """Wait while there is something to search; else simulate towards a target."""
        if self.mode == "search":
            return Decision(action=self.nothing, iterations=expanded)
        model, sight = self.model, self.sight
        if self.planner.target_chooser:
            self.aim(budget)
        tree = self.tree = TreeSearch(
            self.planner,
            self.knowledge,
            model,
            self.view,
            sight,
            self.target,
            self.nothing,
            rng,
            is_timed=budget.time_ms is not None,
        )
        left = budget.iterations - expanded if budget.iterations else None
        if left is None or left > 0:
            allowed = budget if left is None else replace(budget, iterations=left)
            try:
                for _ in rounds(allowed, model.meter):
                    tree.simulate()
            except BudgetSpent:
                pass  # the unfinished simulation is dropped
        decision = tree.decision()
        return replace(decision, iterations=decision.iterations + expanded)

    def aim(self, budget: Budget) -> None:
        """Choose the target, or keep the last one where choosing it took too long."""
        is_kept = self.target is not None and (
            self.target.seen is None or self.sight.has(self.target.seen.number)
        )
        if self.is_slow and is_kept:
            self.is_slow = False
            return
        spent = clock(self.model.meter, budget)
        self.target = aim(self.knowledge, self.chooser, self.sight, self.model, spent)
        if spent is not None:
            self.is_slow = spent() > self.planner.aim_share
