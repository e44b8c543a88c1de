"""How large an experiment is repeated: a look, an answer, or all of it."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Scale: TypeAlias = Literal["tiny", "small", "full"]
SCALES: tuple[Scale, ...] = get_args(Scale)
