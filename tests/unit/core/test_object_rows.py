"""Objects of views in native code: differences, places and digests, beside plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.core.objects import ObjectRows

BLOCK = 10
ASIDE = (0, 5)
ROWS = st.lists(
    st.tuples(
        st.integers(0, 6),
        st.integers(0, 3),
        st.integers(0, 9),
        *[st.integers(-25, 45)] * 2,
        *[st.just(10)] * 2,
    ),
    unique_by=lambda row: row[2],
    max_size=8,
)


def made(rows) -> ObjectRows:
    return ObjectRows(np.array(rows, dtype=np.int32).reshape(-1, 7), BLOCK, ASIDE)


def thing(row):
    category, kind, number, x, y, *_ = row
    return number, kind, category, (x // BLOCK, y // BLOCK)


@given(ROWS, ROWS)
@settings(max_examples=200, deadline=None)
def test_changes_are_those_found_object_by_object(before, after):
    old, new = ({row[2]: row for row in rows} for rows in (before, after))
    expected = {
        tuple(thing(rows[number]) if number in rows else None for rows in (old, new))
        for number in old.keys() | new.keys()
        if old.get(number) != new.get(number) and (new.get(number) or old[number])[0] not in ASIDE
    }
    found = made(before).changes(made(after))
    assert set(found) == expected
    assert len(found) == len(expected)


@given(ROWS, st.integers(-3, 4), st.integers(-3, 4))
@settings(max_examples=100, deadline=None)
def test_objects_are_found_by_cell_type_and_id(rows, column, row):
    objects = made(rows)
    listed = [thing(one) for one in rows if one[0] not in ASIDE]
    assert objects.listed() == listed
    assert objects.at(column, row) == [one for one in listed if one[3] == (column, row)]
    assert objects.of_types((1, 2)) == [one for one in listed if one[1] in (1, 2)]
    assert [objects.has(number) for number in range(10)] == [
        any(one[2] == number for one in rows) for number in range(10)
    ]
    assert objects.has_category(5) == any(one[0] == 5 for one in rows)
    assert len(objects) == len(rows)


@given(ROWS, ROWS, st.integers(-3, 4), st.integers(-3, 4), st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_surroundings_are_the_same_if_types_and_cells_near_by_are(one, other, column, row, reach):
    def near(rows):
        listed = [thing(one) for one in rows if one[0] not in ASIDE]
        return [
            (kind, cell)
            for _, kind, _, cell in listed
            if abs(cell[0] - column) <= reach and abs(cell[1] - row) <= reach
        ]

    same = made(one).around(column, row, reach) == made(other).around(column, row, reach)
    assert same == (near(one) == near(other))
    moved = [[*row[:2], row[2] + 10, *row[3:]] for row in one]  # other objects, in the same places
    assert made(one).around(column, row, reach) == made(moved).around(column, row, reach)


@given(ROWS, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_digests_depend_on_the_rows_and_not_on_their_order(rows, dice):
    shuffled = list(rows)
    dice.shuffle(shuffled)
    assert made(rows).digest == made(shuffled).digest
    for place, one in enumerate(rows):
        for column in range(7):
            other = [*one[:column], one[column] + 1, *one[column + 1 :]]
            if column or other[0] <= 31:
                changed = [*rows[:place], other, *rows[place + 1 :]]
                assert made(changed).digest != made(rows).digest


@pytest.mark.parametrize(
    ("rows", "block", "aside", "words"),
    [
        (b"abc", 10, (), "rows of seven"),
        (b"", 0, (), "at least one pixel"),
        (b"", 10, (40,), "from 0 to 31"),
        (np.full((1, 7), 99, np.int32), 10, (), "from 0 to 31"),
    ],
)
def test_rows_that_make_no_sense_are_refused(rows, block, aside, words):
    with pytest.raises(ValueError, match=words):
        ObjectRows(rows, block, aside)
