"""Base class of models as parts of an agent: parameters, and a factory of the model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.errors import UnknownName
from ludex.core.model import Model
from ludex.core.names import read_named, write_named
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


def read_model(text: str, whose: str) -> Any:
    """The part that a text such as `exchange(belief=uniform)` names, for a model made of others."""
    named = read_named(text, "()", "a model")
    if named.name not in registry.names("models"):
        known = ", ".join(registry.names("models"))
        raise UnknownName(f"no model named {named.name!r} for {whose}; known: {known}")
    return registry.load("models", named.name).from_texts(named.arguments)
