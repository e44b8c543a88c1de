"""Parameters of YOLOBOT that its sources leave open, for learning and choosing targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

from ludex.core.parameters import AtLeast, Parameters
from ludex.planners.yolobot.own_board import CellDistances


@dataclass(frozen=True, kw_only=True)
class Habits(Parameters):
    """How to learn from what is seen, and what to go for. Both variants of YOLOBOT share it."""

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "patience": AtLeast(1),
        "excluded_ticks": AtLeast(0),
        "loyalty": AtLeast(0),
        "worth_scale": AtLeast(1e-6),
        "detour": AtLeast(1),
        "heat_horizon": AtLeast(1),
        "fear": AtLeast(0),
        "sure_after": AtLeast(1),
        "learn_most": AtLeast(1),
        "control_span": AtLeast(1),
        "control_back": AtLeast(0),
        "longest_step": AtLeast(1),
        "period_samples": AtLeast(1),
    }

    patience: int = 10
    """ticks without coming nearer after which a target is given up ..."""
    excluded_ticks: int = 50
    """... and the ticks for which it then is, unless another inventory opens new ways"""
    loyalty: float = 0.0
    """by how many steps another target must be better than the last one"""
    worth_won: float = 200.0
    """steps that one would go to win ..."""
    worth_gain: float = 50.0
    """... for points ..."""
    worth_new: float = 40.0
    """... for what was never touched ..."""
    worth_item: float = 30.0
    """... for another inventory ..."""
    worth_portal: float = 20.0
    """... for a portal ..."""
    worth_use: float = 10.0
    """... for what can be hit from afar ..."""
    worth_fine: float = -50.0
    """... and, below 0, to keep away from what costs points ..."""
    worth_block: float = -100.0
    """... from what is in the way ..."""
    worth_lost: float = -1000.0
    """... and from what kills"""
    worth_by: Literal["sum", "product"] = "sum"
    """a target's value: its worth less the way, or the way times a factor, small for the dear"""
    worth_scale: float = 100.0
    """with a product: the worth that makes a way 2.7 times shorter"""
    distance: Literal["path"] | CellDistances = "path"
    """between cells: the cheapest path over the board as it is known, or a function"""
    detour: float = 3.0
    """where nothing can be reached, a cell as the crow flies counts as so many steps"""
    heat_horizon: int = 10
    """ticks that are looked ahead for danger"""
    fear: float = 80.0
    """what is added to the cost of a cell where a killer is already"""
    heat_steps: Literal["straight", "diagonal"] = "straight"
    """how killers move: along one axis at a time, or along both"""
    unknown_npcs: Literal["harmless", "deadly"] = "harmless"
    """what is expected of creatures that were never met"""
    intervals: Literal["lenient", "strict"] = "lenient"
    """whether what only ever blocked blocks with any inventory, or with those that were seen"""
    sure_after: int = 3
    """times that something must have blocked before it is not tried again"""
    learn_most: int = 200
    """the same meeting is not learned from more often than this"""
    control_span: int = 20
    """unexpected moves, less expected ones, after which control is lost ..."""
    control_back: int = 5
    """... and expected ones after which it is back"""
    longest_step: int = 2
    """a move of more cells than this, columns and rows together, is a jump"""
    period_samples: int = 3
    """intervals that must agree before a period is believed"""

    @cached_property
    def worths(self) -> dict[str, float]:
        """What the effects of a meeting are worth, in steps."""
        return {
            "won": self.worth_won,
            "score+": self.worth_gain,
            "inventory": self.worth_item,
            "score-": self.worth_fine,
            "lost": self.worth_lost,
        }


USUAL = Habits()
