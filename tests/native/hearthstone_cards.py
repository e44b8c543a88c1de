"""Writes the compiled cards as numbers, for the native test program: `... FILE [PROFILE [OWN]]`.

Decks are drawn from all cards of the profile, or from those of a card file of one's OWN alone.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ludex.worlds.hearthstone import pools, profiles
from ludex.worlds.hearthstone.decks import CLASS_HEROES


def rows_text(rows: Any) -> list[str]:
    lines = [str(len(rows))]
    lines += [" ".join(map(str, [len(row), *row])) for row in rows]
    return lines


def main() -> None:
    target = Path(sys.argv[1])
    profile = sys.argv[2] if len(sys.argv) > 2 else "competition"
    own = tuple(sys.argv[3:4])
    tables = profiles.load(profile, own)
    cards, *others, special = tables.native_rows()
    lines = [str(len(cards))]
    for key, name, row in cards:
        lines.append(f"{key} {'_'.join(name.split())} {' '.join(map(str, row))}")
    for rows in others:
        lines += rows_text(rows)
    lines.append(" ".join(map(str, special)))
    heroes = [tables.numbers[key] for key in CLASS_HEROES.values()]
    pool = pools.pool("all", tables)
    if own:
        pool = [number for number in pool if tables.card(number).profile == profiles.OWN]
    lines += rows_text([heroes, pool])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
