"""The world of Hearthstone: options, notation, pictures and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.choices import Choice
from ludex.core.contents import Contents, hash_of_data
from ludex.core.errors import (
    AmbiguousAction,
    BadParameter,
    IllegalAction,
    InvalidAction,
    InvalidState,
)
from ludex.core.event import Event
from ludex.core.paint import plain
from ludex.core.parameters import Between
from ludex.core.person import Person
from ludex.core.rng import Rng
from ludex.core.tracker import Counts
from ludex.core.view import View
from ludex.core.world import ArraySpec, World
from ludex.worlds.hearthstone import _native, decks, pools, profiles
from ludex.worlds.hearthstone._native import State
from ludex.worlds.hearthstone.draw import Artist
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.model import HearthstoneModel
from ludex.worlds.hearthstone.notation import ACTION, action_text, has_power, playable_cards, told
from ludex.worlds.hearthstone.position import native_text, position_text
from ludex.worlds.hearthstone.prompt.choices import choices, thrown_words
from ludex.worlds.hearthstone.prompt.looking import WORDS as LOOK_WORDS
from ludex.worlds.hearthstone.prompt.looking import Looking
from ludex.worlds.hearthstone.prompt.names import Names
from ludex.worlds.hearthstone.prompt.reading import begun, legal_like, meant
from ludex.worlds.hearthstone.prompt.reasons import Reasons
from ludex.worlds.hearthstone.table import MULLIGAN as FIRST_HAND
from ludex.worlds.hearthstone.table import NARROWEST, WIDTH, Seen, Table
from ludex.worlds.hearthstone.tracker import HearthstoneTracker, public_counts
from ludex.worlds.hearthstone.view import HearthstoneView

FLAT_AT_END = 10 * 2 * 17 + 8 * 8 + 17 + 1
FLAT_ANYWHERE = 10 * 2 * 17 * 8 + 8 * 8 + 17 + 1
HERO_NUMBERS = (
    "health",
    "max_health",
    "armour",
    "hero_attack",
    "weapon_attack",
    "weapon_aura",
    "durability",
    "flags",
    "attacks",
    "power_used",
    "mana",
    "crystals",
    "owed",
    "locked",
    "fatigue",
    "played",
)
MINION_NUMBERS = (
    "card",
    "attack",
    "aura_attack",
    "health",
    "max_health",
    "keywords",
    "flags",
    "attacks",
)
TWO = r"(.+?\.deck|[^/]+)/(.+\.deck|[^/]+)"  # a path to a deck may have slashes of its own
RANDOM = "random"
SEEN_KEYWORDS = 0x7FF
HIGHEST = 2048.0
LONGEST_STATE = 20_000  # characters


@dataclass(frozen=True, kw_only=True)
class Hearthstone(World[State]):
    """Two heroes fight with minions, spells and weapons from hidden decks of cards."""

    name: ClassVar[str] = "hearthstone"
    version: ClassVar[int] = 2
    status: ClassVar[Literal["exact", "close", "partial"]] = "close"
    players: ClassVar[tuple[int, int]] = (2, 2)
    LIMITS: ClassVar[Mapping[str, Any]] = {"turn_limit": Between(1, 500)}

    decks: str = "aaron/aaron"
    """the decks of both seats: names or .deck files, or `random` for cards of the pool"""
    cards: Literal["classic", "competition", "nora2015"] = "classic"
    """the profile of cards"""
    file: str = ""
    """a card file of one's own that is read after the profile"""
    pool: Literal["all", "nora"] = "all"
    """what random decks are drawn from"""
    heroes: str = "mage/mage"
    """the classes of both seats where a deck is random"""
    actions: Literal["flat", "staged"] = "flat"
    """whole actions, or their parts one after the other"""
    places: Literal["end", "all"] = "end"
    """whether minions are put at the right end, or anywhere"""
    mulligan: bool = False
    """whether cards of the first hand may be thrown back"""
    first: Literal["random", "0", "1"] = "random"
    """who begins"""
    turn_limit: int = 89
    """turns of both players together; then the game is drawn"""
    frozen_hero_can_attack: bool = False
    """whether frost stops minions alone, as in the released program of the Nora study"""

    @cached_property
    def tables(self) -> Tables:
        """The cards by number, with names and facts."""
        return profiles.load(self.cards, self._files, self.as_read)

    @cached_property
    def contents(self) -> Contents:
        held = {path: source.data for path, source in self.as_read.items()}
        profile = [path for path, _ in profiles.card_paths(self.cards)]
        found = {f"cards {self.cards}": hash_of_data(*(held[path] for path in profile))}
        for path in [path for path in held if path not in profile]:
            kind = "deck" if path.suffix == ".deck" else "cards"
            found[f"{kind} {path.name}"] = hash_of_data(held[path])
        return found

    @property
    def _files(self) -> tuple[str, ...]:
        return (self.file,) if self.file else ()

    @property
    def sources(self) -> tuple[Path, ...]:
        cards = [path for path, _ in profiles.card_paths(self.cards, self._files)]
        chosen = re.fullmatch(TWO, self.decks)
        named = [name for name in chosen.groups() if name != RANDOM] if chosen else []
        return (*cards, *map(decks.path_of, named))

    @cached_property
    def model(self) -> HearthstoneModel:
        chosen: list[list[int]] = []
        heroes: list[int] = []
        for deck, hero in zip(self._two("decks"), self._two("heroes"), strict=True):
            if deck == RANDOM:
                if hero not in decks.CLASS_HEROES:
                    known = ", ".join(decks.CLASS_HEROES)
                    raise BadParameter(f"there is no class {hero!r}; known: {known}")
                chosen.append([])
            else:
                made = decks.load(deck, self.tables, self.as_read, self.cards)
                chosen.append(made.cards)
                hero = made.hero
            heroes.append(self.tables.numbers[decks.CLASS_HEROES[hero]])
        how = {
            "mulligan": int(self.mulligan),
            "staged": int(self.actions == "staged"),
            "all_places": int(self.places == "all"),
            "first": 2 if self.first == "random" else int(self.first),
            "turn_limit": self.turn_limit,
            "frozen_hero_can_attack": int(self.frozen_hero_can_attack),
        }
        pool = pools.pool(self.pool, self.tables)
        if [] in chosen and decks.COPIES * len(pool) < decks.SIZE:
            raise BadParameter(
                f"a random deck needs {decks.SIZE // decks.COPIES} cards to draw from, and the "
                f"pool {self.pool!r} has {len(pool)}"
            )
        secret = words.KEYWORDS["secret"]
        cards = enumerate(self.tables.cards, 1)
        return HearthstoneModel(
            (
                profiles.native_cards(self.tables),
                (chosen[0], chosen[1]),
                (heroes[0], heroes[1]),
                pool,
                how,
            ),
            frozenset(number for number, card in cards if card.keywords & secret),
            FLAT_ANYWHERE if self.places == "all" else FLAT_AT_END,
            str(self),
        )

    def _two(self, option: str) -> list[str]:
        text = getattr(self, option)
        found = re.fullmatch(TWO, text)
        if found is None:
            raise BadParameter(
                f"hearthstone.{option} names two, split by a slash as in "
                f"{getattr(type(self), option)!r}, got {text!r}"
            )
        return list(found.groups())

    def start(self, rng: Rng) -> State:
        return self.model.first_state(rng)

    def parse(self, text: str) -> State:
        state = self.model.parse(text) if len(text) < LONGEST_STATE else None
        if state is not None and str(state) == text:
            return state
        why = (
            "; a state is the line that world.state_text(state) or str(state) gives, as in "
            "'hearthstone turn=1 ... p0 ... p1 ...'"
        )
        try:
            state = (
                self.model.parse(native_text(text, self.tables)) if self._in_words(text) else None
            )
        except InvalidState as error:
            state, why = None, f": {error}"
        if state is None:
            shown = text if len(text) < 60 else text[:57] + "..."
            raise InvalidState(f"cannot read {shown!r} as a state of hearthstone{why}")
        return state

    def _in_words(self, text: str) -> bool:
        return len(text) < LONGEST_STATE and text.startswith("hearthstone ") and text.isprintable()

    def state_text(self, state: State) -> str:
        """Write a state with the names of cards; see docs/worlds/hearthstone.md."""
        self.model.check_state(state)
        return position_text(str(state), self.tables)

    # Words

    def action_text(self, action: Any) -> str:
        return action_text(action)

    def is_action_text(self, text: str) -> bool:
        return bool(re.fullmatch(ACTION, text))

    def event_text(self, event: Event, seat: int) -> str:
        said = told(event, seat, self.tables)
        return super().event_text(event, seat) if said is None else said

    # People at the prompt

    def names(self, view: HearthstoneView) -> Names:
        return Names(self._seen(view), self.tables)

    def choices(self, view: HearthstoneView) -> Sequence[Choice]:
        return choices(view.legal, self.names(view))

    def parse_action(self, text: str, view: View) -> int:
        """Read an action by its notation, or by the names of cards and targets."""
        assert isinstance(view, HearthstoneView)
        action = self._meant(text, view)
        return super().parse_action(text, view) if action is None else action

    def _meant(self, text: str, view: HearthstoneView) -> int | None:
        """The legal action that names stand for; None where that is not clear."""
        try:
            found = meant(text, self.names(view))
        except InvalidAction:
            return None
        legal = [one for action in found for one in legal_like(action, view.legal)]
        if not legal:
            legal = [one for action in found for one in begun(action, view.legal)]
        if len(legal) == 1:
            return legal[0]
        if len(legal) > 1 and len({_native.unpack(action)[:3] for action in legal}) > 1:
            listed = ", ".join(map(action_text, legal))
            raise AmbiguousAction(f"{text!r} could be any of: {listed}; type its number")
        if legal:
            raise AmbiguousAction(self.refusal(view, found[0]))
        if found and not legal and self.actions == "flat":
            raise IllegalAction(self.refusal(view, found[0]))
        return None

    def read_action(self, text: str, view: HearthstoneView) -> int | None:
        return next(iter(meant(text, self.names(view))), None)

    def refusal(self, view: HearthstoneView, action: Any) -> str:
        why = self._reason(view, action, Person(view.seat, is_reader=True))
        return why or super().refusal(view, action)

    def explain(self, state: State, seat: int, action: Any) -> str:
        why = self._reason(self.model.view(state, seat), action, Person(seat))
        if not why:
            return super().explain(state, seat, action)
        return f"seat {seat} cannot play {action_text(action)!r}: {why}"

    def _reason(self, view: HearthstoneView, action: Any, who: Person) -> str:
        """Why an action is not legal; "" where no reason is known, as of what is no action."""
        if not isinstance(action, int) or not 0 <= action < 1 << 32:
            return ""
        seen = self._seen(view)
        reasons = Reasons(Names(seen, self.tables), seen.facts, view.legal, who)
        return reasons.why(action)

    def show_board(self, view: HearthstoneView) -> str:
        return self.table.text(self._seen(view))

    def show_hand(self, view: HearthstoneView) -> str:
        return self.table.foot(self._seen(view))

    def prompt_words(self, view: HearthstoneView) -> Mapping[str, str]:
        seen = self._seen(view)
        if seen.facts["phase"] != FIRST_HAND or not view.legal:
            return LOOK_WORDS
        return {**thrown_words(Names(seen, self.tables)), **LOOK_WORDS}

    def answer(self, text: str, view: HearthstoneView) -> str | None:
        return Looking(self.names(view)).answer(text)

    def answers_to(self, view: HearthstoneView) -> Sequence[str]:
        return Looking(self.names(view)).known()

    # Counting along

    def tracker(self, view: HearthstoneView) -> HearthstoneTracker:
        minion = words.TYPES.index("minion")
        return HearthstoneTracker(view, lambda card: self.tables.card(card).type == minion)

    def public_counts(self, view: HearthstoneView) -> Counts:
        return public_counts(view)

    # Pictures and numbers

    @cached_property
    def artist(self) -> Artist:
        return Artist(self.tables)

    @cached_property
    def table(self) -> Table:
        return Table(self.tables)

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        if form == "text":
            return plain(self.table.text(self._all(state)))
        return self.artist.svg(self.model.described(state), None)

    def draw_view(self, view: HearthstoneView, form: Literal["text", "svg"] = "text") -> str:
        seen = self._seen(view)
        if form == "text":
            return plain(self.table.text(seen))
        return self.artist.svg(seen.facts, seen.seat)

    def draw_in_colour(self, state: State, seat: int | None = None) -> str:
        return self.draw_to_width(state, WIDTH, seat)

    def draw_to_width(self, state: State, width: int, seat: int | None = None) -> str:
        seen = self._all(state) if seat is None else self._seen(self.model.view(state, seat))
        return self.table.text(replace(seen, width=max(NARROWEST, width)))

    def _all(self, state: State) -> Seen:
        return Seen(self.model.described(state), None, state.offered)

    def _seen(self, view: HearthstoneView) -> Seen:
        """What a view shows, with what its seat can do."""
        state = self.model.seen_state(view.seen, view.seat)
        is_own = view.seat in self.model.to_act(state)
        return Seen(
            self.model.described(state),
            view.seat,
            state.offered if is_own else (),
            playable_cards(view.legal),
            has_power(view.legal),
        )

    @property
    def observation_spec(self) -> ArraySpec:
        side = len(HERO_NUMBERS) + 3 + 7 * len(MINION_NUMBERS)
        return ArraySpec(shape=(2 * side + 10 + 3,), low=-HIGHEST, high=HIGHEST)

    def observation(self, view: HearthstoneView) -> NDArray[np.generic]:
        """Both sides, the own one first, then the own hand and the situation."""
        state = self.model.seen_state(view.seen, view.seat)
        numbers: list[int] = []
        for seat in (view.seat, 1 - view.seat):
            side = state.player(seat)
            numbers += [side[name] for name in HERO_NUMBERS]
            numbers += [len(side["hand"]), len(side["deck"]), len(side["secrets"])]
            row = [0] * (7 * len(MINION_NUMBERS))
            for index, minion in enumerate(side["board"]):
                facts = [minion[name] for name in MINION_NUMBERS]
                facts[5] &= SEEN_KEYWORDS
                row[index * len(facts) : (index + 1) * len(facts)] = facts
            numbers += row
        hand = [card[0] for card in state.player(view.seat)["hand"]]
        numbers += hand + [0] * (10 - len(hand))
        numbers += [int(state.active == view.seat), state.turn, state.phase]
        return np.clip(np.array(numbers, dtype=np.float32), -HIGHEST, HIGHEST)
