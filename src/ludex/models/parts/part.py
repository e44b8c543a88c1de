"""Base class of models as parts of an agent: parameters, and a factory of the model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from ludex.core.budget import Budget
from ludex.core.model import Model
from ludex.core.names import write_named
from ludex.core.parameters import Parameters
from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.core.view import View


@dataclass(frozen=True, kw_only=True)
class ModelPart(Parameters, ABC):
    """The model in `planner@model(...)`: parameters, and `make`, which builds the model."""

    @abstractmethod
    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        """Make the model that one mind plans with, from the rules and its first view.

        The model may have `observe(event)`; the mind then passes on every event it sees.
        """

    def refusal(self, traits: Traits, view: View) -> str | None:
        """Return why no model can be made for worlds with these traits and views, or None."""
        return None

    @property
    def name(self) -> str:
        return type(self).__module__.rpartition(".")[2]

    @classmethod
    def summary(cls) -> str:
        return (cls.__doc__ or "").strip().partition("\n")[0]

    def __str__(self) -> str:
        return write_named(self.name, self.changed(), "()")
