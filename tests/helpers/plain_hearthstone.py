"""The 57-card game in plain Python, written from the rules alone to check the native engine.

It shares nothing with the native rules but the names of cards and the order in which chance is
asked: one draw for each of the Arcane Missiles, over the hero and then the minions from the left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MINIONS = {  # cost, attack, health, abilities
    "Abomination": (5, 4, 4, "taunt"),
    "Acolyte of Pain": (3, 1, 3, ""),
    "Mana Wyrm": (1, 1, 3, ""),
    "Novice Engineer": (2, 1, 1, ""),
    "Abusive Sergeant": (1, 2, 1, ""),
    "Bloodfen Raptor": (2, 3, 2, ""),
    "River Crocolisk": (2, 2, 3, ""),
    "Boulderfist Ogre": (6, 6, 7, ""),
    "Magma Rager": (3, 5, 1, ""),
    "Murloc Raider": (1, 2, 1, ""),
    "Nightblade": (5, 4, 4, ""),
    "Oasis Snapjaw": (4, 2, 7, ""),
    "Reckless Rocketeer": (6, 5, 2, "charge"),
    "Sen'jin Shieldmasta": (4, 3, 5, "taunt"),
    "Stonetusk Boar": (1, 1, 1, "charge"),
    "Voodoo Doctor": (1, 2, 1, ""),
    "Wolfrider": (3, 3, 1, "charge"),
    "Bluegill Warrior": (2, 2, 1, "charge"),
    "Booty Bay Bodyguard": (5, 5, 4, "taunt"),
    "Chillwind Yeti": (4, 4, 5, ""),
    "Core Hound": (7, 9, 5, ""),
    "Darkscale Healer": (5, 4, 5, ""),
    "Mechanical Dragonling": (1, 2, 1, ""),
    "Dragonling Mechanic": (4, 2, 4, ""),
    "Elven Archer": (1, 1, 1, ""),
    "Frostwolf Grunt": (2, 2, 2, "taunt"),
    "Gnomish Inventor": (4, 2, 4, ""),
    "Goldshire Footman": (1, 1, 2, "taunt"),
    "Gurubashi Berserker": (5, 2, 7, ""),
    "Ironforge Rifleman": (3, 2, 2, ""),
    "Ironfur Grizzly": (3, 3, 3, "taunt"),
    "Lord of the Arena": (6, 6, 5, "taunt"),
    "Murloc Scout": (0, 1, 1, ""),
    "Murloc Tidehunter": (2, 2, 1, ""),
    "Boar": (1, 1, 1, ""),
    "Razorfen Hunter": (3, 2, 3, ""),
    "Shattered Sun Cleric": (3, 3, 2, ""),
    "Silverback Patriarch": (3, 1, 4, "taunt"),
    "Stormpike Commando": (5, 4, 2, ""),
    "Stormwind Knight": (4, 2, 5, "charge"),
    "War Golem": (7, 7, 7, ""),
    "Ironbark Protector": (8, 8, 8, "taunt"),
    "Image": (0, 0, 2, "taunt"),
    "Water Elemental": (4, 3, 6, ""),
    "Ironbeak Owl": (2, 2, 1, ""),
}
SPELLS = {
    "Claw": 1,
    "Healing Touch": 3,
    "Innervate": 0,
    "Mark of the Wild": 2,
    "Wild Growth": 2,
    "Moonfire": 0,
    "Starfire": 6,
    "Swipe": 4,
    "Arcane Explosion": 2,
    "Arcane Intellect": 3,
    "Arcane Missiles": 1,
    "Fireball": 4,
    "Flamestrike": 7,
    "Frost Nova": 3,
    "Frostbolt": 2,
    "Mirror Image": 1,
    "The Coin": 0,
    "Excess Mana": 0,
}
ANYBODY = {"Voodoo Doctor", "Elven Archer", "Ironforge Rifleman", "Stormpike Commando"}
ANY_MINION = {"Abusive Sergeant", "Ironbeak Owl"}
AIMED_SPELLS = {"Healing Touch", "Moonfire", "Starfire", "Fireball", "Frostbolt"}


@dataclass
class Body:
    """A minion, or a hero."""

    name: str
    side: int
    attack: int
    health: int
    most: int
    order: int = 0
    hero: bool = False
    abilities: set[str] = field(default_factory=set)
    this_turn: int = 0
    """attack until the end of the turn"""
    armour: int = 0
    frozen: bool = False
    silenced: bool = False
    new: bool = True
    attacks: int = 0

    @property
    def strength(self) -> int:
        return max(0, self.attack + self.this_turn)


@dataclass
class Side:
    """One player."""

    hero: Body
    hand: list[str]
    deck: list[str]
    """the next card first"""
    board: list[Body] = field(default_factory=list)
    mana: int = 0
    crystals: int = 0
    temporary: int = 0
    fatigue: int = 0
    power_used: bool = False


class PlainGame:
    """The game as a player would explain it."""

    def __init__(self, sides: list[Side], active: int, rng: Any) -> None:
        self.sides = sides
        self.active = active
        self.rng = rng
        self.orders = 0
        self.winner: int | None = None
        self.over = False

    # What may be done

    def targets(self, name: str) -> list[Body] | None:
        """Legal targets of a card, None when it asks for none."""
        me, foe = self.sides[self.active], self.sides[1 - self.active]
        everybody = [me.hero, foe.hero, *me.board, *foe.board]
        if name in ANYBODY | AIMED_SPELLS:
            return everybody
        if name in ANY_MINION or name == "Mark of the Wild":
            return [one for one in everybody if not one.hero]
        if name == "Shattered Sun Cleric":
            return list(me.board)
        if name == "Swipe":
            return [foe.hero, *foe.board]
        return None

    def can_attack(self, one: Body) -> bool:
        fresh = one.new and not one.hero and "charge" not in one.abilities
        return one.strength > 0 and not one.frozen and one.attacks == 0 and not fresh

    def code(self, one: Body | None) -> int:
        if one is None:
            return 0
        own = one.side == self.active
        if one.hero:
            return 1 if own else 2
        return self.sides[one.side].board.index(one) + (3 if own else 10)

    def legal(self) -> set[tuple[int, int, int]]:
        """All actions: (0, 0, 0) end, (1, card, target), (2, attacker, target), (3, 0, target)."""
        me, foe = self.sides[self.active], self.sides[1 - self.active]
        found = {(0, 0, 0)}
        for place, name in enumerate(me.hand):
            cost = MINIONS[name][0] if name in MINIONS else SPELLS[name]
            if cost > me.mana:
                continue
            if (name in MINIONS or name == "Mirror Image") and len(me.board) == 7:
                continue
            targets = self.targets(name)
            if targets:
                found |= {(1, place, self.code(one)) for one in targets}
            elif targets is None or name in MINIONS:
                found.add((1, place, 0))
        walls = [one for one in foe.board if "taunt" in one.abilities]
        for place, one in [*enumerate(me.board), (7, me.hero)]:
            if self.can_attack(one):
                found |= {(2, place, self.code(t)) for t in walls or [foe.hero, *foe.board]}
        if me.mana >= 2 and not me.power_used:
            everybody = [me.hero, foe.hero, *me.board, *foe.board]
            found |= {(3, 0, self.code(one)) for one in everybody}
        return found

    def body(self, code: int) -> Body | None:
        if code == 0:
            return None
        own = code == 1 or 3 <= code < 10
        side = self.sides[self.active if own else 1 - self.active]
        if code in (1, 2):
            return side.hero
        return side.board[code - (3 if own else 10)]

    # What happens

    def do(self, kind: int, source: int, target: int) -> None:
        if kind == 0:
            self.end_turn()
        elif kind == 1:
            self.play(source, self.body(target))
        elif kind == 2:
            me = self.sides[self.active]
            self.fight(me.hero if source == 7 else me.board[source], self.body(target))
        else:
            side = self.sides[self.active]
            side.mana -= 2
            side.power_used = True
            self.hurt([self.body(target)], 1)
        self.bury()
        fallen = [side.hero.health <= 0 for side in self.sides]
        if any(fallen):
            self.over = True
            self.winner = None if all(fallen) else int(fallen[0])

    def end_turn(self) -> None:
        me = self.sides[self.active]
        for side in self.sides:
            for one in [side.hero, *side.board]:
                one.this_turn = 0
        for one in [me.hero, *me.board]:
            lame = one.new and not one.hero and "charge" not in one.abilities
            if one.attacks == 0 and not lame:
                one.frozen = False
            one.attacks = 0
        me.mana = max(0, me.mana - me.temporary)
        me.temporary = 0
        self.active = 1 - self.active
        me = self.sides[self.active]
        me.crystals = min(10, me.crystals + 1)
        me.mana = me.crystals
        me.power_used = False
        for one in me.board:
            one.new = False
        self.draw(self.active)

    def draw(self, seat: int) -> None:
        side = self.sides[seat]
        if not side.deck:
            side.fatigue += 1
            self.hurt([side.hero], side.fatigue)
            return
        card = side.deck.pop(0)
        if len(side.hand) < 10:
            side.hand.append(card)

    def hurt(self, whom: list[Body | None], amount: int, by: Body | None = None) -> None:
        struck = []
        for one in whom:
            if one is None or amount <= 0:
                continue
            absorbed = min(one.armour, amount)
            one.armour -= absorbed
            one.health -= amount - absorbed
            struck.append(one)
            if by is not None and by.name == "Water Elemental" and not by.silenced:
                one.frozen = True
        for one in sorted(struck, key=lambda body: (not body.hero, body.order)):
            self.felt(one)

    def felt(self, one: Body) -> None:
        if one.silenced or one.hero:
            return
        if one.name == "Acolyte of Pain":
            self.draw(one.side)
        if one.name == "Gurubashi Berserker":
            one.attack += 3

    def heal(self, whom: list[Body], amount: int) -> None:
        for one in whom:
            one.health = min(one.most, one.health + amount) if one.health < one.most else one.health

    def summon(self, name: str, seat: int, place: int | None = None) -> Body | None:
        side = self.sides[seat]
        if len(side.board) == 7:
            return None
        _, attack, health, abilities = MINIONS[name]
        self.orders += 1
        one = Body(
            name, seat, attack, health, health, self.orders, abilities=set(abilities.split())
        )
        side.board.insert(len(side.board) if place is None else place, one)
        return one

    def play(self, place: int, target: Body | None) -> None:
        me, foe = self.sides[self.active], self.sides[1 - self.active]
        name = me.hand.pop(place)
        if name in MINIONS:
            me.mana -= MINIONS[name][0]
            self.battlecry(name, self.summon(name, self.active), target)
            return
        me.mana -= SPELLS[name]
        for one in me.board:
            if one.name == "Mana Wyrm" and not one.silenced:
                one.attack += 1
        enemies = [foe.hero, *foe.board]
        match name:
            case "Claw":
                me.hero.this_turn += 2
                me.hero.armour += 2
            case "Healing Touch":
                self.heal([target], 8)
            case "Innervate" | "The Coin":
                gained = min(10 - me.mana, 2 if name == "Innervate" else 1)
                me.mana += gained
                me.temporary += gained
            case "Mark of the Wild":
                self.grow(target, 2, 2)
                target.abilities.add("taunt")
            case "Wild Growth":
                if me.crystals < 10:
                    me.crystals += 1
                elif len(me.hand) < 10:
                    me.hand.append("Excess Mana")
            case "Excess Mana":
                self.draw(self.active)
            case "Moonfire":
                self.hurt([target], 1)
            case "Starfire":
                self.hurt([target], 5)
                self.draw(self.active)
            case "Swipe":
                self.hurt([target], 4)
                self.hurt([one for one in [foe.hero, *foe.board] if one is not target], 1)
            case "Arcane Explosion":
                self.hurt(list(foe.board), 1)
            case "Arcane Intellect":
                self.draw(self.active)
                self.draw(self.active)
            case "Arcane Missiles":
                for _ in range(3):
                    living = [one for one in enemies if one.health > 0]
                    if living:
                        self.hurt([living[self.rng.below(len(living))]], 1)
            case "Fireball":
                self.hurt([target], 6)
            case "Flamestrike":
                self.hurt(list(foe.board), 4)
            case "Frost Nova":
                for one in foe.board:
                    one.frozen = True
            case "Frostbolt":
                self.hurt([target], 3)
                target.frozen = True
            case "Mirror Image":
                self.summon("Image", self.active)
                self.summon("Image", self.active)

    def grow(self, one: Body, attack: int, health: int) -> None:
        one.attack += attack
        one.health += health
        one.most += health

    def battlecry(self, name: str, own: Body, target: Body | None) -> None:
        me, foe = self.sides[self.active], self.sides[1 - self.active]
        beside = me.board.index(own) + 1
        match name:
            case "Novice Engineer" | "Gnomish Inventor":
                self.draw(self.active)
            case "Nightblade":
                self.hurt([foe.hero], 3)
            case "Darkscale Healer":
                self.heal([me.hero, *me.board], 2)
            case "Dragonling Mechanic":
                self.summon("Mechanical Dragonling", self.active, beside)
            case "Murloc Tidehunter":
                self.summon("Murloc Scout", self.active, beside)
            case "Razorfen Hunter":
                self.summon("Boar", self.active, beside)
        if target is None:
            return
        match name:
            case "Abusive Sergeant":
                target.this_turn += 2
            case "Voodoo Doctor":
                self.heal([target], 2)
            case "Elven Archer" | "Ironforge Rifleman":
                self.hurt([target], 1)
            case "Stormpike Commando":
                self.hurt([target], 2)
            case "Shattered Sun Cleric":
                self.grow(target, 1, 1)
            case "Ironbeak Owl":
                _, attack, health, _ = MINIONS[target.name]
                target.attack, target.this_turn, target.abilities = attack, 0, set()
                target.most = health
                target.health = min(target.health, health)
                target.silenced, target.frozen = True, False

    def fight(self, attacker: Body, defender: Body) -> None:
        attacker.attacks += 1
        out = attacker.strength
        back = 0 if defender.hero else defender.strength
        for one, amount, other in ((defender, out, attacker), (attacker, back, defender)):
            absorbed = min(one.armour, amount)
            one.armour -= absorbed
            one.health -= amount - absorbed
            if amount > 0 and other.name == "Water Elemental" and not other.silenced:
                one.frozen = True
        if out > 0:
            self.felt(defender)
        if back > 0:
            self.felt(attacker)

    def bury(self) -> None:
        while True:
            dead = [one for side in self.sides for one in side.board if one.health <= 0]
            if not dead:
                return
            for side in self.sides:
                side.board = [one for one in side.board if one.health > 0]
            for one in sorted(dead, key=lambda body: body.order):
                if one.name == "Abomination" and not one.silenced:
                    everybody = [self.sides[0].hero, self.sides[1].hero]
                    everybody += self.sides[0].board + self.sides[1].board
                    self.hurt(everybody, 2)
