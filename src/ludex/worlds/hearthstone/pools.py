"""Named sets of cards that random decks are drawn from."""

from __future__ import annotations

from ludex.worlds.hearthstone.language.tables import Tables

NORA = [
    "EX1_097",
    "EX1_007",
    "NEW1_012",
    "EX1_015",
    "CS2_188",
    "CS2_172",
    "CS2_120",
    "CS2_200",
    "CS2_118",
    "CS2_168",
    "EX1_593",
    "CS2_119",
    "CS2_213",
    "CS2_179",
    "CS2_171",
    "EX1_011",
    "CS2_124",
    "CS2_173",
    "CS2_187",
    "CS2_182",
    "CS2_201",
    "DS1_055",
    "EX1_025t",
    "EX1_025",
    "CS2_189",
    "CS2_121",
    "CS2_147",
    "CS1_042",
    "EX1_399",
    "CS2_141",
    "CS2_125",
    "CS2_162",
    "EX1_506a",
    "EX1_506",
    "CS2_boar",
    "CS2_196",
    "EX1_019",
    "CS2_127",
    "CS2_150",
    "CS2_131",
    "CS2_186",
    "CS2_005",
    "CS2_007",
    "EX1_169",
    "CS2_009",
    "CS2_013",
    "CS2_232",
    "CS2_008",
    "EX1_173",
    "CS2_012",
    "CS2_025",
    "CS2_023",
    "EX1_277",
    "CS2_029",
    "CS2_032",
    "CS2_026",
    "CS2_024",
    "CS2_mirror",
    "CS2_027",
    "CS2_033",
    "CS2_203",
]
"""The 57 cards of the Nora study and their four tokens, in the order of their numbers there."""

FIRST_NORA_NUMBER = 6
"""0 and 1 are The Coin and Excess Mana, 2 to 5 the two heroes and their powers"""
NORA_SPECIALS = ("GAME_005", "CS2_013t", "HERO_08", "HERO_08bp", "HERO_06", "HERO_06bp")


def nora_numbers(tables: Tables) -> dict[int, int]:
    """The numbers of the Nora study by our card numbers; there are 67 of them."""
    keys = [*NORA_SPECIALS, *NORA]
    return {tables.numbers[key]: index for index, key in enumerate(keys)}


def pool(name: str, tables: Tables) -> list[int]:
    """The collectible cards that a random deck may hold."""
    if name == "nora":
        return [n for n in (tables.numbers[key] for key in NORA) if tables.card(n).collectible]
    return [number for number, card in enumerate(tables.cards, 1) if card.collectible]
