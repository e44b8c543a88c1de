"""A trail that an avatar leaves on the grid, which spreads and fades."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludex.core.notes import Cells

# What is laid down around the avatar, by columns and rows from it; all of it adds up to 1.
DEPOSIT = {
    (0, 0): 0.28,
    **dict.fromkeys([(0, -1), (-1, 0), (0, 1), (1, 0)], 0.12),
    **dict.fromkeys([(-1, -1), (1, -1), (-1, 1), (1, 1)], 0.04),
    **dict.fromkeys([(0, -2), (-2, 0), (0, 2), (2, 0)], 0.02),
}


class Pheromones:
    """How much lies in each cell, from 0 to 1."""

    def __init__(self, columns: int, rows: int, diffusion: float, decay: float) -> None:
        self.diffusion = diffusion
        self.decay = decay
        self.cells: NDArray[np.float64] = np.zeros((rows, columns))
        self.neighbours = spread(np.ones((rows, columns)))  # how many each cell has

    def step(self, column: int, row: int) -> None:
        """Play a tick of the real game: lay down around the avatar, then spread and fade."""
        rows, columns = self.cells.shape
        for (dx, dy), amount in DEPOSIT.items():
            if 0 <= column + dx < columns and 0 <= row + dy < rows:
                self.cells[row + dy, column + dx] += amount
        np.clip(self.cells, 0.0, 1.0, out=self.cells)
        around = spread(self.cells) / np.maximum(self.neighbours, 1.0)
        kept = (1.0 - self.diffusion) * self.decay
        self.cells = self.diffusion * around + kept * self.cells

    def copy(self) -> Pheromones:
        """The same trail, which can be led on by itself."""
        rows, columns = self.cells.shape
        made = Pheromones(columns, rows, self.diffusion, self.decay)
        made.cells = self.cells.copy()
        return made

    def at(self, column: int, row: int) -> float:
        """What lies in a cell; as much as can be where there is none."""
        rows, columns = self.cells.shape
        if not (0 <= column < columns and 0 <= row < rows):
            return 1.0
        return float(self.cells[row, column])

    def as_cells(self) -> Cells:
        """The trail, to be shown."""
        rows = enumerate(self.cells.tolist())
        return Cells({(x, y): amount for y, row in rows for x, amount in enumerate(row)})


def spread(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each cell the sum of its four neighbours; cells at the edge have fewer."""
    sums = np.zeros_like(cells)
    sums[1:] += cells[:-1]
    sums[:-1] += cells[1:]
    sums[:, 1:] += cells[:, :-1]
    sums[:, :-1] += cells[:, 1:]
    return sums
