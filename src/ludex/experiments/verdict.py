"""The last line of a reproduction: one verdict in plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ludex.experiments.judge import Judged, MeasuredArm
from ludex.experiments.scale import SCALES, Scale
from ludex.experiments.survey import Reading, written

CLOSE = 0.1
"""a measured number that is off by less agrees with the printed one"""
NUMBER = r"(-?[\d.,]*\d(?:e[+-]\d+)?)"
SPANS = (
    re.compile(rf"interval {NUMBER} to {NUMBER}"),
    re.compile(rf"{NUMBER} to {NUMBER} by board"),
)
"""how notes write what chance explains"""
P_VALUE = re.compile(r"^p ([\d.e+-]+)")
SURE = 0.05
MOST_NAMED = 3


def verdict_on_claims(claims: Sequence[Judged], arms: Sequence[MeasuredArm], scale: Scale) -> str:
    """What a reproduction found, in a sentence or two."""
    if not claims:
        return verdict_on_figures(arms)
    count = len(claims)
    holds = [one for one in claims if one.verdict == "holds"]
    against = [one for one in claims if one.verdict == "contradicted"]
    open_ones = [one for one in claims if one.verdict == "undecided"]
    if against:
        head = "partly reproduced" if holds else "not reproduced"
    elif not holds:
        head = "undecided"
    else:
        head = "partly reproduced" if open_ones else "reproduced"
    parts = [f"{len(holds)} of {plural(count, 'claim')} {'hold' if len(holds) != 1 else 'holds'}"]
    if len(holds) == count:
        parts = [f"all {count} claims hold" if count > 1 else "the claim holds"]
    if against:
        named = "; ".join(f'"{one.claim.text}"' for one in against[:MOST_NAMED])
        more = f" and {len(against) - MOST_NAMED} more" if len(against) > MOST_NAMED else ""
        parts.append(f"{are(len(against))} contradicted ({named}{more})")
    if open_ones:
        parts.append(f"{are(len(open_ones))} undecided: too few matches to tell{larger(scale)}")
    return f"{head}: {', '.join(parts)}."


def verdict_on_figures(arms: Sequence[MeasuredArm]) -> str:
    """The same where a source makes no claim: how many of its numbers were met."""
    printed = [one for one in arms if one.arm.printed is not None]
    if not printed:
        return "measured: the source prints nothing that can be compared."
    met = [
        one
        for one in printed
        if one.arm.printed and one.interval[0] <= one.arm.printed.percent <= one.interval[1]
    ]
    count = len(printed)
    return (
        f"{head_of(len(met), count)}: {len(met)} of {plural(count, 'printed number')} "
        f"{'lies' if len(met) == 1 else 'lie'} within the measured 95 % interval."
    )


def verdict_on_readings(readings: Sequence[Reading]) -> str:
    """What a survey found: how many printed numbers were met, and which is the furthest off."""
    printed = [one for one in readings if one.printed is not None and one.compared]
    if not printed:
        return (
            f"measured: {plural(len(readings), 'number')}, and the source prints none to compare "
            "them with."
        )
    off = [one for one in printed if not agrees(one)]
    met = len(printed) - len(off)
    count = f"{met} of {len(printed)} printed numbers {'is' if met == 1 else 'are'} met"
    if len(printed) == 1:
        count = f"the printed number is {'met' if met else 'not met'}"
    within = f"within {100 * CLOSE:.0f} % or the measured interval"
    text = f"{head_of(met, len(printed))}: {count}, {within}"
    if off:
        worst = max(off, key=lambda one: abs(one.difference or 0.0))
        text += (
            f"; furthest off is {worst.experiment}, {worst.what}: printed "
            f"{written(worst.printed or 0.0)}, measured {written(worst.measured)}"
        )
    return f"{text}."


def agrees(reading: Reading) -> bool:
    """Whether a measured number is as good as the printed one, or chance explains the difference.

    >>> agrees(Reading("T1", "wins", 50.0, 54.0)), agrees(Reading("T1", "wins", 50.0, 60.0))
    (True, False)
    >>> agrees(Reading("T1", "wins", 50.0, 60.0, "95 % interval 45 to 75, 30 cases"))
    True
    """
    assert reading.printed is not None
    for span in SPANS:
        if found := span.search(reading.note):
            low, high = (float(one.replace(",", "")) for one in found.groups())
            if low <= reading.printed <= high:
                return True
    if (tested := P_VALUE.search(reading.note)) and float(tested[1]) >= SURE:
        return True
    return abs(reading.measured - reading.printed) <= CLOSE * abs(reading.printed)


def head_of(met: int, count: int) -> str:
    if met == count:
        return "reproduced"
    return "partly reproduced" if met else "not reproduced"


def larger(scale: Scale) -> str:
    """What to type for more matches.

    >>> larger("tiny"), larger("full")
    ('; --scale small plays more', '')
    """
    sizes = list(SCALES)
    place = sizes.index(scale)
    return f"; --scale {sizes[place + 1]} plays more" if place + 1 < len(sizes) else ""


def plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def are(number: int) -> str:
    return f"{number} is" if number == 1 else f"{number} are"
