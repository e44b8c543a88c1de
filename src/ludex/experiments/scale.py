"""Scales at which an experiment is reproduced: tiny, small or full."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Scale: TypeAlias = Literal["tiny", "small", "full"]
SCALES: tuple[Scale, ...] = get_args(Scale)
