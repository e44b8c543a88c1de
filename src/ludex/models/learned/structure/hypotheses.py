"""How many models of each family there are: what a learner has to choose among.

The fewer there are, the fewer steps are enough to tell them apart. The numbers have too many
digits to be written, so their digits are counted: a deterministic model is one outcome for every
case, so there are outcomes ** cases of them.
"""

from __future__ import annotations

from math import log10


def digits_of_hypotheses(cells: int, tiles: int, actions: int, inputs: int) -> dict[str, float]:
    """The decimal logarithm of the number of deterministic models of each family.

    Args:
        cells: Of the grid.
        tiles: Sorts of content of a cell.
        actions: Things that can be done, none of them to a cell of its own.
        inputs: Cells that a cell is foretold from, where it is not all of them.

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
