"""Zero-sum matrix games, solved as linear programs by the simplex method.

The games here have at most six rows, and a solution of goofspiel needs thousands of them: a
small tableau beats a general solver by two orders of magnitude. Tests compare both.
"""

from __future__ import annotations

from collections.abc import Sequence

CLOSE = 1e-11


def solve_matrix(payoffs: Sequence[Sequence[float]]) -> tuple[float, list[float], list[float]]:
    """The value of a game for the row player, and optimal mixed strategies of both.

    >>> value, mixed_rows, mixed_columns = solve_matrix([[2, -1], [-1, 1]])
    >>> round(value, 6), [round(chance, 6) for chance in mixed_rows]
    (0.2, [0.4, 0.6])
    """
    rows, columns = len(payoffs), len(payoffs[0])
    # Step 1. Make all payoffs at least 1, so that the value is positive.
    shift = 1.0 - min(map(min, payoffs))
    # Step 2. Column player: maximise sum(y) where payoffs @ y <= 1 and y >= 0. One row of the
    # tableau is a constraint: coefficients of y, of the slacks, and the right side.
    tableau = [
        [float(payoff) + shift for payoff in line]
        + [1.0 if slack == index else 0.0 for slack in range(rows)]
        + [1.0]
        for index, line in enumerate(payoffs)
    ]
    costs = [-1.0] * columns + [0.0] * (rows + 1)
    basis = [columns + index for index in range(rows)]
    # Step 3. Pivot by Bland's rule, which cannot cycle.
    while (entering := next((i for i, cost in enumerate(costs[:-1]) if cost < -CLOSE), -1)) >= 0:
        leaving = _leaving(tableau, basis, entering)
        _pivot(tableau, costs, leaving, entering)
        basis[leaving] = entering
    # Step 4. The costs of the slacks are the row player's part of the solution.
    total = costs[-1]
    mixed_columns = [0.0] * columns
    for index, variable in enumerate(basis):
        if variable < columns:
            mixed_columns[variable] = max(0.0, tableau[index][-1] / total)
    mixed_rows = [max(0.0, cost / total) for cost in costs[columns:-1]]
    return 1.0 / total - shift, mixed_rows, mixed_columns


def _leaving(tableau: list[list[float]], basis: list[int], entering: int) -> int:
    """The constraint that binds first; the lowest variable among equals."""
    best, chosen = float("inf"), -1
    for index, line in enumerate(tableau):
        if line[entering] > CLOSE:
            ratio = line[-1] / line[entering]
            tied = abs(ratio - best) <= CLOSE and basis[index] < basis[chosen]
            if ratio < best - CLOSE or tied:
                best, chosen = ratio, index
    return chosen


def _pivot(tableau: list[list[float]], costs: list[float], leaving: int, entering: int) -> None:
    """Make the entering variable basic in the leaving row."""
    pivot = tableau[leaving][entering]
    line = [number / pivot for number in tableau[leaving]]
    tableau[leaving] = line
    for index, other in enumerate(tableau):
        if index != leaving and (factor := other[entering]):
            tableau[index] = [a - factor * b for a, b in zip(other, line, strict=True)]
    factor = costs[entering]
    costs[:] = [a - factor * b for a, b in zip(costs, line, strict=True)]
