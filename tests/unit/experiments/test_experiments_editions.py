"""EXP-12: the ranking of the competition, and YOLOBOT in the games of 2015."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from object_games import write_game

from ludex.experiments.collection import Collection
from ludex.experiments.gvgai import editions
from ludex.experiments.gvgai.editions import Editions
from ludex.experiments.gvgai.editions_printed import AGENTS, TOTALS, legs
from ludex.experiments.survey import measure
from ludex.experiments.verdict import agreement

GOLDEN = Path(__file__).parents[2] / "golden" / "gvgai_2015_places.json"


def plain(name):
    return name.lower().replace(" and ", "").replace(" ", "")


def test_the_printed_places_are_those_of_the_kept_file():
    kept = json.loads(GOLDEN.read_text())
    for leg, games in legs().items():
        assert {name: dict(one.places) for name, one in games.items()} == {
            plain(name): places for name, places in kept["places"][leg].items()
        }
        assert dict(zip(AGENTS, TOTALS[leg], strict=True)) == kept["totals"][leg]


def test_the_rules_of_the_ranking_give_every_printed_number(tmp_path):
    readings = measure(Editions(), "tiny", tmp_path)
    assert len(readings) == 26
    assert {agreement(one) for one in readings} == {"met"}


def test_a_point_more_is_not_the_printed_number(monkeypatch, tmp_path):
    monkeypatch.setitem(TOTALS, "CIG", (77, 115, 70, 34, 61))
    off = [one for one in measure(Editions(), "tiny", tmp_path) if agreement(one) == "off"]
    assert [one.what for one in off] == ["points in CIG 2015, YOLOBOT"]


@pytest.mark.parametrize(("end", "won"), [("win=True", 100.0), ("win=False", 0.0)])
def test_the_games_of_a_leg_that_are_there_are_played(end, won, monkeypatch, tmp_path):
    write_game(tmp_path, "wwwww\nwA..w\nwwwww\n", ends=f"Timeout limit=3 {end}")
    for level in range(2):
        (tmp_path / f"clusters_lvl{level}.txt").write_text("wwwww\nwA..w\nwwwww\n")
    (tmp_path / "clusters.txt").write_text((tmp_path / "game.txt").read_text())
    monkeypatch.setitem(editions.PLAN, "small", (2, 1, 30))
    study = Editions()
    study.collection = Collection.of_folder(tmp_path)
    readings = measure(study, "small", tmp_path / "out")
    [found] = [one for one in readings if one.experiment == "CEEC"]
    assert (found.printed, found.measured, found.cases) == (60.0, won, 2)
    assert found.note == f"printed/measured: clusters 60/{won:.0f}"
