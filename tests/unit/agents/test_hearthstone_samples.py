"""Samples of random games as Parquet files, curves, and Nora's log."""

from __future__ import annotations

import json
from itertools import islice

import numpy as np
import pytest

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone._native import Chooser
from ludex.agents.hearthstone.learning import nora as learning
from ludex.agents.hearthstone.learning import samples, thoughts
from ludex.agents.hearthstone.learning.curve_plot import as_csv, as_svg
from ludex.agents.hearthstone.learning.forests import Arrays, curves
from ludex.agents.hearthstone.learning.matches import play_matches
from ludex.core.errors import BadParameter, LudexError
from ludex.core.rng import Rng
from ludex.worlds.hearthstone import Hearthstone
from ludex.worlds.hearthstone._native import pack


@pytest.fixture
def quick(monkeypatch):
    """Files of few games."""
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(samples, "SHARD", 5)


def test_samples_are_read_back_as_they_were_made(quick, tmp_path):
    source = samples.SampleSource(seed=3)
    assert list(samples.generate(tmp_path / "data", source, 10)) == [0, 5, 10]
    made = list(islice(samples.chunks(source), 2))
    kept = list(samples.stored(tmp_path / "data"))
    assert len(kept) == 2
    for one, other in zip(made, kept, strict=True):
        for group in samples.GROUPS:
            assert (one[group][0] == other[group][0]).all()
            assert (one[group][1] == other[group][1]).all()
            assert one[group][2:] == other[group][2:]


def test_a_folder_is_gone_on_with_and_does_not_depend_on_workers(quick, tmp_path):
    source = samples.SampleSource(seed=3)
    list(samples.generate(tmp_path / "one", source, 5))
    assert list(samples.generate(tmp_path / "one", source, 20, workers=2)) == [5, 10, 15, 20]
    list(samples.generate(tmp_path / "two", source, 20))
    for path in sorted((tmp_path / "two").iterdir()):
        assert (tmp_path / "one" / path.name).read_bytes() == path.read_bytes()


def test_other_samples_are_not_mixed_in(quick, tmp_path):
    list(samples.generate(tmp_path, samples.SampleSource(seed=3), 5))
    with pytest.raises(BadParameter, match="made with another seed"):
        list(samples.generate(tmp_path, samples.SampleSource(seed=4), 5))


def test_a_broken_file_of_samples_is_named(quick, tmp_path):
    list(samples.generate(tmp_path, samples.SampleSource(), 5))
    samples.file_of(tmp_path, "target", 0).write_bytes(b"no samples")
    with pytest.raises(LudexError, match=r"target-000000\.parquet"):
        list(samples.stored(tmp_path))


def test_a_folder_without_samples_is_refused(tmp_path):
    pytest.importorskip("pyarrow")
    with pytest.raises(BadParameter, match="holds no samples"):
        list(samples.stored(tmp_path))


def test_columns_are_named_after_what_they_hold(quick, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    list(samples.generate(tmp_path, samples.SampleSource(), 5))
    table = parquet.read_table(samples.file_of(tmp_path, "attack", 0)).to_pydict()
    assert len(table) == 186
    assert set(table["target_own"]) == {0}  # nobody attacks his own
    assert min(table["own_minions"]) >= 1
    assert max(table["hand_CS2_029"]) <= 2  # fireballs


def test_too_few_games_for_the_samples_are_refused(quick):
    few = islice(samples.chunks(samples.SampleSource()), 1)
    with pytest.raises(LudexError, match="play more games"):
        learning.gather(few, 10_000)


def test_forests_learned_from_files_equal_those_learned_at_once(quick, tmp_path, monkeypatch):
    pytest.importorskip("sklearn")
    monkeypatch.setattr(learning, "SHARD", 5)
    recipe = learning.Recipe(samples=30, trees=2, least=5)
    list(samples.generate(tmp_path, recipe.source(learning.LEARNED), 100))
    direct, _ = learning.learn(recipe)
    stored, _ = learning.learn(recipe, found=samples.stored(tmp_path))
    for group in samples.GROUPS:
        assert (direct[group].features == stored[group].features).all()
        assert (direct[group].leaves == stored[group].leaves).all()


def test_curves_are_drawn_and_written():
    good, scores = np.array([True, False, True, False]), np.array([0.9, 0.8, 0.7, 0.1])
    found = {"play": curves(good, scores)}
    lines = as_csv(found).splitlines()
    assert lines[0] == "forest,threshold,false_positive_rate,recall,precision"
    assert lines[3] == "play,0.7,0.5,1,0.666667"
    picture = as_svg(found)
    assert picture.count("<polyline") == 3  # two curves and the diagonal
    assert "play 0.750" in picture


def test_matches_do_not_depend_on_workers():
    model = Hearthstone().model
    players = Chooser.random(), Chooser.scripted()
    one, two = (play_matches(model, *players, games=120, workers=n) for n in (1, 2))
    assert one == two
    assert one.games == 120


def test_nora_says_how_sure_it_is_of_everything():
    world = Hearthstone()
    half = Arrays.constant(0.5).native()
    nora = _native.Nora(world.model, half, half, half, samples.study_numbers(world.tables))
    decisions = list(thoughts.game_aloud(world.model, world.tables, nora, Chooser.random(), 3))
    assert decisions[-1]["outcome"] in ("won", "lost", "drawn")
    aimed = next(one for one in decisions if "targets" in one)
    options = [one["action"] for one in aimed["actions"]]
    assert aimed["chosen"] in options
    assert aimed["target"] in [one["target"] for one in aimed["targets"]]
    assert {one["confidence"] for one in aimed["actions"]} == {0.5}
    lines = thoughts.in_words(aimed)
    assert lines[0] == f"Nora, turn {aimed['turn']}: what could be done"
    assert lines[-1] == f"Nora aims at: {aimed['target']}, 50%"
    assert json.loads(json.dumps(decisions)) == decisions


def test_nora_speaks_of_attackers_with_the_owner_of_the_target():
    world = Hearthstone()
    state = world.start(Rng(1))
    speaker = thoughts.Speaker(world.tables, state)
    assert speaker.target(1) == "hero (own)"
    assert speaker.source(pack(2, 7, 0, 2)) == "hero attacks hero (enemy)"
    assert speaker.source(pack(3, 0, 0, 2)) == "Fireblast"
    assert speaker.source(pack(0)) == "end turn"
