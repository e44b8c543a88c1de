"""Pictures of nim."""

from __future__ import annotations

from ludex.worlds.nim.rules import State

STEP = 14


def draw_text(state: State) -> str:
    rows = [f"{heap}: {'|' * size:<12} {size}" for heap, size in enumerate(state.heaps)]
    return "\n".join([*rows, f"seat {state.turn} to move"])


def draw_svg(state: State, heaps: tuple[int, ...]) -> str:
    """Matches with red heads, one row per heap; taken ones are left as faint marks."""
    width, height = 40 + STEP * max(heaps), 20 + 44 * len(heaps)
    parts: list[str] = []
    for row, (size, most) in enumerate(zip(state.heaps, heaps, strict=True)):
        y = 16 + 44 * row
        parts.append(f'<text x="10" y="{y + 20}" font-size="13" fill="#555">{row}</text>')
        for place in range(most):
            x = 34 + STEP * place
            shade = "1" if place < size else "0.15"
            parts.append(
                f'<g opacity="{shade}"><rect x="{x - 1.5}" y="{y}" width="3" height="30" '
                f'fill="#d9a962"/><circle cx="{x}" cy="{y}" r="3.5" fill="#b3261e"/></g>'
            )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif">{"".join(parts)}</svg>'
    )
