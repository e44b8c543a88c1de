"""Base class of agents that play with forests from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.learning import forest_file, improving
from ludex.agents.hearthstone.learning import nora as learning
from ludex.agents.hearthstone.learning.nora import Recipe
from ludex.agents.hearthstone.learning.samples import study_numbers
from ludex.agents.hearthstone.parts.flat import FlatExpert
from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.errors import Unsupported
from ludex.core.model import Model
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.worlds.hearthstone._native import State
from ludex.worlds.hearthstone.model import HearthstoneModel

SURE: Mapping[str, Any] = {"threshold": Between(0.0, 1.0)}
THRESHOLDS = {"nora": 0.0, "apprentice": 0.6, "fitted_q": 0.0}
"""the default least confidence of each kind"""


@dataclass(frozen=True)
class LearnedPlayer:
    """A player made of the forests of a file."""

    kind: str
    chooser: _native.Chooser
    facts: dict[str, Any]
    nora: _native.Nora | None = None


@lru_cache(maxsize=4)
def prepared(
    world: str,
    path: str,
    kind: str | None = None,
    threshold: float | None = None,
    faults: frozenset[str] = frozenset(),
) -> LearnedPlayer:
    """Load the forests of a file for a world; cached, because they are large.

    The file says who plays with them; `kind` refuses others. Nora can have faults back.
    """
    forests, facts = forest_file.read(Path(path), kind)
    played: Any = registry.world(world)
    model, numbers = played.model, study_numbers(played.tables)
    kind = facts["kind"]
    sure = THRESHOLDS[kind] if threshold is None else threshold
    if kind == "apprentice":
        chooser = improving.chooser(model, numbers, forests["better"], sure)
        return LearnedPlayer(kind, chooser, facts)
    if kind == "fitted_q" and "whole" in forests:
        whole = forests["whole"].native()
        return LearnedPlayer(kind, _native.Chooser.valued(model, whole, numbers), facts)
    recipe = Recipe(**facts["recipe"]) if kind == "nora" else Recipe()
    nora = learning.assembled(model, forests, numbers, recipe, sure, faults)
    if kind == "fitted_q":
        meta = forests["meta"].native()
        return LearnedPlayer(kind, _native.Chooser.two_level(nora, meta), facts, nora)
    return LearnedPlayer(kind, _native.Chooser.nora(nora), facts, nora)


@dataclass(frozen=True, kw_only=True)
class ForestPlayer(FlatExpert):
    """Plays with a learned policy, without look-ahead."""

    kind: ClassVar[str]

    file: str = ""
    """the file of forests"""

    @property
    def sure(self) -> float | None:
        """The least confidence, for players that have one."""
        return None

    @property
    def faults(self) -> frozenset[str]:
        """The faults of the released program that this player shall have."""
        return frozenset()

    def learned(self, rules: HearthstoneModel) -> LearnedPlayer:
        return prepared(rules.world, self.file, self.kind, self.sure, self.faults)

    def rules(self, model: Model) -> HearthstoneModel:
        if not self.file:
            command = f"ludex hearthstone {forest_file.COMMANDS[self.kind]} {self.kind}.npz"
            raise Unsupported(
                f"{self.name} has learned nothing yet: run {command!r}, then play "
                f"{self.name}(file={self.kind}.npz)"
            )
        rules = super().rules(model)
        self.learned(rules)  # a bad file is refused at the start
        return rules

    def choose(self, rules: HearthstoneModel, seen: State, view: Any, rng: Rng) -> Decision:
        return Decision(action=_native.chosen(rules, seen, self.learned(rules).chooser, rng))
