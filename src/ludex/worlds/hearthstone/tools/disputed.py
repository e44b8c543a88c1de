"""Recorded scenarios in which the recording, not this engine, departs from the rules.

A scenario is listed with its rule, one that the rules of the game or the text of a card state;
`docs/worlds/hearthstone.md` gives the arguments. One that is listed must differ: when it begins to
match, either the rule is broken here or the list is out of date.
"""

from __future__ import annotations

OVERLOAD = "overload is owed when a card is played, also when the spell is countered"
SILENCE = "silence takes away keywords, and spell damage is one"
SECRET = "a secret waits while its condition no longer holds when its turn comes"
WOUNDS = "a minion that changes sides keeps its wounds"
SHOUT = "Commanding Shout draws a card"
GIVEN = "spell damage that was given to a minion is that minion's"

DISPUTED: dict[str, str] = {
    "42f534295cc1": OVERLOAD,
    "50b507906c5d": OVERLOAD,
    "6b8d060e643f": OVERLOAD,
    "c86882d630f6": OVERLOAD,
    "fce726820d87": OVERLOAD,
    "09fab2177f8a": SILENCE,
    "25279786c23f": SILENCE,
    "354d7af453b2": SILENCE,
    "d6bceeb37719": SILENCE,
    "2c870ec5a49d": SECRET,
    "9c928041a21f": SECRET,
    "c67c02884609": WOUNDS,
    "4385e62227aa": SHOUT,
    "a25cb27c392e": GIVEN,
}
"""ids of scenarios, which are hashes of position and actions, and the rule of each"""
