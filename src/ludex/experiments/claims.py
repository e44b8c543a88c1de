"""Every published claim that was tested, in one list made from the tables of the result pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from ludex.core.errors import LudexError
from ludex.experiments.scale import SCALES
from ludex.experiments.verdict import plural

PAGE, MARK = "claims.md", "all claims"
BLOCK = re.compile(
    r"<!-- (?P<id>\S+) (?P<scale>tiny|small|full) -->\n(?P<body>.*?)<!-- end of (?P=id) ", re.S
)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
AMOUNT = r"(?:[\d.,]+|an?|two|three|four|five|six|seven|eight|nine|ten)"
COST = re.compile(rf"\b{AMOUNT} CPU-(?:seconds?|minutes?|hours?)")
INTERVAL = re.compile(r"interval (-?[\d.,]*\d) to (-?[\d.,]*\d)")
IN_PART = re.compile(r", (?![^(]*\))")  # what follows in a name like "tree, cross 1"
CASES = re.compile(r"([\d,]+) (?:cases|games)\b")
OWN = "ours: "  # claims of ours, which no source makes
NONE = "-"

Standing: TypeAlias = Literal["holds", "held by matches", "does not hold", "open", "too few"]
STANDINGS: tuple[Standing, ...] = (
    *("holds", "held by matches", "does not hold", "open", "too few"),
)
OF_VERDICT: Mapping[str, Standing] = {
    "holds": "holds",
    "contradicted": "does not hold",
    "undecided": "open",
    "too few": "too few",
}
MEANING: Mapping[Standing, str] = {
    "holds": "hold",
    "held by matches": "held by the earlier rule, match by match, and are to be played again",
    "does not hold": "do not hold",
    "open": "are open",
    "too few": "have too few levels",
}
Lines: TypeAlias = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class TestedClaim:
    """One published claim, or the printed numbers of one table, beside what was measured."""

    experiment: str
    scale: str
    page: str
    claim: str
    printed: str
    measured: str
    interval: str
    pairs: str
    """independent pairs: levels; or matches, in tables of the earlier rule; or cases"""
    standing: Standing
    date: str
    cost: str

    @property
    def size(self) -> int:
        """The place of its scale among all scales."""
        return list(SCALES).index(self.scale)  # type: ignore[arg-type]  # the pattern knows scales

    @property
    def cells(self) -> tuple[str, ...]:
        name = f"[{self.experiment}]({self.page}) {self.scale}"
        return (
            *(name, self.claim, self.printed, self.measured, self.interval, self.pairs),
            *(self.standing, self.date, self.cost),
        )


HEADS = ("experiment", "claim", "printed", "measured", "95 % interval", "pairs", "verdict")
HEADS_OF_PAGE = (*HEADS, "date", "cost")


def read_claims(folder: Path) -> list[TestedClaim]:
    """The claims in the marked tables of all pages of a folder, page by page.

    Of an experiment at several scales, those of the largest.
    """
    pages = [path for path in sorted(folder.glob("*.md")) if path.name != PAGE]
    found = [claim for path in pages for claim in claims_of_page(path.name, path.read_text())]
    largest: dict[str, int] = {}
    for one in found:
        largest[one.experiment] = max(largest.get(one.experiment, 0), one.size)
    found = [one for one in found if one.size == largest[one.experiment]]
    if not found:
        raise LudexError(
            f"{str(folder)!r} has no page with the tables of an experiment; they are written by "
            "ludex reproduce ID --page FILE"
        )
    return found


def claims_of_page(page: str, text: str) -> Iterator[TestedClaim]:
    """The claims of all blocks of a page."""
    for block in BLOCK.finditer(text):
        before = text[: block.start()]
        section = before[before.rfind("\n## ") + 1 :]
        dates = DATE.findall(section.partition("\n")[0]) or DATE.findall(before)
        costs = COST.findall(block["body"]) or COST.findall(section)
        facts = {
            "experiment": block["id"],
            "scale": block["scale"],
            "page": page,
            "date": dates[-1] if dates else NONE,
            "cost": costs[-1] if costs else NONE,
        }
        for lines in tables_of(block["body"]):
            if "claim" in lines[0]:
                yield from claims_of_order(lines, tables_of(block["body"]), facts)
            elif "what" in lines[0]:
                yield from claims_of_numbers(lines, facts)


def tables_of(text: str) -> list[Lines]:
    """The tables of a text in Markdown, each row as its cells by head; empty ones are left out."""
    found: list[Lines] = []
    for part in re.split(r"\n(?!\|)", text):
        rows = [
            [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            for line in part.splitlines()
            if line.startswith("|")
        ]
        if len(rows) > 2:
            heads = [head.strip() for head in rows[0]]
            found.append([dict(zip(heads, row, strict=False)) for row in rows[2:]])
    return found


# Claims of order


def claims_of_order(
    lines: Lines, tables: Sequence[Lines], facts: Mapping[str, str]
) -> Iterator[TestedClaim]:
    """Claims that were tested by the judge; those that are ours are left out."""
    matches = {one["games"] for table in tables for one in table if "games" in one and "arm" in one}
    for line in lines:
        if line["claim"].startswith(OWN):
            continue
        standing = OF_VERDICT[line["verdict"]]
        if "levels" in line:
            pairs = f"{line['levels']} levels"
        else:
            pairs = f"{max(matches, key=int)} matches" if matches else NONE
            standing = "held by matches" if standing == "holds" else standing
        yield TestedClaim(
            **facts,
            claim=line["claim"],
            printed=NONE,
            measured=line["measured %"] if "p" in line["measured %"] else f"{line['measured %']} %",
            interval=line["95 % interval"],
            pairs=pairs,
            standing=standing,
        )


# Printed numbers


def claims_of_numbers(lines: Lines, facts: Mapping[str, str]) -> Iterator[TestedClaim]:
    """The printed numbers of a survey, those of like tables together."""
    groups: dict[str, Lines] = {}
    for line in lines:
        if line["verdict"] != NONE:
            groups.setdefault(IN_PART.split(line["table"])[0], []).append(line)
    for table, group in groups.items():
        found = [line["verdict"] for line in group]
        worst = group[found.index("off")] if "off" in found else group[0]
        interval = INTERVAL.search(worst["note"])
        cases = [match[1] for line in group if (match := CASES.search(line["note"]))]
        yield TestedClaim(
            **facts,
            claim=f"{table}: {counted(found, worst)}",
            printed=worst["printed"],
            measured=worst["measured"],
            interval=f"{interval[1]} .. {interval[2]}" if interval else NONE,
            pairs=f"{min(cases, key=number)} cases" if cases else NONE,
            standing=standing_of(found),
        )


def counted(found: Sequence[str], worst: Mapping[str, str]) -> str:
    """How many printed numbers are met, off and open; and which of them is shown.

    >>> counted(["met", "off"], {"what": "wins"})
    '2 printed numbers, 1 met, 1 off; shown: wins'
    >>> counted(["met"], {"what": "wins"})
    'wins'
    """
    if len(found) == 1:
        return worst["what"]
    count = Counter(found)
    parts = [f"{count[how]} {how}" for how in ("met", "off", "open") if count[how]]
    return f"{plural(len(found), 'printed number')}, {', '.join(parts)}; shown: {worst['what']}"


def standing_of(found: Sequence[str]) -> Standing:
    """What follows for all numbers of a table."""
    if "off" in found:
        return "does not hold"
    return "holds" if set(found) == {"met"} else "open"


def number(text: str) -> float:
    """Read a number as it is written in a table.

    >>> number("-12,215"), number("0.5")
    (-12215.0, 0.5)
    """
    return float(text.replace(",", "").rstrip("."))


# The page


def as_markdown(claims: Sequence[TestedClaim]) -> str:
    """A summary, then a table of all claims."""
    lines = [*summary(claims), "", f"| {' | '.join(HEADS_OF_PAGE)} |"]
    lines.append("|---" * len(HEADS_OF_PAGE) + "|")
    lines += [f"| {' | '.join(one.cells)} |" for one in claims]
    return "\n".join(lines)


def summary(claims: Sequence[TestedClaim]) -> list[str]:
    """How many claims hold, do not hold, or are open; and of which experiments they are."""
    studies = len({one.experiment for one in claims})
    lines = [f"{plural(len(claims), 'claim')} of {plural(studies, 'experiment')}:", ""]
    for standing in STANDINGS:
        own = Counter(one.experiment for one in claims if one.standing == standing)
        if own:
            names = ", ".join(f"{name} ({times})" for name, times in own.items())
            lines += [f"- **{own.total()} {MEANING[standing]}:** {names}"]
    return lines
