"""The engine repeats the traces of the Java framework, and loads and survives its games."""

from __future__ import annotations

import pytest

from ludex.core.rng import Rng
from ludex.worlds.vgdl import Vgdl
from ludex.worlds.vgdl.tools.conform import conform_all

FOLDERS = ("2player", "contphysics", "gridphysics")
STUBS = ("_ggame", "_glvl", "aliensRules")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("folder", FOLDERS)
def test_all_traces_match_completely(shared, folder):
    report = conform_all(shared / "conformance" / "vgdl" / folder, shared / "data" / "gvgai")
    assert report.total > 0
    assert report.skipped == []
    assert report.failures == []


@pytest.mark.timeout(600)
@pytest.mark.parametrize("folder", [*FOLDERS, "gameDesign"])
def test_every_public_game_loads_and_survives(shared, folder):
    games = sorted((shared / "data" / "gvgai" / folder).glob("*.txt"))
    descriptions = [
        path
        for path in games
        if "_lvl" not in path.name and not any(stub in path.name for stub in STUBS)
    ]
    assert descriptions
    for path in descriptions:
        for level in range(5):
            if not path.with_name(f"{path.stem}_lvl{level}.txt").is_file():
                continue
            world = Vgdl(game=str(path), level=level)
            state = world.start(Rng(0))
            rng = Rng(level)
            left = 2000
            while left > 0:
                played = world.model.rollout(state, "uniform", left, rng)
                left -= max(1, played.ticks)
                assert played.state.tick == state.tick + played.ticks
                state = world.start(rng) if played.state.over else played.state
