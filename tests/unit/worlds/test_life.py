"""The interactive Game of Life."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from ludex.core import Rng, registry
from ludex.core.errors import BadParameter, InvalidState
from ludex.worlds.life.rules import Board


def conway(alive, neighbours):
    """The rule as it is told: birth with three, survival with two or three."""
    return neighbours == 3 or (alive and neighbours == 2)


def generation(grid, wraps):
    """One generation, cell by cell."""
    height, width = grid.shape
    after = np.zeros_like(grid)
    for row, column in product(range(height), range(width)):
        count = 0
        for up, left in product((-1, 0, 1), repeat=2):
            r, c = row + up, column + left
            if (up, left) == (0, 0):
                continue
            if wraps:
                count += grid[r % height, c % width]
            elif 0 <= r < height and 0 <= c < width:
                count += grid[r, c]
        after[row, column] = conway(bool(grid[row, column]), count)
    return after


@pytest.mark.parametrize("pattern", range(512))
def test_every_neighbourhood_has_the_middle_that_conway_gives_it(pattern):
    cells = sum((pattern >> place & 1) << (place // 3 * 5 + place % 3) for place in range(9))
    after = Board(5, 4, "dead").next_generation(cells)
    middle, others = pattern >> 4 & 1, (pattern & ~(1 << 4)).bit_count()
    assert bool(after >> 6 & 1) == conway(bool(middle), others)


@pytest.mark.parametrize("border", ["dead", "torus"])
@pytest.mark.parametrize(("width", "height"), [(3, 3), (4, 7), (9, 5)])
def test_a_generation_is_that_of_single_cells(border, width, height):
    dice = np.random.default_rng(width * height)
    for _ in range(40):
        grid = dice.integers(0, 2, (height, width))
        cells = sum(1 << int(place) for place in np.flatnonzero(grid))
        wanted = sum(
            1 << int(place) for place in np.flatnonzero(generation(grid, border == "torus"))
        )
        assert Board(width, height, border).next_generation(cells) == wanted


def test_a_switched_cell_counts_in_the_generation_that_follows():
    life = registry.world("life[width=3,height=3]")
    state = life.parse("#../#../...")
    after = life.step(state, (life.switch(2, 0),), Rng(0))
    assert str(after) == ".../##./... tick=1 total=2"  # by hand: three in a column, at the edge


def test_the_score_is_the_sum_of_all_who_lived():
    life = registry.world("life[width=4,height=4,ticks=3]")
    state = life.parse(".##./.##./..../....")  # a block stays as it is
    for _ in range(3):
        state = life.step(state, (0,), Rng(0))
    assert life.model.score(state, 0) == 12
    assert life.model.outcome(state).returns == (4 / 16,)
    assert life.model.outcome(state).winners == (0,)


def test_a_dead_board_wins_nothing():
    life = registry.world("life[width=3,height=3,ticks=1]")
    after = life.step(life.parse("#../.../..."), (0,), Rng(0))
    assert life.model.outcome(after).winners == ()


def test_density_is_the_share_that_lives_at_the_start():
    living = [registry.world("life[density=0.3]").start(Rng(seed)).living for seed in range(100)]
    assert 27 < np.mean(living) < 33  # of 100 cells; the standard error of the mean is 0.46


def test_the_grid_marks_the_cells_that_actions_switch():
    life = registry.world("life[width=4,height=3]")
    shown = life.model.view(life.parse("..../.#../...."), 0).as_tiles()
    assert shown.tiles.array.tolist() == [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    assert shown.acts[life.switch(1, 2)].cell == 6
    assert shown.acts[0].cell == -1


@pytest.mark.parametrize("text", ["life[width=2]", "life[density=1.5]", "life[ticks=0]"])
def test_impossible_boards_are_refused(text):
    with pytest.raises(BadParameter, match="must be"):
        registry.world(text)


@pytest.mark.parametrize("text", ["#", "...../", "x" * 100, ".../.../... tick=0 total=1"])
def test_texts_that_are_no_board_are_refused(text):
    with pytest.raises(InvalidState):
        registry.world("life[width=3,height=3]").parse(text)
