"""Pictures of nim."""

from __future__ import annotations

from ludex.worlds.nim.rules import State

STEP, ROW, LEFT, TOP = 16, 58, 56, 52
INK, FAINT, CARD = "#2b2d33", "#8a8f99", "#faf7f1"


def draw_text(state: State, heaps: tuple[int, ...]) -> str:
    """One row per heap; a dot is a match that was taken."""
    wide = max(heaps)
    rows = [
        f"{heap}: {'|' * size}{'.' * (most - size)}{' ' * (wide - most)}  {size}"
        for heap, (size, most) in enumerate(zip(state.heaps, heaps, strict=True))
    ]
    return "\n".join([*rows, status(state)])


def status(state: State) -> str:
    return f"seat {state.turn} to move" if any(state.heaps) else "no match is left"


def draw_svg(state: State, heaps: tuple[int, ...]) -> str:
    """Matches with red heads, one row per heap; taken ones are left as faint marks."""
    width, height = max(LEFT + STEP * max(heaps) + 52, 210), TOP + ROW * len(heaps) + 6
    parts = [
        f'<rect width="{width}" height="{height}" rx="10" fill="{CARD}"/>',
        f'<text x="20" y="28" font-size="15" font-weight="bold" fill="{INK}">'
        f"{status(state)}</text>",
    ]
    for row, (size, most) in enumerate(zip(state.heaps, heaps, strict=True)):
        y = TOP + ROW * row
        parts.append(f'<text x="20" y="{y + 25}" font-size="13" fill="{FAINT}">{row}</text>')
        parts.append(
            f'<line x1="{LEFT - 12}" x2="{width - 44}" y1="{y + 42}" y2="{y + 42}" '
            f'stroke="{FAINT}" stroke-opacity="0.35"/>'
        )
        for index in range(most):
            shade = "1" if index < size else "0.13"
            parts.append(match(LEFT + STEP * index, y, shade))
        parts.append(
            f'<text x="{width - 20}" y="{y + 27}" font-size="17" text-anchor="end" '
            f'fill="{INK}">{size}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif">{"".join(parts)}</svg>'
    )


def match(x: int, y: int, shade: str) -> str:
    return (
        f'<g opacity="{shade}"><rect x="{x - 2}" y="{y + 2}" width="4" height="38" rx="1" '
        f'fill="#d8a861"/><ellipse cx="{x}" cy="{y + 3}" rx="4" ry="6" fill="#b3261e"/></g>'
    )
