"""Explanation of Nora's decisions: every option with its confidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludex.agents.hearthstone import _native
from ludex.core.rng import Rng
from ludex.worlds.hearthstone._native import State, unpack
from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.model import HearthstoneModel
from ludex.worlds.hearthstone.notation import ATTACK, END, HERO_PLACE, POWER

OWN_HERO, OTHER_HERO, FIRST_OWN, FIRST_OTHER = 1, 2, 3, 10


class Speaker:
    """Names of the actions and targets of a state."""

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables = tables
        self.mine = state.player(state.active)
        self.theirs = state.player(1 - state.active)

    def name(self, card: int) -> str:
        return self.tables.card(card).name

    def target(self, code: int) -> str:
        """A target with its owner, as in `Chillwind Yeti (enemy)`."""
        if code in (OWN_HERO, OTHER_HERO):
            return "hero (own)" if code == OWN_HERO else "hero (enemy)"
        if code < FIRST_OTHER:
            return f"{self.name(self.mine['board'][code - FIRST_OWN]['card'])} (own)"
        return f"{self.name(self.theirs['board'][code - FIRST_OTHER]['card'])} (enemy)"

    def source(self, action: int) -> str:
        """What is used: a card, the power, or an attacker with whom it attacks."""
        kind, place, _, target, _ = unpack(action)
        if kind == END:
            return "end turn"
        if kind == POWER:
            return self.name(self.mine["power"])
        if kind == ATTACK:
            hero = place == HERO_PLACE
            who = "hero" if hero else self.name(self.mine["board"][place]["card"])
            return f"{who} attacks {self.target(target)}"
        return self.name(self.mine["hand"][place][0])


def decision_aloud(
    model: HearthstoneModel, tables: Tables, nora: _native.Nora, state: State, rng: Rng
) -> tuple[int, dict[str, Any]]:
    """One decision with the confidence of each option and target."""
    chosen, thoughts = _native.nora_move(model, state, nora, rng)
    speaker = Speaker(tables, state)
    actions = [(speaker.source(one), sure) for one, sure, target in thoughts if not target]
    targets = [(one, sure) for one, sure, target in thoughts if target]
    said: dict[str, Any] = {
        "turn": state.turn,
        "actions": [{"action": text, "confidence": round(sure, 4)} for text, sure in actions],
        "chosen": speaker.source(chosen),
    }
    if targets:
        said["targets"] = [
            {"target": speaker.target(unpack(one)[3]), "confidence": round(sure, 4)}
            for one, sure in targets
        ]
        said["target"] = speaker.target(unpack(chosen)[3])
        said["confidence"] = round(dict(targets)[chosen], 4)
    return chosen, said


def game_aloud(
    model: HearthstoneModel,
    tables: Tables,
    nora: _native.Nora,
    rival: _native.Chooser,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Play one game of Nora, in seat 0; yields each of its decisions that had an alternative."""
    rng = Rng(seed).fork("aloud")
    state = model.first_state(rng)
    while not model.over(state):
        if state.active:
            action = _native.chosen(model, state, rival, rng)
        elif len(legal := model.flat_legal(state)) > 1:
            action, said = decision_aloud(model, tables, nora, state, rng)
            yield said
        else:
            action = legal[0]
        model.advance(state, (action,), rng)
    won = {0: "won", 1: "lost"}.get(state.winner, "drawn")
    yield {"turn": state.turn, "outcome": won}


def in_words(said: dict[str, Any]) -> list[str]:
    """The lines of a log for one decision, or for the end of the game."""
    if "outcome" in said:
        return [f"The game is {said['outcome']} in turn {said['turn']}."]
    lines = [f"Nora, turn {said['turn']}: what could be done"]
    lines += [f"  {one['action']}: {one['confidence']:.0%}" for one in said["actions"]]
    lines.append(f"Nora does: {said['chosen']}")
    if "targets" in said:
        lines.append("Nora, on whom")
        lines += [f"  {one['target']}: {one['confidence']:.0%}" for one in said["targets"]]
        lines.append(f"Nora aims at: {said['target']}, {said['confidence']:.0%}")
    return lines
