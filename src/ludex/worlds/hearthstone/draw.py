"""Pictures of Hearthstone as SVG: everything, or what one seat may see."""

from __future__ import annotations

from html import escape
from typing import Any

from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Tables

SILENCED, FROZEN, SICK = 1, 2, 4
SHOWN = ("taunt", "shield", "charge", "windfury", "stealth", "poisonous", "lifesteal", "immune")
PHASES = ("to move", "mulligan", "choosing a card", "over")
COLOURS = {
    "druid": "#8a5a2b",
    "hunter": "#3d7a3a",
    "mage": "#3f6fb5",
    "paladin": "#c9a227",
    "priest": "#9a9a9a",
    "rogue": "#4a4a55",
    "shaman": "#2d4a8a",
    "warlock": "#6b3d8a",
    "warrior": "#9c3a2e",
    "neutral": "#8b7d6b",
}
WIDTH, HEIGHT = 760, 520
CARD_W, CARD_H = 84, 104


class Artist:
    """Draws described states, with the names of cards."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def name(self, card: int) -> str:
        return self.tables.card(card).name if card else "?"

    def situation(self, facts: dict[str, Any]) -> str:
        if facts["phase"] == len(PHASES) - 1:
            winner = facts["winner"]
            return "drawn" if winner == 2 else f"seat {winner} has won"
        return f"turn {facts['turn']}, seat {facts['active']} {PHASES[facts['phase']]}"

    def marks(self, minion: dict[str, Any]) -> list[str]:
        bits = minion["all_keywords"]
        marks = [word for word in SHOWN if bits & words.KEYWORDS[word]]
        if minion["flags"] & FROZEN:
            marks.append("frozen")
        if minion["flags"] & SILENCED:
            marks.append("silenced")
        return marks

    # SVG

    def svg(self, facts: dict[str, Any], seat: int | None) -> str:
        below = 0 if seat is None else seat
        parts = [
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="16" fill="#e7d7b4"/>',
            f'<rect x="10" y="138" width="{WIDTH - 20}" height="244" rx="14" fill="#c9ad78"/>',
            f'<line x1="20" y1="260" x2="{WIDTH - 20}" y2="260" stroke="#a98c55"/>',
            f'<rect x="{WIDTH // 2 - 110}" y="248" width="220" height="24" fill="#c9ad78"/>',
            f'<text x="{WIDTH // 2}" y="265" font-size="14" text-anchor="middle">'
            f"{escape(self.situation(facts))}</text>",
        ]
        parts += self.side_svg(facts["players"][1 - below], 14, 146, facts["active"] != below)
        parts += self.side_svg(facts["players"][below], 402, 272, facts["active"] == below)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">{"".join(parts)}</svg>'
        )

    def side_svg(
        self, player: dict[str, Any], hand_y: int, board_y: int, active: bool
    ) -> list[str]:
        kind = words.CLASSES[self.tables.card(player["hero"]).hero_class]
        rim = "#d4542b" if active else "#5b4a2f"
        armour = f" +{player['armour']}" if player["armour"] else ""
        parts = [
            f'<rect x="14" y="{hand_y}" width="120" height="{CARD_H}" rx="10" '
            f'fill="{COLOURS[kind]}" stroke="{rim}" stroke-width="3"/>',
            f'<text x="74" y="{hand_y + 18}" font-size="11" fill="#fff" text-anchor="middle">'
            f"{escape(self.name(player['hero']))}</text>",
            f'<text x="74" y="{hand_y + 43}" font-size="24" fill="#fff" text-anchor="middle" '
            f'font-weight="bold">{player["health"]}{armour}</text>',
            f'<text x="74" y="{hand_y + 77}" font-size="12" fill="#d7e6ff" text-anchor="middle">'
            f"mana {player['mana']}/{player['crystals']}</text>",
            f'<text x="74" y="{hand_y + 94}" font-size="11" fill="#fff" text-anchor="middle">'
            f"deck {len(player['deck'])}, secrets {len(player['secrets'])}</text>",
        ]
        if player["weapon"]:
            attack = player["weapon_attack"] + player["weapon_aura"]
            parts.append(
                f'<text x="74" y="{hand_y + 60}" font-size="10" fill="#ffe9b0" '
                f'text-anchor="middle">{escape(self.name(player["weapon"]))} '
                f"{attack}/{player['durability']}</text>"
            )
        step = min(60.0, 560 / max(1, len(player["hand"])))
        for index, (card, cost) in enumerate(zip(player["hand"], player["costs"], strict=True)):
            parts.append(self.card_svg(card[0], cost, 150 + step * index, hand_y))
        for index, minion in enumerate(player["board"]):
            parts.append(self.minion_svg(minion, 40 + 98 * index, board_y))
        return parts

    def card_svg(self, card: int, cost: int, x: float, y: float) -> str:
        if not card:
            return (
                f'<rect x="{x:g}" y="{y}" width="56" height="{CARD_H}" rx="6" fill="#7c4f2c" '
                f'stroke="#3f2a17"/><circle cx="{x + 28:g}" cy="{y + 52}" r="14" fill="#a8713f"/>'
            )
        facts = self.tables.card(card)
        colour = COLOURS[words.CLASSES[facts.hero_class]]
        label = "".join(
            f'<text x="{x + 28:g}" y="{y + 46 + 11 * line}" font-size="8" fill="#fff" '
            f'text-anchor="middle">{escape(word)}</text>'
            for line, word in enumerate(facts.name.split()[:3])
        )
        return (
            f'<rect x="{x:g}" y="{y}" width="56" height="{CARD_H}" rx="6" fill="{colour}" '
            f'stroke="#3f2a17"/><circle cx="{x + 12:g}" cy="{y + 13}" r="10" fill="#2d6cdf"/>'
            f'<text x="{x + 12:g}" y="{y + 17}" font-size="11" fill="#fff" '
            f'text-anchor="middle">{cost}</text>{label}'
        )

    def minion_svg(self, minion: dict[str, Any], x: float, y: float) -> str:
        marks = self.marks(minion)
        rim = "#2f9e44" if minion["can_attack"] else "#4b3a22"
        fill = "#bfe3f2" if "frozen" in marks else "#f3e6c8"
        shape = "6" if "taunt" in marks else "38"
        hurt = "#c92a2a" if minion["health"] < minion["max_health"] else "#7a2e2e"
        middle = x + CARD_W / 2
        lines = two_lines(self.name(minion["card"]))
        label = "".join(
            f'<text x="{middle:g}" y="{y + 34 + 12 * index}" font-size="9.5" '
            f'text-anchor="middle">{escape(line)}</text>'
            for index, line in enumerate(lines)
        )
        return (
            f'<rect x="{x:g}" y="{y}" width="{CARD_W}" height="100" rx="{shape}" fill="{fill}" '
            f'stroke="{rim}" stroke-width="3"/>{label}'
            f'<text x="{middle:g}" y="{y + 62}" font-size="8" fill="#6b4e16" '
            f'text-anchor="middle">{" ".join(marks[:2])}</text>'
            f"{badge(x + 16, y + 84, minion['total_attack'], '#b8860b')}"
            f"{badge(x + CARD_W - 16, y + 84, minion['health'], hurt)}"
        )


def badge(x: float, y: float, number: int, colour: str) -> str:
    """A number in a disc."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="13" fill="{colour}" stroke="#3f2a17"/>'
        f'<text x="{x:g}" y="{y + 5:g}" font-size="14" font-weight="bold" fill="#fff" '
        f'text-anchor="middle">{number}</text>'
    )


def two_lines(name: str, longest: int = 14) -> list[str]:
    """Break a name into at most two lines; what does not fit is left out.

    >>> two_lines("Silver Hand Recruit"), two_lines("Wisp")
    (['Silver Hand', 'Recruit'], ['Wisp'])
    """
    if len(name) <= longest:
        return [name]
    cut = name.rfind(" ", 0, longest + 1)
    first, rest = (name[:cut], name[cut + 1 :]) if cut > 0 else (name[:longest], name[longest:])
    return [first, rest if len(rest) <= longest else rest[: longest - 1] + "…"]
