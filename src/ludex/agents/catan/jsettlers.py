"""Scripted agent after the robots of JSettlers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.catan.parts.mind import SettlerAgent
from ludex.agents.catan.parts.settler import Style
from ludex.core.parameters import Between


@dataclass(frozen=True, kw_only=True)
class Jsettlers(SettlerAgent):
    """Builds what it can build soonest by its estimate, cards last, and trades for it."""

    LIMITS: ClassVar[Mapping[str, Any]] = {"offers": Between(0, 50)}

    offers: int = 2
    """the most offers in a turn"""

    @property
    def style(self) -> Style:
        return Style(
            favour_card=None,
            early_points=5,
            offers=self.offers,
            least_gain=1,
            saves=False,
        )
