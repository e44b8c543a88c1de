"""Base class of agents that choose whole actions from the visible state."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.expert import Expert
from ludex.agents.hearthstone import _native
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import Unsupported
from ludex.core.model import Model, Policy
from ludex.core.policy import NativePolicy
from ludex.core.rng import Rng
from ludex.worlds.hearthstone._native import State
from ludex.worlds.hearthstone.model import HearthstoneModel


@dataclass(frozen=True, slots=True)
class ChooserPolicy(NativePolicy):
    """A native player of Hearthstone as a rollout policy."""

    chooser: _native.Chooser
    rules: HearthstoneModel

    def __post_init__(self) -> None:
        self.keep(native=self.chooser.as_policy(self.rules))

    def __call__(self, model: Any, state: State, seat: int, rng: Rng) -> Any:
        return _native.chosen(self.rules, state, self.chooser, rng)


@dataclass(frozen=True, kw_only=True)
class FlatExpert(Expert):
    """Plays by the visible state; refuses worlds in which actions are chosen in parts."""

    knows: ClassVar[type] = HearthstoneModel

    def rules(self, model: Model) -> HearthstoneModel:
        rules: HearthstoneModel = super().rules(model)
        if rules.staged:
            raise Unsupported(
                f"{self.name} chooses whole actions; play it in hearthstone[actions=flat]"
            )
        return rules

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        if len(view.legal) == 1:
            return Decision(action=view.legal[0])
        rules = self.rules(model)
        return self.choose(rules, rules.seen_state(view.seen, view.seat), view, rng)

    def chooser(self) -> _native.Chooser | None:
        """The same player in native code, where there is one."""
        return None

    def rollout_policy(self, model: Model) -> Policy:
        """The player as a rollout policy, where it exists in native code."""
        rules, chooser = self.rules(model), self.chooser()
        if chooser is None:
            raise Unsupported(
                f"{self.name} cannot be a rollout policy; use hearthstone/scripted or uniform"
            )
        return ChooserPolicy(chooser, rules)

    @abstractmethod
    def choose(self, rules: HearthstoneModel, seen: State, view: Any, rng: Rng) -> Decision:
        """Choose among several legal actions."""
