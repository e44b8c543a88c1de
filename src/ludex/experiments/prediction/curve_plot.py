"""Learning curves with intervals, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from ludex.experiments.estimates import Estimate

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 420, 300, 60, 50, 40


@dataclass(frozen=True, slots=True)
class Point:
    """An arm that learned from so many ticks; None: it has the true model."""

    label: str
    ticks: int | None
    wins: Estimate
    score: Estimate


def as_svg(points: Sequence[Point]) -> str:
    """Wins beside scores; a dashed line is what the same search reaches with the rules."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {HEIGHT}" '
        f'width="{2 * WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{2 * WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for index, name in enumerate(("wins", "score")):
        estimates = [getattr(one, name) for one in points]
        known = [(one.ticks, two) for one, two in zip(points, estimates, strict=True)]
        parts += panel(index * WIDTH, name, known)
    return "\n".join([*parts, "</svg>"])


def panel(x: int, name: str, points: Sequence[tuple[int | None, Estimate]]) -> list[str]:
    """One curve in a frame that begins at x."""
    most = max((ticks for ticks, _ in points if ticks), default=1)
    low = min(0.0, *(estimate.low for _, estimate in points))
    high = max(estimate.high for _, estimate in points)
    span = (high - low) or 1.0

    def across(ticks: float) -> float:  # by square roots, so that early points lie apart
        return x + LEFT + sqrt(ticks / most) * (WIDTH - LEFT - 30)

    def up(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / span * (HEIGHT - BOTTOM - TOP)

    right = across(most)
    parts = [
        f'<g text-anchor="middle"><text x="{x + WIDTH / 2}" y="22" font-size="14">{name}</text>'
        f'<text x="{x + WIDTH / 2}" y="{HEIGHT - 10}">'
        "ticks learned from (axis by square roots)</text></g>",
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        value = low + share * span
        parts.append(
            f'<path d="M{across(0):.1f} {up(value):.1f}H{right:.1f}" stroke="#ddd" fill="none"/>'
            f'<text x="{across(0) - 8:.1f}" y="{up(value) + 4:.1f}" text-anchor="end">{value:.3g}'
            "</text>"
        )
    learned = [(ticks, estimate) for ticks, estimate in points if ticks is not None]
    path = " ".join(f"{across(ticks):.1f},{up(one.mean):.1f}" for ticks, one in learned)
    parts.append(f'<polyline points="{path}" fill="none" stroke="#3b76d4" stroke-width="2"/>')
    for ticks, one in learned:
        parts.append(
            f'<path d="M{across(ticks):.1f} {up(one.low):.1f}V{up(one.high):.1f}" stroke="#3b76d4" '
            f'stroke-opacity="0.5" stroke-width="3"/>'
            f'<circle cx="{across(ticks):.1f}" cy="{up(one.mean):.1f}" r="4" fill="#3b76d4"/>'
            f'<text x="{across(ticks):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">'
            f"{ticks:,}</text>"
        )
    parts += [
        f'<path d="M{across(0):.1f} {up(estimate.mean):.1f}H{right:.1f}" stroke="#c2410c" '
        'stroke-width="1.5" stroke-dasharray="5 4" fill="none"/>'
        for told, estimate in points
        if told is None  # the rules
    ]
    return parts
