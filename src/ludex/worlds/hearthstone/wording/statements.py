"""Statements in the texts of cards: `damage 3 target` is "deal 3 damage to it"."""

from __future__ import annotations

import re

from ludex.worlds.hearthstone.wording.groups import KEYWORDS, Groups

MARKS = {
    "next secret free": "your next secret this turn costs 0",
    "enemy spells free": "enemy spells cost 0 next turn",
    "minions survive": "your minions can't fall below 1 health this turn",
    "back next turn": "at the start of your next turn, it returns to your hand",
}
HELD = "-"  # a statement that is only for the rules


class Statements(Groups):
    """Writes what a card does."""

    def script_text(self, key: str) -> str:
        """The text of an enchantment, which rules know."""
        raise NotImplementedError

    def statements(self, text: str) -> str:
        said = [self.statement(one) for one in split(text)]
        return ", then ".join(one for one in said if one and one != HELD)

    def statement(self, text: str) -> str:
        if text.startswith("if "):
            return self.branch(text)
        if found := re.fullmatch(r"repeat (.+?) \{ (.*) \}", text):
            times = found[1]
            if times.startswith("missiles "):
                return f"{times.split()[1]} times: {self.statements(found[2])}"
            return f"{self.value(times)} times: {self.statements(found[2])}"
        verb, _, rest = text.partition(" ")
        method = getattr(self, f"say_{verb}", None)
        return (method(rest) if method else None) or text

    def branch(self, text: str) -> str:
        """`if CONDITION { ... } else { ... }`."""
        condition, then, rest = braced(text.removeprefix("if "))
        aim, is_of_target = self.aim, "target" in condition
        told = self.condition(condition)
        self.aim = "" if is_of_target else aim
        said = self.statements(then)
        self.aim = "" if is_of_target else aim
        otherwise = self.statements(braced(rest)[1]) if rest.startswith("else") else ""
        if condition == "combo":
            return f"{otherwise}; Combo: {said} instead" if otherwise else f"Combo: {said}"
        return f"if {told}, {said}{f', otherwise {otherwise}' if otherwise else ''}"

    def valued(self, text: str) -> tuple[str, str]:
        """Split an amount and the group it is for."""
        simple = re.match(
            r"(\d+(?: to \d+)?|armour|hand|played|golems|spell-damage(?: \+\d+)?|weapon-attack"
            r"|hero-attack|own mana|event-amount|last-cost"
            r"|(?:attack|health|max-health) of \w+|count (?:other )?\w+ \w+(?: \* \d+)?) (.*)",
            text,
        )
        return (self.value(simple[1]), simple[2]) if simple else ("", text)

    def value(self, text: str) -> str:
        named = {
            "armour": "your armour in",
            "hero-attack": "your hero's attack in",
            "own mana": "all your mana in",
            "event-amount": "as much",
            "last-cost": "its cost in",
            "weapon-attack": "your weapon's attack in",
        }
        if text in named:
            return named[text]
        if found := re.fullmatch(r"(attack|health|max-health) of (\w+)", text):
            return f"{self.group(found[2])}'s {found[1]} in"
        if found := re.fullmatch(r"spell-damage(?: \+(\d+))?", text):
            return f"{found[1] or 0} (+ twice your spell damage)"
        if text.startswith("count "):
            return f"as many as {self.group(text.removeprefix('count '))}"
        return text.replace(" to ", "-")

    def say_damage(self, rest: str) -> str:
        value, group = self.valued(rest.removesuffix(" plain"))
        return f"deal {value} damage to {self.group(group)}" if value else ""

    def say_heal(self, rest: str) -> str:
        if rest.startswith("fully "):
            return f"restore {self.group(rest[6:])} to full health"
        if rest == "max-health of target target":
            return f"restore {self.group('target')} to full health"
        value, group = self.valued(rest)
        return f"restore {value} health to {self.group(group)}" if value else ""

    def say_buff(self, rest: str) -> str:
        rest, when = lasting(rest)
        found = re.fullmatch(r"([+-]\d+)/([+-]\d+) (.+)", rest)
        if not found:
            return self.counted_buff(rest)
        group, gifts = self.gifts(found[3])
        stats = f"{found[1]}/{found[2]}"
        if found[2] == "+0" or "hero" in group:
            stats = f"{found[1]} attack" if found[1] != "+0" else ""
        elif found[1] == "+0":
            stats = f"{found[2]} health"
        when = when or (" this turn" if "own hero" in group else "")
        return self.giving(group, [stats, *gifts]) + when

    def counted_buff(self, rest: str) -> str:
        """`buff attack VALUE health VALUE GROUP`."""
        found = re.fullmatch(r"attack (.+?) health (.+) (self|target|subject)", rest)
        if not found:
            return ""
        amounts = [self.amount(found[1]), self.amount(found[2])]
        if found[1] == found[2]:
            told = f"attack and health equal to {amounts[0]}"
        else:
            kinds = zip(("attack", "health"), amounts, strict=True)
            told = " and ".join(f"{kind} equal to {one}" for kind, one in kinds if one != "0")
        return self.giving(found[3], [told])

    def amount(self, text: str) -> str:
        """A number that is counted: `played * 2` is "twice the cards you played before"."""
        text, _, times = text.partition(" * ")
        named = {
            "weapon-attack": "your weapon's attack",
            "played": "the number of cards you played before it",
            "own hand": "the number of cards in your hand",
            "event-amount": "as much",
            "golems": "the number of your Jade Golems",
            "count held": "their number",
        }
        if found := re.fullmatch(r"(attack|health|max-health) of (\w+)", text):
            told = f"its {found[1]}"
        elif text.startswith("count ") and text not in named:
            told = f"the number of {self.plain(text.removeprefix('count '))}"
        else:
            told = named.get(text, text)
        return f"{times} times {told}" if times else told

    def say_give(self, rest: str) -> str:
        rest, when = lasting(rest)
        if " with " in rest:
            group, gifts = self.gifts(rest)
            return self.giving(group, gifts)
        word, _, group = rest.partition(" ")
        return self.giving(group, [self.keyword(word)]) + when

    def gifts(self, text: str) -> tuple[str, list[str]]:
        """Split a group from keywords that follow it, and from an enchantment with a text."""
        text, _, script = text.partition(" with ")
        tokens = text.split()
        gifts: list[str] = []
        if script and not self.tables.number(script):
            tokens, script = [*tokens, "with", *script.split()], ""
        while len(tokens) > 1 and tokens[-1] in KEYWORDS:
            gifts.insert(0, self.keyword(tokens.pop()))
        if script and (text_of := self.script_text(script)):
            gifts.append(f'"{text_of.removesuffix(".")}"')
        return " ".join(tokens), gifts

    def giving(self, group: str, gifts: list[str]) -> str:
        named = " and ".join(one for one in gifts if one)
        if group == "self":
            return f"gain {named}"
        return f"give {self.group(group)} {named}"

    def say_lose(self, rest: str) -> str:
        if rest == "crystal":
            return "lose a mana crystal"
        word, _, group = rest.partition(" ")
        return f"remove {self.keyword(word)} from {self.group(group)}"

    def say_set(self, rest: str) -> str:
        kind, _, more = rest.partition(" ")
        if kind == "power":
            first = self.named(more.partition(" then ")[0], article=False)
            return f"your hero power becomes {first}"
        if found := re.fullmatch(r"(attack|health) of target target", more):
            return f"set the {kind} of {self.group('target')} to its {found[1]}"
        value, group = self.valued(more)
        if not value or kind not in ("attack", "health", "hero-health"):
            return ""
        return f"set the {kind.removeprefix('hero-')} of {self.group(group)} to {value}"

    def say_destroy(self, rest: str) -> str:
        named = {
            "enemy weapon": "destroy the opponent's weapon",
            "own weapon": "destroy your weapon",
            "enemy secrets": "destroy all enemy secrets",
        }
        return named.get(rest) or f"destroy {self.group(rest)}"

    def say_freeze(self, rest: str) -> str:
        return f"freeze {self.group(rest)}"

    def say_silence(self, rest: str) -> str:
        return f"silence {self.group(rest)}"

    def say_return(self, rest: str) -> str:
        group, _, cost = rest.partition(" cost ")
        how = f"{cost.removeprefix('-')} {'less' if cost.startswith('-') else 'more'}"
        more = f"; it costs {how}" if cost else ""
        whose = "their owners' hands" if group.endswith("s") else "its owner's hand"
        return f"return {self.group(group)} to {whose}{more}"

    def say_steal(self, rest: str) -> str:
        ending = " this turn" if rest.endswith(" this turn") else ""
        return f"take control of {self.group(rest.removesuffix(ending))}{ending}"

    def say_transform(self, rest: str) -> str:
        group, _, into = rest.partition(" into ")
        return f"transform {self.group(group)} into {self.named(into)}"

    def say_swap(self, rest: str) -> str:
        if rest == "with hand":
            return "swap this with a random minion of your hand"
        return f"swap the attack and health of {self.group(rest)}"

    def say_become(self, rest: str) -> str:
        if rest.startswith("hero "):
            return f"become {self.named(rest[5:], article=False)}"
        return f"become a copy of {self.group(rest.removeprefix('copy of '))}"

    def say_summon(self, rest: str) -> str:
        rest, ending = self.for_whom(rest)
        if rest == "golem":
            return f"summon a Jade Golem{ending}"
        if rest == "again" or rest.startswith("again "):
            health = re.search(r"health (\d+)", rest)
            return "summon it again" + (f" with {health[1]} health" if health else "")
        if rest.startswith("copy of "):
            return f"summon a copy of {self.group(rest[8:])}{ending}"
        if found := re.fullmatch(r"from (own|enemy) (deck|hand)(.*)", rest):
            whose = "your" if found[1] == "own" else "the opponent's"
            small = " as a 1/1 copy" if "small" in found[3] else ""
            return f"summon a random minion from {whose} {found[2]}{small}"
        return f"summon {self.named(rest.removesuffix(' left'))}{ending}"

    def say_draw(self, rest: str) -> str:
        rest, enemy = self.for_whom(rest)
        if enemy and rest.isdecimal():
            return f"your opponent draws {counted(rest, 'card')}"
        rest, _, lacking = rest.partition(" or ")
        if rest == "enemy durability":
            return "draw a card for each durability of it"
        if found := re.fullmatch(r"(\d+) cost -(\d+)", rest):
            return f"draw {counted(found[1], 'card')}; it costs {found[2]} less"
        if rest.startswith("count "):
            return f"draw a card for each of {self.group(rest.removeprefix('count '))}"
        found = re.fullmatch(r"(\d+)(?: (\w+))?", rest)
        if not found:
            return "draw until both hands are equal" if rest == "until even" else ""
        if found[2] == "both":
            return f"each player draws {counted(found[1], 'card')}"
        kind = found[2].removesuffix("s") if found[2] else "card"
        instead = f" (a {self.named(lacking, article=False)} for each missing)" if lacking else ""
        return f"draw {counted(found[1], kind)}{instead}"

    def say_discard(self, rest: str) -> str:
        if rest == "own hand":
            return "discard your hand"
        return f"discard {counted(rest, 'random card')}" if rest.isdecimal() else ""

    def say_add(self, rest: str) -> str:
        rest, ending = self.for_whom(rest)
        where = "the opponent's hand" if ending else "your hand"
        if found := re.fullmatch(r"(?:(\d+) )?copy from enemy (hand|deck)", rest):
            count = f"{found[1]} cards" if found[1] else "a card"
            return f"copy {count} from the opponent's {found[2]} into {where}"
        if rest == "played card":
            return f"put a copy of it into {where}"
        return f"add {self.named(rest)} to {where}"

    def say_shuffle(self, rest: str) -> str:
        if rest.startswith("copy of "):
            return f"shuffle a copy of {self.group(rest[8:])} into your deck"
        return f"shuffle {self.named(rest)} into your deck"

    def say_track(self, rest: str) -> str:
        return "look at the top three cards of your deck, draw one and discard the others"

    def say_discover(self, rest: str) -> str:
        return "discover a hero power" if rest.startswith("power") else "discover a card"

    def say_equip(self, rest: str) -> str:
        rest, ending = self.for_whom(rest)
        return f"equip {self.named(rest)}{ending}"

    def say_weapon(self, rest: str) -> str:
        rest, enemy = self.for_whom(rest)
        if enemy:
            return f"give the opponent's weapon {rest}"
        gift, _, otherwise = rest.partition(" or equip ")
        if not otherwise:
            return f"give your weapon {gift}"
        return f"give your weapon {gift}, or equip {self.named(otherwise)} if you have none"

    def say_absorb(self, rest: str) -> str:
        return f"destroy {self.group(rest)} and gain their attack and health"

    def say_joust(self, rest: str) -> str:
        return "reveal a minion of each deck"

    def say_spend(self, rest: str) -> str:
        return "spend all your mana"

    def say_armour(self, rest: str) -> str:
        return f"gain {self.value(rest)} armour"

    def say_mana(self, rest: str) -> str:
        return f"gain {rest} mana this turn" if rest.isdecimal() else ""

    def say_crystals(self, rest: str) -> str:
        rest, ending = self.for_whom(rest)
        found = re.match(r"(\d+) (empty|full)", rest)
        who = "give your opponent" if ending else "gain"
        kind = "empty mana crystal" if found and found[2] == "empty" else "mana crystal"
        return f"{who} {counted(found[1], kind)}" if found else ""

    def say_hand(self, rest: str) -> str:
        gift, _, more = rest.partition(" ")
        which = "a random minion" if "random" in more else "the minions"
        return f"give {which} in your hand {gift}"

    def say_mark(self, rest: str) -> str:
        if found := re.fullmatch(r"next spell cheaper (\d+)", rest):
            return f"your next spell this turn costs {found[1]} less"
        return MARKS.get(rest, "")

    def say_overload(self, rest: str) -> str:
        return f"Overload: {rest}"

    def say_counter(self, rest: str) -> str:
        return "counter it"

    def say_prevent(self, rest: str) -> str:
        return "prevent it"

    def say_redirect(self, rest: str) -> str:
        return "make it the new target"

    def say_hold(self, rest: str) -> str:
        return f"choose {self.group(rest)}" if rest.startswith("random") else HELD

    def say_strike(self, rest: str) -> str:
        group, _, who = rest.partition(" by ")
        aim = self.group(who)
        return f"let {aim} deal its attack as damage to {self.group(group)}"

    def for_whom(self, rest: str) -> tuple[str, str]:
        for phrase, told in ((" for enemy", " for your opponent"), (" for both", " for both")):
            if rest.endswith(phrase):
                return rest.removesuffix(phrase), told
        return rest, ""


def split(text: str) -> list[str]:
    """Split statements at semicolons outside braces.

    >>> split("draw 1; if combo { draw 1; discard 1 }")
    ['draw 1', 'if combo { draw 1; discard 1 }']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def braced(text: str) -> tuple[str, str, str]:
    """Split what is before, inside and behind the first braces.

    >>> braced("x { a { b } } else { c }")
    ('x', 'a { b }', 'else { c }')
    """
    start = text.index("{")
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return text[:start].strip(), text[start + 1 : at].strip(), text[at + 1 :].strip()
    return text[:start].strip(), text[start + 1 :].strip(), ""


def lasting(text: str) -> tuple[str, str]:
    """Split a gift and how long it lasts."""
    for phrase, told in (("this turn", "this turn"), ("until own turn", "until your next turn")):
        if text.endswith(f" {phrase}"):
            return text.removesuffix(f" {phrase}"), f" {told}"
    return text, ""


def counted(count: str, what: str) -> str:
    """Write a number of things.

    >>> counted("1", "card"), counted("2", "random card")
    ('a card', '2 random cards')
    """
    article = "an" if what[0] in "aeiou" else "a"
    return f"{article} {what}" if count == "1" else f"{count} {what}s"
