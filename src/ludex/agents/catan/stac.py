"""Scripted agent after the Stac agent, stronger than jsettlers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.catan.parts.mind import SettlerAgent
from ludex.agents.catan.parts.settler import Style
from ludex.core.parameters import Between


@dataclass(frozen=True, kw_only=True)
class Stac(SettlerAgent):
    """Ranks plans by estimated building speed, cards late, trades sparingly, robs the leader."""

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "offers": Between(0, 50),
        "least_gain": Between(1, 80),
        "favour_card": Between(-20, 1),
        "early_points": Between(0, 30),
    }

    offers: int = 1
    """the most offers in a turn"""
    least_gain: int = 3
    """rolls that an offer must save"""
    favour_card: float = -5.0
    """a card's time t counts t - favour * t"""
    early_points: int = 5
    """below so many points only settlements and cities are planned"""

    @property
    def style(self) -> Style:
        return Style(
            favour_card=self.favour_card,
            early_points=self.early_points,
            offers=self.offers,
            least_gain=self.least_gain,
            saves=True,
        )
