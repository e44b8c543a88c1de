"""The last line of a reproduction: one verdict in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ludex.experiments.judge import ALIKE, Judged, MeasuredArm
from ludex.experiments.scale import SCALES, Scale
from ludex.experiments.survey import Reading, agreement, written

MOST_NAMED = 3


def verdict_on_claims(claims: Sequence[Judged], arms: Sequence[MeasuredArm], scale: Scale) -> str:
    """What a reproduction found, in a sentence or two."""
    if not claims:
        return verdict_on_figures(arms)
    count = len(claims)
    holds = [one for one in claims if one.verdict == "holds"]
    against = [one for one in claims if one.verdict == "contradicted"]
    open_ones = [one for one in claims if one.verdict == "undecided"]
    few = [one for one in claims if one.verdict == "too few"]
    if against:
        head = "partly reproduced" if holds else "not reproduced"
    elif not holds:
        head = "undecided"
    else:
        head = "partly reproduced" if open_ones or few else "reproduced"
    parts = [f"{len(holds)} of {plural(count, 'claim')} {'hold' if len(holds) != 1 else 'holds'}"]
    if len(holds) == count:
        parts = [f"all {count} claims hold" if count > 1 else "the claim holds"]
    if against:
        named = "; ".join(f'"{one.claim.text}"' for one in against[:MOST_NAMED])
        more = f" and {len(against) - MOST_NAMED} more" if len(against) > MOST_NAMED else ""
        parts.append(f"{are(len(against))} contradicted ({named}{more})")
    if open_ones:
        parts.append(f"{are(len(open_ones))} undecided{decided_by(open_ones)}")
    if few:
        parts.append(f"for {len(few)} there are too few levels{decided_by(few)}")
    more = larger(scale) if open_ones or few else ""
    return f"{head}: {', '.join(parts)}{more}."


def decided_by(claims: Sequence[Judged]) -> str:
    """How many levels would decide the first of some claims.

    >>> from ludex.experiments.experiment import OrderClaim
    >>> claim = OrderClaim("", ("a",), ("b",))
    >>> decided_by([Judged(claim, "undecided", 5.0, (-1.0, 11.0), 50, 120)])
    ' (from about 120 levels on, with 50 played)'
    """
    known = [(one.needed, one.pairs) for one in claims if one.needed is not None]
    if not known:
        return ""
    needed, played = min(known)
    return f" (from about {needed:,} levels on, with {played:,} played)"


def verdict_on_figures(arms: Sequence[MeasuredArm]) -> str:
    """The same where a source makes no claim: how many of its numbers were met."""
    met = [one.meets(one.arm.printed) for one in arms if one.arm.printed is not None]
    if not met:
        return "measured: the source prints nothing that can be compared."
    count = Counter(met)
    return (
        f"{head_of(count['holds'], count['contradicted'], len(met))}: {count['holds']} of "
        f"{plural(len(met), 'printed number')} {'is' if count['holds'] == 1 else 'are'} met within "
        f"{ALIKE:.0f} points{also(count['contradicted'], len(met) - count['holds'])}."
    )


def also(off: int, not_met: int) -> str:
    """How many of the numbers that are not met are off, and how many are open."""
    left = not_met - off
    parts = [f"{off} {'is' if off == 1 else 'are'} off"] if off else []
    parts += [f"{left} {'is' if left == 1 else 'are'} open"] if left else []
    return "".join(f", {part}" for part in parts)


def verdict_on_readings(readings: Sequence[Reading]) -> str:
    """What a survey found: how many printed numbers were met, and which is the furthest off."""
    printed = [one for one in readings if one.printed is not None and one.compared]
    if not printed:
        has_some = any(one.printed is not None for one in readings)
        why = (
            "none is one that this scale can repeat"
            if has_some
            else "the source prints none to compare them with"
        )
        return f"measured: {plural(len(readings), 'number')}, and {why}."
    found = [(one, agreement(one)) for one in printed]
    off = [one for one, how in found if how == "off"]
    met = sum(how == "met" for _, how in found)
    count = f"{met} of {len(printed)} printed numbers {'is' if met == 1 else 'are'} met"
    if len(printed) == 1:
        count = "the printed number is " + {"met": "met", "off": "not met"}.get(
            found[0][1], "neither met nor refuted"
        )
    elif met < len(printed):
        count += also(len(off), len(printed) - met)
    text = f"{head_of(met, len(off), len(printed))}: {count}"
    if off:
        worst = max(off, key=lambda one: abs(one.difference or 0.0))
        text += (
            f"; furthest off is {worst.experiment}, {worst.what}: printed "
            f"{written(worst.printed or 0.0)}, measured {written(worst.measured)}"
        )
    return f"{text}."


def head_of(met: int, off: int, count: int) -> str:
    """The first words of a verdict on printed numbers.

    >>> head_of(2, 0, 2), head_of(1, 0, 2), head_of(0, 1, 2), head_of(0, 0, 2)
    ('reproduced', 'partly reproduced', 'not reproduced', 'undecided')
    """
    if met == count:
        return "reproduced"
    if met:
        return "partly reproduced"
    return "not reproduced" if off else "undecided"


def larger(scale: Scale) -> str:
    """What to type for more matches.

    >>> larger("tiny"), larger("full")
    ('; --scale small or --until decided plays more', '; --until decided plays more')
    """
    sizes = list(SCALES)
    place = sizes.index(scale)
    next_size = f"--scale {sizes[place + 1]} or " if place + 1 < len(sizes) else ""
    return f"; {next_size}--until decided plays more"


def plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def are(number: int) -> str:
    return f"{number} is" if number == 1 else f"{number} are"
