"""Replays recorded scenarios of another simulator and reports the first difference of each.

The format of scenarios (`ludex-hs-scenario-1`): a position, a list of actions, and the state
after each. What must agree and what is reported beside it is said in `docs/worlds/hearthstone.md`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scipy.special import chdtrc

from ludex.core import bounded_file
from ludex.core.difference import Difference
from ludex.core.errors import LudexError
from ludex.core.rng import Rng
from ludex.worlds.hearthstone import _native, profiles
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.tools.disputed import DISPUTED

LARGEST_FILE = 2**27  # bytes after unpacking
RUNS = 400  # of a random scenario
RARE = 0.05  # outcomes below this share need not be found
FALSE_ALARMS = 0.001
PROFILE = "competition"
SHOWN_KEYWORDS = {
    "taunt": "taunt",
    "shield": "divine_shield",
    "charge": "charge",
    "windfury": "windfury",
    "stealth": "stealth",
    "poisonous": "poisonous",
    "lifesteal": "lifesteal",
    "immune": "immune",
    "pacifist": "cant_attack",
}
SILENCED, FROZEN, SICK = 1, 2, 4
HERO_FROZEN = 1
END, PLAY, ATTACK, POWER, CHOOSE = range(5)
CHOICE, OVER = 2, 3


@dataclass(slots=True)
class CardReport:
    """The results of a set of scenarios."""

    total: int = 0
    matched: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    failures: list[Difference] = field(default_factory=list)
    disputed: list[tuple[Difference, str]] = field(default_factory=list)
    """differences in which the recording is wrong, with the rule it breaks"""
    second: list[Difference] = field(default_factory=list)
    """differences in legal moves and other facts of the second level"""

    @property
    def passed(self) -> bool:
        """Whether scenarios ran and all of them match."""
        return self.total > 0 and not self.failures

    def as_json(self) -> dict[str, Any]:
        return {
            "total": self.total,
            "matched": self.matched,
            "skipped": len(self.skipped),
            "failures": [failure.as_json() for failure in self.failures],
            "argued": [{**one.as_json(), "rule": rule} for one, rule in self.disputed],
            "reasons": dict(Counter(reason for _, reason in self.skipped)),
            "second_level": {
                "matched": self.matched - len(self.second),
                "failures": [failure.as_json() for failure in self.second],
            },
        }


class ScenarioPlayer:
    """Plays scenarios with the cards of one profile."""

    def __init__(self, profile: str = PROFILE) -> None:
        self.tables: Tables = profiles.load(profile)
        hero = self.tables.number("HERO_08")
        self.model = _native.Model(
            profiles.native_cards(self.tables), ([], []), (hero, hero), [], {"all_places": 1}
        )
        self.keys = {number: key for key, number in self.tables.numbers.items()}

    def missing(self, scenario: dict[str, Any]) -> str | None:
        """Why a scenario cannot be played, or None."""
        lacking = sorted(key for key in scenario["cards"] if key not in self.tables.numbers)
        return f"no card {lacking[0]}" if lacking else None

    def number(self, key: str) -> int:
        return self.tables.numbers[key]

    # Setting up and moving

    def set_up(self, setup: dict[str, Any]) -> _native.State:
        players = []
        for side in setup["players"]:
            player: dict[str, Any] = {
                "hero": self.number(side["hero"]),
                "health": side["health"],
                "max_health": 30,
                "armour": side["armor"],
                "mana": side["mana"],
                "crystals": side["max_mana"],
                "fatigue": side.get("fatigue", 0),
                "owed": side.get("overload_owed", 0),
                "locked": side.get("overload_locked", 0),
                "hand": [self.number(key) for key in side["hand"]],
                "deck": [self.number(key) for key in side["deck"]],
                "board": [self.placed(one) for one in side["board"]],
                "secrets": [self.placed(one) for one in side["secrets"]],
            }
            if side["weapon"]:
                weapon = self.placed(side["weapon"])
                player |= {"weapon": weapon["card"], "weapon_order": weapon["order"]}
                player["durability"] = weapon.get("damage", 0)
            players.append(player)
        return self.model.built({"active": setup["active"], "turn": 10, "players": players})

    def placed(self, one: dict[str, Any]) -> dict[str, Any]:
        facts = {"card": self.number(one["id"]), "order": one["order"] + 1}
        return facts | {key: one[key] for key in ("damage", "frozen", "no_shield") if key in one}

    def target(self, text: str | None, active: int) -> int:
        if text is None:
            return 0
        seat, _, place = text.removeprefix("p").partition(":")
        own = int(seat) == active
        if place == "hero":
            return 1 if own else 2
        return int(place) + (3 if own else 10)

    def pack(self, state: _native.State, action: dict[str, Any]) -> int:
        active, kind = state.active, action["type"]
        if kind == "end_turn":
            return _native.pack(END)
        if kind == "attack":
            code = self.target(action["attacker"], active)
            source = 7 if code == 1 else code - 3
            return _native.pack(ATTACK, source, 0, self.target(action["defender"], active))
        if kind == "power":
            return _native.pack(POWER, 0, 0, self.target(action["target"], active))
        if kind == "choose":
            chosen = self.number(action["card"]) if action["card"] in self.tables.numbers else 0
            offered = list(state.offered)
            place = offered.index(chosen) if chosen in offered else action["index"]
            return _native.pack(CHOOSE, place)
        option = 0
        if action.get("choose"):
            card = self.tables.card(self.number(action["card"]))
            option = 1 + card.options.index(self.number(action["choose"]))
        place = action.get("position", 0) or 0
        target = self.target(action["target"], active)
        return _native.pack(PLAY, action["hand"], option, target, place)

    def move(self, state: _native.State, action: dict[str, Any], rng: Rng) -> str | None:
        """Apply an action in place; returns why it is not legal, or None."""
        number = self.pack(state, action)
        if number not in self.model.flat_legal(state):
            return f"the action is not legal here: {json.dumps(action)}"
        self.model.apply_flat(state, number, rng)
        return None

    # What is compared

    def found(self, state: _native.State) -> dict[str, Any]:
        """A state as the first level of comparison sees it."""
        facts = self.model.described(state)
        if state.phase == OVER:
            return {"winner": "draw" if state.winner == 2 else state.winner}
        players = [
            self.found_player(side, seat == state.active, state.phase == CHOICE)
            for seat, side in enumerate(facts["players"])
        ]
        return {"active": state.active, "winner": None, "p0": players[0], "p1": players[1]}

    def found_player(self, side: dict[str, Any], active: bool, open_choice: bool) -> dict[str, Any]:
        hand = [self.keys[card[0]] for card in side["hand"]]
        board = []
        for minion in side["board"]:
            one = {
                "id": self.keys[minion["card"]],
                "attack": minion["total_attack"],
                "health": minion["health"],
                "max_health": minion["max_health"],
                "keywords": self.keywords(minion),
                "spell_damage": minion["spell_damage"],
            }
            if active and not open_choice:
                one["can_attack"] = minion["can_attack"]
            board.append(one)
        player = {
            "hero": self.keys[side["hero"]],
            "health": side["health"],
            "max_health": side["max_health"],
            "armor": side["armour"],
            "attack": side["total_attack"],
            "frozen": bool(side["flags"] & HERO_FROZEN),
            "immune": side["immune"],
            "weapon": None,
            "power": self.keys[side["power"]],
            "used": bool(side["power_used"]),
            "mana": side["mana"],
            "max_mana": side["crystals"],
            "overload_owed": side["owed"],
            "overload_locked": side["locked"],
            "fatigue": side["fatigue"],
            "hand": list(zip(hand, side["costs"], strict=True)) if active else hand,
            "deck": [self.keys[card] for card in side["deck"]],
            "secrets": [self.keys[card] for card in side["secrets"]],
            "board": board,
        }
        if side["weapon"]:
            attack = side["weapon_attack"] + side["weapon_aura"]
            player["weapon"] = (self.keys[side["weapon"]], attack, side["durability"])
        if active and not open_choice:
            player["can_attack"] = side["can_attack"]
        return player

    def keywords(self, minion: dict[str, Any]) -> list[str]:
        bits = minion["all_keywords"]
        shown = [name for word, name in SHOWN_KEYWORDS.items() if bits & words.KEYWORDS[word]]
        if minion["flags"] & FROZEN:
            shown.append("frozen")
        if minion["flags"] & SILENCED:
            shown.append("silenced")
        return sorted(shown)

    def second(self, state: _native.State) -> dict[str, Any]:
        """Facts of the second level: legal moves, combo, attacks made."""
        if state.phase == OVER:
            return {}
        facts = self.model.described(state)
        seen: dict[str, Any] = {"legal": self.legal(state)}
        for seat, side in enumerate(facts["players"]):
            seen[f"p{seat} combo"] = side["played"] > 0
            seen[f"p{seat} attacks"] = [side["attacks"], *(m["attacks"] for m in side["board"])]
            seen[f"p{seat} costs"] = list(side["costs"])
            seen[f"p{seat} power cost"] = side["power_cost"]
            seen[f"p{seat} graveyard"] = (
                side["buried_minions"],
                side["buried_spells"],
                side["buried_weapons"],
            )
        return seen

    def legal(self, state: _native.State) -> dict[str, Any]:
        play: dict[tuple[int, str | None], set[str]] = {}
        attack: dict[str, set[str]] = {}
        power: set[str] | None = None
        choose: list[str] = [self.keys.get(card, "?") for card in state.offered]
        active = state.active

        def name(code: int) -> str:
            if code in (1, 2):
                return f"p{active if code == 1 else 1 - active}:hero"
            return f"p{active}:{code - 3}" if code < 10 else f"p{1 - active}:{code - 10}"

        hand = self.model.described(state)["players"][active]["hand"]
        for number in self.model.flat_legal(state):
            kind, source, option, target, _ = _native.unpack(number)
            if kind == PLAY:
                card = self.tables.card(hand[source][0])
                chosen = self.keys[card.options[option - 1]] if option else None
                targets = play.setdefault((source, chosen), set())
                if target:
                    targets.add(name(target))
            elif kind == ATTACK:
                who = name(1 if source == 7 else source + 3)
                attack.setdefault(who, set()).add(name(target))
            elif kind == POWER:
                power = power or set()
                if target:
                    power.add(name(target))
        return {"play": play, "attack": attack, "power": power, "choose": choose}


def expected(recorded: dict[str, Any]) -> dict[str, Any]:
    """A recorded state as the first level of comparison sees it."""
    if recorded["winner"] is not None:
        return {"winner": recorded["winner"]}
    legal = recorded.get("legal") or {}
    open_choice = "choose" in legal
    active = recorded["active"]
    players = [
        expected_player(side, seat == active, open_choice)
        for seat, side in enumerate(recorded["players"])
    ]
    return {"active": active, "winner": None, "p0": players[0], "p1": players[1]}


def expected_player(side: dict[str, Any], active: bool, open_choice: bool) -> dict[str, Any]:
    hero = side["hero"]
    board = []
    for minion in side["board"]:
        one = {key: minion[key] for key in ("id", "attack", "health", "max_health")}
        one["keywords"] = sorted(minion["keywords"])
        one["spell_damage"] = minion.get("spell_damage", 0)
        if active and not open_choice:
            one["can_attack"] = minion["can_attack"]
        board.append(one)
    weapon = side["weapon"]
    hand = [card[0] for card in side["hand"]]
    player = {
        "hero": hero["id"],
        **{key: hero[key] for key in ("health", "max_health", "armor", "attack")},
        "frozen": hero["frozen"],
        "immune": hero["immune"],
        "weapon": (weapon["id"], weapon["attack"], weapon["durability"]) if weapon else None,
        "power": side["power"]["id"],
        "used": side["power"]["used"],
        "mana": side["mana"],
        "max_mana": side["max_mana"],
        "overload_owed": side["overload_owed"],
        "overload_locked": side["overload_locked"],
        "fatigue": side["fatigue"],
        "hand": [(card[0], card[1]) for card in side["hand"]] if active else hand,
        "deck": side["deck"],
        "secrets": side["secrets"],
        "board": board,
    }
    if active and not open_choice:
        player["can_attack"] = hero["can_attack"]
    return player


def expected_second(recorded: dict[str, Any]) -> dict[str, Any]:
    if recorded["winner"] is not None:
        return {}
    legal = recorded["legal"] or {}
    power = legal.get("power")
    seen: dict[str, Any] = {
        "legal": {
            "play": {(at, option): set(aims or ()) for at, option, aims in legal.get("play", ())},
            "attack": {who: set(aims) for who, aims in legal.get("attack", ())},
            "power": None if power is None else set(power["targets"] or ()),
            "choose": list(legal.get("choose", ())),
        }
    }
    for seat, side in enumerate(recorded["players"]):
        seen[f"p{seat} combo"] = side["combo"]
        attacks = [side["hero"]["attacks_made"], *(m["attacks_made"] for m in side["board"])]
        seen[f"p{seat} attacks"] = attacks
        seen[f"p{seat} costs"] = [card[1] for card in side["hand"]]
        seen[f"p{seat} power cost"] = side["power"]["cost"]
        buried = side["graveyard"]
        seen[f"p{seat} graveyard"] = (buried["minion"], buried["spell"], buried["weapon"])
    return seen


def first_difference(wanted: Any, got: Any, path: str = "") -> tuple[str, str] | None:
    """The first difference of two descriptions, as two short texts."""
    if wanted == got:
        return None
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key in [*wanted, *(key for key in got if key not in wanted)]:
            inner = first_difference(wanted.get(key), got.get(key), f"{path} {key}".strip())
            if inner:
                return inner
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for index, (one, other) in enumerate(zip(wanted, got, strict=True)):
            inner = first_difference(one, other, f"{path}[{index}]")
            if inner:
                return inner
    return f"{path} {brief(wanted)}".strip(), f"{path} {brief(got)}".strip()


def brief(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[" + " ".join(f"{m.get('id')} {m['attack']}/{m['health']}" for m in value) + "]"
    text = str(sorted(value) if isinstance(value, set) else value)
    return text if len(text) <= 300 else text[:297] + "..."


def play_scenario(
    player: ScenarioPlayer, name: str, scenario: dict[str, Any]
) -> tuple[Difference | None, Difference | None]:
    """Replay one scenario; its first differences of the first and of the second level."""
    state = player.set_up(scenario["setup"])
    rng = Rng(0).fork(scenario["id"])
    second: Difference | None = None
    actions = scenario["actions"]
    random = scenario["kind"] == "random"
    for tick, recorded in enumerate(scenario["states"]):
        if tick > 0:
            problem = player.move(state, actions[tick - 1], rng)
            if problem:
                return Difference(name, tick, "a legal action", problem), second
        differs = first_difference(expected(recorded), player.found(state))
        if differs:
            return Difference(name, tick, *differs), second
        if second is None:
            beside = first_difference(expected_second(recorded), player.second(state))
            second = Difference(name, tick, *beside) if beside else None
    if random:
        return play_random_end(player, name, scenario, state), second
    return None, second


def play_random_end(
    player: ScenarioPlayer, name: str, scenario: dict[str, Any], before: _native.State
) -> Difference | None:
    """Repeat the last action and compare the frequency of each outcome."""
    tick = len(scenario["actions"])
    own: Counter[str] = Counter()
    for run in range(RUNS):
        state = before.copy()
        problem = player.move(state, scenario["actions"][-1], Rng(run).fork(scenario["id"], "end"))
        if problem:
            return Difference(name, tick, "a legal action", problem)
        own[json.dumps(player.found(state), default=list)] += 1
    runs = scenario["runs"]
    recorded: Counter[str] = Counter()
    for outcome in scenario["outcomes"]:
        recorded[json.dumps(expected(outcome["state"]), default=list)] += outcome["count"]
    for text, count in recorded.items():
        if count / runs >= RARE and text not in own:
            nearest = next(iter(own))
            differs = first_difference(json.loads(text), json.loads(nearest))
            said = differs[0] if differs else "an outcome"
            other = differs[1] if differs else ""
            return Difference(name, tick, f"sometimes {said}", f"never; for instance {other}")
    for text, count in own.items():
        if count / RUNS > RARE and text not in recorded:
            differs = first_difference(json.loads(next(iter(recorded))), json.loads(text))
            said = differs[1] if differs else "an outcome"
            return Difference(name, tick, "an outcome that was recorded", f"{count} times {said}")
    return compare_shares(name, tick, recorded, own)


def compare_shares(
    name: str, tick: int, recorded: Counter[str], own: Counter[str]
) -> Difference | None:
    """A chi-square test of two samples over the outcomes that both have."""
    known = [text for text in recorded if text in own]
    here, there = sum(own[t] for t in known), sum(recorded[t] for t in known)
    if len(known) < 2:
        return None
    statistic = 0.0
    for text in known:
        share = (own[text] + recorded[text]) / (here + there)
        for found, total in ((own[text], here), (recorded[text], there)):
            statistic += (found - share * total) ** 2 / (share * total)
    if chdtrc(len(known) - 1, statistic) < FALSE_ALARMS:
        shares = [f"{recorded[t] / there:.2f}" for t in known]
        mine = [f"{own[t] / here:.2f}" for t in known]
        return Difference(name, tick, f"shares {' '.join(shares)}", f"shares {' '.join(mine)}")
    return None


def scenario_paths(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.jsonl.gz"))


def read_scenarios(path: Path) -> list[dict[str, Any]]:
    try:
        text = bounded_file.read_text(path, LARGEST_FILE, LudexError, "file of scenarios")
        rows = [row for _, row, _ in bounded_file.json_lines(text)]
    except bounded_file.TooLarge as error:
        raise LudexError(f"cannot read the scenarios in {str(path)!r}: {error}") from None
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise LudexError(f"cannot read the scenarios in {str(path)!r}: line {number} is none")
    return rows


def set_aside(scenario: dict[str, Any], everything: bool) -> str | None:
    """Why a scenario is not expected to match."""
    if everything:
        return None
    if scenario.get("doubt"):
        return f"doubtful: {scenario['doubt'][0]}"
    if scenario.get("text2020"):
        return "texts of another year"
    return None


def conform(
    paths: list[Path], everything: bool = False
) -> Iterator[tuple[str, str | tuple[Difference | None, Difference | None]]]:
    """Replay all scenarios of these files; yields a reason or the differences of each."""
    player = ScenarioPlayer()
    for path in paths:
        for scenario in read_scenarios(path):
            try:
                name = f"{path.name.removesuffix('.jsonl.gz')}/{scenario['id']}"
                aside = set_aside(scenario, everything) or player.missing(scenario)
                yield name, aside or play_scenario(player, name, scenario)
            except (KeyError, TypeError, IndexError, ValueError) as error:
                raise LudexError(
                    f"{str(path)!r} holds a scenario that cannot be read: {error!r}"
                ) from None


def run(paths: list[Path], everything: bool = False) -> CardReport:
    report = CardReport()
    for name, result in conform(paths, everything):
        note(report, name, result)
    return report


def note(
    report: CardReport, name: str, result: str | tuple[Difference | None, Difference | None]
) -> None:
    """Add one scenario to a report; one that is listed as disputed must differ."""
    if isinstance(result, str):
        report.skipped.append((name, result))
        return
    report.total += 1
    first, second = result
    rule = DISPUTED.get(name.rpartition("/")[2])
    if first:
        if rule is None:
            report.failures.append(first)
        else:
            report.disputed.append((first, rule))
        return
    report.matched += 1
    if rule is not None:
        wanted = f"a difference, as {rule}"
        report.failures.append(Difference(name, 0, wanted, "what was recorded"))
    if second:
        report.second.append(second)
