"""Editions of a competition: public, hidden and secret sets of games, which rotate.

In each edition, entries may train on the public sets, see results on the validation set, and
are ranked on the secret test set. After it the validation set is published, the test set
validates the next edition, and a new set tests it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias, get_args

from ludex.core.errors import BadParameter

Role: TypeAlias = Literal["training", "validation", "test"]
ROLES: tuple[Role, ...] = get_args(Role)
REPETITIONS: dict[Role, int] = {"training": 1, "validation": 1, "test": 5}
"""how often every level is played"""


@dataclass(frozen=True, slots=True)
class Edition:
    """Which sets of games have which role."""

    training: tuple[str, ...]
    validation: str
    test: str

    def __post_init__(self) -> None:
        names = [*self.training, self.validation, self.test]
        if not self.training or len(set(names)) < len(names):
            raise BadParameter(
                "an edition has at least one training set, one for validation and one for the "
                f"test, each with one role; got {names}"
            )

    @classmethod
    def of(cls, sets: Sequence[str], edition: int = 1) -> Self:
        """The edition that a list of sets has reached, oldest first.

        >>> Edition.of(["set 1", "set 2", "set 3", "set 4"], edition=2)
        Edition(training=('set 1', 'set 2'), validation='set 3', test='set 4')
        """
        if edition < 1 or len(sets) < edition + 2:
            raise BadParameter(
                f"edition {edition} needs {max(edition, 1) + 2} sets of games, got {len(sets)}"
            )
        training, (validation, test) = sets[:edition], sets[edition : edition + 2]
        return cls(tuple(training), validation, test)

    def rotate(self, new: str) -> Self:
        """The next edition: a set is published, one moves up, a new one is kept secret."""
        return type(self)((*self.training, self.validation), self.test, new)

    def sets(self, role: Role) -> tuple[str, ...]:
        return self.training if role == "training" else (getattr(self, role),)
