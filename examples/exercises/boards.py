"""What the exercises share: where things are on the board, and how far the way to them is."""

from collections import deque
from functools import lru_cache

from ludex.core.objects import Category

NEIGHBOURS = ((0, -1), (0, 1), (-1, 0), (1, 0))


def cells(view, *categories):
    """The cells of all objects of these categories that the seat sees, in a fixed order."""
    rows = view.rows
    block = view.block
    found = {
        (x // block, y // block)
        for category, x, y in rows[["category", "x", "y"]].tolist()
        if category in categories
    }
    return tuple(sorted(found))


def walls(view):
    """Cells with an object that stands still; in these games, those that nobody can enter."""
    return frozenset(cells(view, Category.STATIC))


@lru_cache(maxsize=1000)  # targets and walls are mostly the same as before
def steps_to(targets, blocked, width, height):
    """How many steps it is from each cell to the nearest target: a wave that runs around walls.

    Cells that no target can be reached from are left out. The answer is kept for the next who asks,
    so do not change it.
    """
    steps = dict.fromkeys(targets, 0)
    waiting = deque(targets)
    while waiting:
        column, row = waiting.popleft()
        for right, down in NEIGHBOURS:
            cell = column + right, row + down
            is_inside = 0 <= cell[0] < width and 0 <= cell[1] < height
            if is_inside and cell not in steps and cell not in blocked:
                steps[cell] = steps[column, row] + 1
                waiting.append(cell)
    return steps
