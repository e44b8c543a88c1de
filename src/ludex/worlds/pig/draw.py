"""Pictures of pig."""

from __future__ import annotations

from ludex.worlds.pig.rules import State

BAR = 40
WIDTH, TRACK, ROW, TOP = 460, 300, 46, 62
INK, FAINT, PAPER = "#2b2d33", "#8a8f99", "#faf7f1"
COLOURS = ("#3366b0", "#c2571a", "#3f8f4f", "#8a4fa3", "#a8871b", "#2a8f96")


def status(state: State, target: int) -> str:
    if max(state.scores) >= target:
        return f"seat {state.scores.index(max(state.scores))} has won"
    what = "rolls" if state.rolling else "to decide"
    return f"seat {state.turn} {what}, {state.total} at stake"


def draw_text(state: State, target: int) -> str:
    """One bar per seat: banked points, then what is at stake."""
    rows: list[str] = []
    for seat, score in enumerate(state.scores):
        stake = state.total if seat == state.turn else 0
        banked = min(BAR, score * BAR // target)
        at_stake = min(BAR, (score + stake) * BAR // target) - banked
        bar = "#" * banked + "+" * at_stake + "." * (BAR - banked - at_stake)
        mark = ">" if seat == state.turn else " "
        rows.append(f"{mark}seat {seat} [{bar}] {score}" + (f" +{stake}" if stake else ""))
    return "\n".join([*rows, status(state, target)])


def draw_svg(state: State, target: int) -> str:
    """Tracks to the target, with the die and the points at stake."""
    height = TOP + ROW * len(state.scores) + 14
    parts = [
        f'<rect width="{WIDTH}" height="{height}" rx="10" fill="{PAPER}"/>',
        f'<text x="66" y="38" font-size="16" font-weight="bold" fill="{INK}">'
        f"{status(state, target)}</text>",
        die(22, 14, state.rolling),
    ]
    for seat, score in enumerate(state.scores):
        parts.append(track(state, target, seat, score))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="sans-serif">{"".join(parts)}</svg>'
    )


def track(state: State, target: int, seat: int, score: int) -> str:
    """One seat's way to the target."""
    y, left = TOP + ROW * seat, 76
    colour = COLOURS[seat % len(COLOURS)]
    stake = state.total if seat == state.turn else 0
    done = TRACK * min(score, target) / target
    more = TRACK * min(score + stake, target) / target - done
    mover = f'<circle cx="18" cy="{y + 15}" r="5" fill="{colour}"/>' if seat == state.turn else ""
    label = f"{score} + {stake}" if stake else f"{score}"
    return (
        f'{mover}<text x="30" y="{y + 20}" font-size="13" fill="{INK}">seat {seat}</text>'
        f'<rect x="{left}" y="{y + 4}" width="{TRACK}" height="22" rx="4" fill="#e8e2d6"/>'
        f'<rect x="{left}" y="{y + 4}" width="{done:.1f}" height="22" rx="4" fill="{colour}"/>'
        f'<rect x="{left + done:.1f}" y="{y + 4}" width="{more:.1f}" height="22" rx="4" '
        f'fill="{colour}" fill-opacity="0.4"/>'
        f'<text x="{WIDTH - 16}" y="{y + 20}" font-size="14" text-anchor="end" '
        f'fill="{INK}">{label}</text>'
    )


def die(x: int, y: int, rolling: bool) -> str:
    """A die that shows a 1; it is tilted while it is in the air."""
    tilt = f' transform="rotate(20 {x + 16} {y + 18})"' if rolling else ""
    return (
        f'<g{tilt}><rect x="{x}" y="{y + 2}" width="32" height="32" rx="7" fill="#ffffff" '
        f'stroke="{FAINT}"/><circle cx="{x + 16}" cy="{y + 18}" r="4.5" fill="#b3261e"/></g>'
    )
