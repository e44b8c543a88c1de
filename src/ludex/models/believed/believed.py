"""Belief model: the rules, determinised by a belief over hidden information."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ludex.core.belief import Belief, BeliefPart
from ludex.core.budget import Budget
from ludex.core.capabilities import GlancesNatively, able
from ludex.core.errors import UnknownName, did_you_mean
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.names import read_named
from ludex.core.rng import Rng
from ludex.core.state import StateT
from ludex.core.traits import Traits
from ludex.core.view import OpenView, View, check_view
from ludex.models.believed.parts import BELIEFS
from ludex.models.parts.delegate import Delegate
from ludex.models.parts.part import ModelPart


def read_belief(text: str) -> BeliefPart:
    """Make the belief that a text such as `particles(n=500)` names."""
    named = read_named(text, "()", "a belief")
    if named.name not in BELIEFS:
        hint = did_you_mean(named.name, BELIEFS) or f"; known: {', '.join(sorted(BELIEFS))}"
        raise UnknownName(f"no belief named {named.name!r}{hint}")
    return BELIEFS[named.name].from_texts(named.arguments)


@dataclass(frozen=True, kw_only=True)
class Believed(ModelPart):
    """The rules with a belief over hidden information, for planners with perfect information.

    `imagine` samples a complete state (a determinisation) from the belief, which is updated with
    views and events only. In worlds without hidden information this is the true model.
    """

    belief: str = "uniform"
    """uniform: the exact prior given the view; particles(n=1000): a particle filter over events"""

    def __post_init__(self) -> None:
        super().__post_init__()
        read_belief(self.belief)

    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        if not model.traits.hidden:
            return model  # no hidden information
        return BelievedModel(model, read_belief(self.belief).start(model, view, rng))


class BelievedModel(Delegate[StateT]):
    """The inner model, except that `imagine` samples states from the belief."""

    keeps_rules: ClassVar[bool] = True

    def __init__(self, inner: Model[StateT], belief: Belief) -> None:
        super().__init__(inner)
        self.belief = belief

    @property
    def traits(self) -> Traits:
        """A sampled state is complete, so nothing in it is hidden."""
        return replace(self.inner.traits, hidden=False)

    def view(self, state: StateT, seat: int) -> View:
        """An open view of a sampled state, which holds no secret of the real game."""
        return OpenView(seat, tuple(self.inner.legal(state, seat)), state.copy())

    def imagine(self, view: Any, rng: Rng) -> StateT:
        """Sample a complete state from the belief, given a view of the real game."""
        if isinstance(view, OpenView):
            self.inner.to_act(view.state)  # raises for a state of other rules
            self.meter.count_copy()
            imagined: StateT = view.state.copy()
            return imagined
        check_view(view)
        self.meter.count_copy()
        drawn: StateT = self.belief.sample(view, rng)
        return drawn

    def native_glance(self, view: Any) -> Any:
        """What native searches draw from as `imagine` does; None where the belief is Python's."""
        glances = able(self.belief, GlancesNatively)
        return None if glances is None else glances.native_glance(view)

    def key(self, state: StateT, seat: int | None = None, ignore: tuple[str, ...] = ()) -> Hashable:
        if seat is not None:
            self.inner.score(state, seat)  # raises if there is no such seat
        return self.inner.key(state, None, ignore)

    def observe(self, event: Event) -> None:
        self.belief.observe(event)
