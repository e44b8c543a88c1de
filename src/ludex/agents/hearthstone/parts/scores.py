"""Heuristic evaluation of states for agents that look ahead."""

from __future__ import annotations

from typing import Any

from ludex.agents.hearthstone import _native
from ludex.worlds.hearthstone.model import HearthstoneModel

WIN = 10.0


def mixed_score(rules: HearthstoneModel, state: Any, seat: int, aggression: float) -> float:
    """Board control as in the Nora study, mixed with damage to the opposing hero."""
    if rules.over(state):
        return WIN * rules.return_of(state, seat)
    board = _native.board_control(rules, state, seat, False)
    return (1 - aggression) * board + aggression * _native.aggro(rules, state, seat)
