"""Texts of cards in words for people, made from the rules of the card language.

`battlecry on any character: damage 1 target` becomes "Battlecry: Deal 1 damage to a character."
What no phrase here fits is shown as it is written in the card file, which is readable too.
"""

from ludex.worlds.hearthstone.wording.groups import KEYWORDS
from ludex.worlds.hearthstone.wording.rules import Wording, card_text

__all__ = ["KEYWORDS", "Wording", "card_text"]
