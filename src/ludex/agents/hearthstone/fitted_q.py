"""Learned agent: fitted Q iteration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludex.agents.hearthstone.learning.forest_player import ForestPlayer


@dataclass(frozen=True, kw_only=True)
class FittedQ(ForestPlayer):
    """Takes the action with the highest Q value, learned by fitted Q iteration.

    The values are of whole actions, or of three levels: what to do at all, which card or attack,
    which target. LearnedPlayer with `ludex hearthstone iterate FILE`.
    """

    kind: ClassVar[str] = "fitted_q"
