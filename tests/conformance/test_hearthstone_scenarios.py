"""The engine repeats recorded scenarios, and they notice when a card says nothing."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from ludex.core.difference import Difference
from ludex.worlds.hearthstone import _native, profiles
from ludex.worlds.hearthstone.tools.conform import (
    CardReport,
    ScenarioPlayer,
    note,
    play_scenario,
    read_scenarios,
    run,
    scenario_paths,
    set_aside,
)
from ludex.worlds.hearthstone.tools.disputed import DISPUTED

# Cards whose text no scenario can notice: buffs of cards in hand, too many outcomes to record,
# or nothing for it to act on. test_hearthstone_cards.py works them by hand.
BY_HAND = {
    "CFM_305",
    "CFM_639",
    "CFM_660",
    "CFM_753",
    "CS1_112",
    "EX1_006",
    "EX1_066",
    "EX1_169",
    "EX1_258",
    "EX1_549",
    "EX1_562",
    "EX1_577",
    "EX1_591",
    "EX1_612",
    "KAR_009",
    "KAR_069",
    "LOE_018",
    "LOE_023",
    "LOE_076",
    "LOE_077",
    "OG_090",
    "OG_113",
}


def folder_of(shared: Path) -> Path:
    return shared / "conformance" / "hearthstone"


@pytest.mark.timeout(600)
def test_scenarios_match_but_for_disputed_ones(shared):
    report = run(scenario_paths(folder_of(shared)))
    assert report.total > 2300
    assert report.failures == []
    assert {one.trace.partition("/")[2] for one, _ in report.disputed} == set(DISPUTED)


def test_an_unlisted_difference_and_a_listed_match_are_failures():
    report = CardReport()
    listed, other = f"shaman/{next(iter(DISPUTED))}", "shaman/0123456789ab"
    note(report, listed, (Difference(listed, 1, "this", "that"), None))
    assert (report.failures, len(report.disputed)) == ([], 1)
    note(report, other, (Difference(other, 1, "this", "that"), None))
    note(report, listed, (None, None))
    assert [failure.trace for failure in report.failures] == [other, listed]
    assert not report.passed


class Blanked(ScenarioPlayer):
    """Plays with one card that has no text."""

    def __init__(self, key: str) -> None:
        super().__init__()
        number = self.tables.number(key)
        blank = dataclasses.replace(
            self.tables.card(number),
            program=-1,
            deathrattle=-1,
            cheaper=-1,
            aim=0,
            target=-1,
            triggers=[],
            auras=[],
            enrage_attack=0,
            enrage_keywords=0,
            keywords=0,
            spell_damage=0,
            overload=0,
            leaps=0,
            power="",
        )
        cards = list(self.tables.cards)
        cards[number - 1] = blank
        changed = dataclasses.replace(self.tables, cards=cards)
        hero = self.tables.number("HERO_08")
        self.model = _native.Model(
            _native.CardSet(*changed.native_rows()), ([], []), (hero, hero), [], {"all_places": 1}
        )


def has_text(key: str) -> bool:
    tables = profiles.load("competition")
    if not tables.number(key):
        return False
    card = tables.card(tables.number(key))
    said = (card.program, card.deathrattle, card.cheaper)
    shown = card.triggers or card.auras or card.keywords or card.spell_damage or card.leaps
    return any(one >= 0 for one in said) or bool(shown or card.enrage_attack)


@pytest.mark.timeout(600)
def test_a_card_without_its_text_fails_its_own_scenarios(shared):
    by_card: dict[str, list[dict]] = {}
    for path in scenario_paths(folder_of(shared)):
        for scenario in read_scenarios(path):
            if set_aside(scenario, everything=False) is None:
                by_card.setdefault(scenario["subject"], []).append(scenario)
    whole = ScenarioPlayer()
    unnoticed = []
    for key in sorted(by_card):
        playable = [one for one in by_card[key] if whole.missing(one) is None]
        playable.sort(key=lambda one: one["kind"])  # random ones take longer, and come last
        if not has_text(key) or not playable:
            continue
        blank = Blanked(key)
        if not any(play_scenario(blank, "", one)[0] for one in playable):
            unnoticed.append(key)
    assert set(unnoticed) <= BY_HAND
