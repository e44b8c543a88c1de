"""Sizes of the hypothesis spaces of learned forward models.

The smaller the space, the fewer steps are needed to learn. The sizes are huge, so their decimal
logarithms are given: there are outcomes ** cases deterministic models.
"""

from __future__ import annotations

from math import log10


def digits_of_hypotheses(cells: int, tiles: int, actions: int, inputs: int) -> dict[str, float]:
    """The decimal logarithm of the number of deterministic models of each family.

    Args:
        cells: Number of cells of the grid.
        tiles: Number of distinct tiles.
        actions: Number of actions, none of which acts on a cell.
        inputs: Number of cells that a cell is predicted from, if not all.

    >>> [f"{digits:.3g}" for digits in digits_of_hypotheses(9, 2, 1, 9).values()]
    ['1.39e+03', '1.39e+03', '1.39e+03', '154']
    """
    seen_by_all, seen_by_some = float(tiles) ** cells, float(tiles) ** inputs
    one_cell = seen_by_some * actions * log10(tiles)
    whole = seen_by_all * actions * cells * log10(tiles)
    return {
        "end to end": whole,
        "decomposed, all inputs": whole,
        "decomposed": cells * one_cell,
        "local": one_cell,
    }
