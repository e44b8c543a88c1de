"""Targets that Nora chooses, in random states of random games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.learning.samples import sample_world
from ludex.core import registry
from ludex.core.rng import Rng
from ludex.worlds.hearthstone._native import State, unpack
from ludex.worlds.hearthstone.notation import PLAY, POWER

EVERY = 5  # decisions of a game between two that are looked at
OTHER_HERO, FIRST_OTHER = 2, 10
HELPING = ("Mark of the Wild", "Healing Touch", "Abusive Sergeant", "Voodoo Doctor")
HURTING = ("Fireball", "Frostbolt", "Moonfire", "Starfire", "Elven Archer", "Stormpike Commando")


def is_enemy(code: int) -> bool:
    return code == OTHER_HERO or code >= FIRST_OTHER


def targeted(model: Any, state: State) -> dict[tuple[int, int], list[int]]:
    """The actions that have a target other than an attack's, by what is used."""
    found: dict[tuple[int, int], list[int]] = {}
    for action in model.flat_legal(state):
        kind, source, _, target, _ = unpack(action)
        if kind in (PLAY, POWER) and target:
            found.setdefault((kind, source), []).append(action)
    return found


def has_both_sides(actions: list[int]) -> bool:
    return len({is_enemy(unpack(action)[3]) for action in actions}) == 2


def aims(nora: _native.Nora, states: int) -> Iterator[tuple[str, int, int, str]]:
    """Shares of good targets where both sides could be chosen: what, hits, cases and a note."""
    world: Any = registry.world(sample_world())
    model, tables = world.model, world.tables
    hits: Counter[str] = Counter()
    cases: Counter[str] = Counter()
    looked = game = 0
    while looked < states:
        rng = Rng(game).fork("behaviour")
        state = model.first_state(rng)
        for decision in range(2_000):
            if model.over(state) or looked >= states:
                break
            options = targeted(model, state) if decision % EVERY == 0 else {}
            looked += bool(options)
            for (kind, source), actions in options.items():
                if not has_both_sides(actions):
                    continue
                best, _ = _native.nora_aim(model, state, nora, actions[0], rng)
                target = unpack(best)[3]
                player = state.player(state.active)
                card = player["power"] if kind == POWER else player["hand"][source][0]
                name = tables.card(card).name
                cases[name] += 1
                hits[name] += is_enemy(target) != (name in HELPING)
                if kind == POWER:
                    note_frail(state, actions, target, hits, cases)
            model.advance(state, (_native.random_move(model, state, rng),), rng)
        game += 1
    yield "Fireblast on an enemy, %", hits["Fireblast"], cases["Fireblast"], "expected 95 or more"
    frail = "Fireblast on one of 1 health where there is one, %"
    yield frail, hits["frail"], cases["frail"], "expected 80 or more"
    for name in HURTING:
        yield f"{name} on an enemy, %", hits[name], cases[name], ""
    for name in HELPING:
        yield f"{name} on its own, %", hits[name], cases[name], "not learned with a plain action id"


def note_frail(
    state: State,
    actions: list[int],
    target: int,
    hits: Counter[str],
    cases: Counter[str],
) -> None:
    """Count the power where an enemy minion with one health could be chosen."""
    board = state.player(1 - state.active)["board"]
    frail = {FIRST_OTHER + index for index, minion in enumerate(board) if minion["health"] == 1}
    frail &= {unpack(action)[3] for action in actions}
    if frail:
        cases["frail"] += 1
        hits["frail"] += target in frail
