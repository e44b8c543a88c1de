"""`ludex bench models`: which models are measured where."""

from __future__ import annotations

from ludex.bench import models as bench_models
from ludex.bench.models import Ground


def test_learners_of_tiles_and_of_things_stand_beside_the_rules(answer, monkeypatch):
    monkeypatch.setattr(bench_models, "LEARNED_FROM", 60)
    monkeypatch.setattr(bench_models, "BATCH", 3)
    monkeypatch.setattr(bench_models, "FIRSTS", 1)
    grounds = (Ground("tiles alone", "sokoban"), Ground("things, too", "vgdl/zelda"))
    monkeypatch.setattr(bench_models, "GROUNDS", grounds)
    rows = answer("bench", "models", "--seconds", 0.1)["results"]
    assert all(row["value"] > 0.0 for row in rows)
    found = {(row["level"], row["model"]) for row in rows}
    assert found == {
        ("tiles alone", "true"),
        ("tiles alone", "local"),
        ("things, too", "true"),
        ("things, too", "local"),
        ("things, too", "object_based"),
    }
    assert {row["metric"] for row in rows} == set(bench_models.METRICS)
