"""Observations as arrays of a fixed size: planes, pixels, or lists of objects."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadParameter
from ludex.core.world import ArraySpec
from ludex.worlds.vgdl import _native
from ludex.worlds.vgdl.scene import Scene

if TYPE_CHECKING:
    from ludex.worlds.vgdl.view import VgdlView

CELL = 10  # pixels, as in the reference's learning environments
MAX_OBJECTS = 512
LARGEST_CELL = 256
MOST_OBJECTS = 10_000
AVATAR_FACTS = 12
FAR = 1e9  # beyond every score and place
LIMITS = {"low": float(np.iinfo(np.int32).min), "high": float(np.iinfo(np.int32).max)}

Form = Literal["grid", "pixels", "objects"]
FORMS: tuple[Form, ...] = ("grid", "pixels", "objects")
OPTIONS = ("size", "cell", "max_objects")


class Sensor:
    """Observations of the states of a level, in one form.

    Args:
        scene: The level.
        form: `grid`: planes [channel, row, column] with 1 where there is a sprite of the
            channel's type. `pixels`: a picture [y, x, colour] of coloured blocks. `objects`:
            a dictionary of `objects`, rows of category, type, id, x, y, width and height,
            filled up with -1; `avatar`: score, tick, x, y, orientation x and y, speed, health,
            its maximum and limit, alive, type; and `resources`, amounts by type.
        size: Columns and rows of planes and pixels; a smaller level is filled up at the right
            and at the bottom, so that levels of unlike sizes look alike.
        cell: Pixels of a cell.
        max_objects: Rows of `objects`; where there are more, those nearest to the avatar stay.
    """

    def __init__(
        self,
        scene: Scene,
        form: str = "grid",
        *,
        size: tuple[int, int] | None = None,
        cell: int = CELL,
        max_objects: int = MAX_OBJECTS,
    ) -> None:
        if form not in FORMS:
            raise BadParameter(f"observation must be one of {', '.join(FORMS)}, got {form!r}")
        level = scene.level
        width, height = (level.width, level.height) if size is None else size
        if not (level.width <= width <= 10_000 and level.height <= height <= 10_000):
            raise BadParameter(
                f"size must be at least the level's {level.width} columns and {level.height} "
                f"rows, got {size!r}"
            )
        for name, value, most in (
            ("cell", cell, LARGEST_CELL),
            ("max_objects", max_objects, MOST_OBJECTS),
        ):
            if not 1 <= value <= most:
                raise BadParameter(f"{name} must be from 1 to {most}, got {value!r}")
        self.scene = scene
        self.form = form
        self.width, self.height, self.cell, self.max_objects = width, height, cell, max_objects

    @cached_property
    def observer(self) -> _native.Observer:
        return _native.Observer(
            self.scene.level,
            self.scene.shades,
            self.width,
            self.height,
            self.cell,
            self.max_objects,
        )

    @cached_property
    def arrays(self) -> Mapping[str, ArraySpec]:
        """What the engine fills, by the engine's names."""
        if self.form == "grid":
            shape: tuple[int, ...] = (len(self.scene.channels), self.height, self.width)
            return {"grid": ArraySpec(shape, 0.0, 1.0, "uint8")}
        if self.form == "pixels":
            shape = (self.height * self.cell, self.width * self.cell, 3)
            return {"pixels": ArraySpec(shape, 0.0, 255.0, "uint8")}
        numbers: dict[str, Any] = {**LIMITS, "dtype": "int32"}
        return {
            "objects": ArraySpec((self.max_objects, 7), **numbers),
            "avatar": ArraySpec((AVATAR_FACTS,), -FAR, FAR, "float32"),
            "resources": ArraySpec((len(self.scene.shades),), **numbers),
        }

    @property
    def spec(self) -> ArraySpec | Mapping[str, ArraySpec]:
        return self.arrays if self.form == "objects" else self.arrays[self.form]

    def observe(self, view: VgdlView) -> Any:
        """A new array, or a dictionary of them where the form has several parts."""
        made: dict[str, NDArray[Any]] = {}
        for name, spec in self.arrays.items():
            made[name] = np.empty(spec.shape, spec.dtype)
            self.observer.fill(name, view._ticket, view.seat, made[name])
        return made if self.form == "objects" else made[self.form]
