"""ROC and precision-recall curves of forests, as SVG and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ludex.agents.hearthstone.learning.forests import Curves

COLOURS = {"play": "#1f77b4", "target": "#2f9e44", "attack": "#c2410c"}
SIDE, GAP, TOP = 300, 70, 46
POINTS = 200  # of a curve in a picture
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def as_csv(found: Mapping[str, Curves]) -> str:
    """Every threshold of every forest, with the point it has on both curves."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("forest", "threshold", "false_positive_rate", "recall", "precision"))
    for group, one in found.items():
        for row in zip(one.thresholds, one.fall_out, one.recall, one.precision, strict=True):
            writer.writerow((group, *(f"{value:.6g}" for value in row)))
    return text.getvalue()


def as_svg(found: Mapping[str, Curves]) -> str:
    """The ROC curves beside the precision-recall curves, with the area under each."""
    left, right = GAP, GAP + SIDE + GAP
    width, height = right + SIDE + 20, TOP + SIDE + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        panel(left, "ROC", "false positive rate", "recall"),
        panel(right, "precision and recall", "recall", "precision"),
    ]
    diagonal = ((0.0, 0.0), (1.0, 1.0))
    parts.append(line(left, np.array(diagonal), "#999", ' stroke-dasharray="4 4"'))
    for index, (group, one) in enumerate(found.items()):
        colour = COLOURS.get(group, "#333")
        roc = np.column_stack([one.fall_out, one.recall])
        parts.append(line(left, np.vstack([[0.0, 0.0], roc]), colour))
        parts.append(line(right, np.column_stack([one.recall, one.precision]), colour))
        parts.append(legend(left, index, f"{group} {one.roc_area:.3f}", colour))
        parts.append(legend(right, index, f"{group} {one.average_precision:.3f}", colour))
    return "\n".join([*parts, "</svg>"])


def panel(x: int, title: str, below: str, beside: str) -> str:
    middle, bottom = x + SIDE / 2, TOP + SIDE
    parts = [
        f'<rect x="{x}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#333"/>',
        f'<text x="{middle}" y="24" font-size="14" text-anchor="middle">{title}</text>',
        f'<text x="{middle}" y="{bottom + 36}" text-anchor="middle">{below}</text>',
        f'<text x="{x - 42}" y="{TOP + SIDE / 2}" text-anchor="middle" '
        f'transform="rotate(-90 {x - 42} {TOP + SIDE / 2})">{beside}</text>',
    ]
    for tick in TICKS:
        across, up = x + tick * SIDE, bottom - tick * SIDE
        parts.append(
            f'<path d="M{across} {bottom}V{TOP}M{x} {up}H{x + SIDE}" stroke="#ddd" fill="none"/>'
        )
        parts.append(f'<text x="{across}" y="{bottom + 16}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text x="{x - 6}" y="{up + 4}" text-anchor="end">{tick:g}</text>')
    return "\n".join(parts)


def line(x: int, points: NDArray[np.float64], colour: str, extra: str = "") -> str:
    if len(points) > POINTS:
        points = points[np.linspace(0, len(points) - 1, POINTS).astype(int)]
    path = " ".join(f"{x + a * SIDE:.1f},{TOP + SIDE - b * SIDE:.1f}" for a, b in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{extra}/>'


def legend(x: int, place: int, text: str, colour: str) -> str:
    y = TOP + SIDE - 60 + 18 * place
    mark = f'<rect x="{x + 150}" y="{y - 9}" width="12" height="10" fill="{colour}"/>'
    return f'{mark}<text x="{x + 168}" y="{y}">{text}</text>'
