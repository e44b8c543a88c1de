"""What a model is as a part of an agent: parameters that make a model for one mind."""

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
    """The right side of `planner@model(...)`: parameters, and `make`."""

    @abstractmethod
    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        """Make the model that one mind imagines with, from the rules and its first view.

        What it returns may have `observe(event)`; the mind then passes on all it sees.
        """

    def refusal(self, traits: Traits, view: View) -> str | None:
        """Say why no model can be made for worlds with these traits and views, or None."""
        return None

    @property
    def name(self) -> str:
        return type(self).__module__.rpartition(".")[2]

    @classmethod
    def summary(cls) -> str:
        return (cls.__doc__ or "").strip().partition("\n")[0]

    def __str__(self) -> str:
        return write_named(self.name, self.changed(), "()")
