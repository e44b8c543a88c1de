"""Model files: what is kept comes back, and nothing else is trusted."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from kept_models import rewrite
from tile_games import play

from ludex.agents.compose import make_agent
from ludex.cli.app import main
from ludex.core import Rng, registry
from ludex.core.budget import DEFAULT_BUDGET
from ludex.core.errors import BadParameter, BrokenModel, LudexError, NewerModel
from ludex.models.learned.local import Local
from ludex.models.learned.training.files import FORMAT, load, save

LIFE = "life[width=5,height=4]"


@pytest.fixture(scope="module")
def learner():
    return Local(span=1, curiosity=0.5).fit(play(registry.world(LIFE), 120))


@pytest.fixture
def kept(learner, tmp_path):
    path = tmp_path / "life.model"
    save(learner, path)
    return path


@pytest.mark.parametrize("parameters", [{}, {"score": "tree"}, {"classifier": "neighbours"}])
def test_what_is_kept_predicts_the_same(parameters, tmp_path):
    world = registry.world(LIFE)
    learner = Local(span=1, **parameters).fit(play(world, 80))
    save(learner, tmp_path / "file")
    again = load(tmp_path / "file", Local)
    assert str(again) == str(learner)
    one, other = (each.model(world.traits) for each in (learner, again))
    for moment in play(world, 30, seed=7):
        before = one.imagine(moment.before.view, Rng(0)), other.imagine(moment.before.view, Rng(0))
        after = [
            each.step(state, moment.actions, Rng(0))
            for each, state in zip((one, other), before, strict=True)
        ]
        assert after[0] == after[1]
        assert after[0].confidence == after[1].confidence


def test_a_loaded_learner_goes_on_learning(learner, kept):
    more = play(registry.world(LIFE), 40, seed=9)
    again = load(kept, Local).partial_fit(more)
    whole = learner.clone().fit([*play(registry.world(LIFE), 120), *more])
    assert again.seen_ == 160
    assert len(again.memory_) == len(whole.memory_)
    assert again.reward_model_.weights == pytest.approx(whole.reward_model_.weights, abs=1e-9)


def test_an_agent_begins_with_a_file_instead_of_play(kept):
    part = make_agent(f"one_step@local(file={kept},trust=0.1)").part
    begun = part.beginner(registry.world(LIFE).model, view_of(LIFE), Rng(0))
    assert (begun.seen_, begun.span, begun.trust, begun.curiosity) == (120, 1, 0.1, 0.0)


def test_a_model_can_be_used_in_levels_of_another_size(kept):
    large = "life[width=9,height=8]"
    world = registry.world(large)
    model = Local(file=str(kept)).make(world.model, view_of(large), DEFAULT_BUDGET, Rng(0))
    state = model.imagine(view_of(large), Rng(0))
    assert model.step(state, (0,), Rng(0)).tiles.shape == (8, 9)


def view_of(name):
    world = registry.world(name)
    return world.model.view(world.start(Rng(1)), 0)


# Bad input


def test_parameters_that_the_file_decides_cannot_be_changed(kept):
    with pytest.raises(BadParameter, match="with span=1, so it cannot be used with span=2"):
        Local(file=str(kept), span=2).from_file()


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(LudexError, match=r"cannot read model '.*none': No such file"):
        load(tmp_path / "none", Local)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_truncated_file_is_refused(kept, share):
    content = kept.read_bytes()
    kept.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(BrokenModel, match="damaged, or not a model file"):
        load(kept, Local)


def test_flipped_bits_are_noticed(kept):
    content = bytearray(kept.read_bytes())
    for place in range(200, len(content) - 200, max(1, len(content) // 40)):
        damaged = bytearray(content)
        damaged[place] ^= 0x10
        kept.write_bytes(damaged)
        try:
            again = load(kept, Local)
        except BrokenModel:
            continue
        assert again.seen_ == 120  # it was a byte that means nothing, such as a time of day


def test_a_file_of_a_newer_version_is_refused(kept):
    rewrite(kept, lambda header, arrays: header.update(version=2))
    with pytest.raises(NewerModel, match="has version 2, and this ludex reads up to 1"):
        load(kept, Local)


def test_another_archive_of_arrays_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", header=np.array(json.dumps({"format": "mine"})))
    with pytest.raises(BrokenModel, match="not a model file"):
        load(tmp_path / "other.npz", Local)


def test_nothing_is_unpickled(tmp_path):
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("code ran on load",))

    traps = np.array([Trap()], dtype=object)
    np.savez(tmp_path / "trap.npz", header=traps, rows=traps)
    with pytest.raises(BrokenModel):
        load(tmp_path / "trap.npz", Local)
    (tmp_path / "plain").write_bytes(pickle.dumps({"format": FORMAT}))
    with pytest.raises(BrokenModel):
        load(tmp_path / "plain", Local)


def end_nowhere(header, arrays):
    arrays["classifier.rights"][:] = 10**6


def lose_rows(header, arrays):
    del arrays["memory.rows"]


def strange_tiles(header, arrays):
    arrays["memory.after"][0] = 900


def strange_classes(header, arrays):
    arrays["classifier.classes"][0] = 900


def fewer_weights(header, arrays):
    arrays["judge.weights"] = arrays["judge.weights"][:-1]


def text_for_numbers(header, arrays):
    arrays["seen"] = np.array(["many"])


@pytest.mark.parametrize(
    "change",
    [end_nowhere, lose_rows, strange_tiles, strange_classes, fewer_weights, text_for_numbers],
    ids=lambda one: one.__name__,
)
def test_content_that_cannot_be_is_refused(kept, change):
    rewrite(kept, change)
    with pytest.raises(BrokenModel, match="cannot use model"):
        load(kept, Local)


def test_a_learner_that_does_not_exist_is_named(kept):
    rewrite(kept, lambda header, arrays: header.update(model="telepathy(span=1)"))
    with pytest.raises(BrokenModel, match="its learner 'telepathy"):
        load(kept, Local)


def test_a_file_that_unfolds_to_too_much_is_refused(kept, monkeypatch):
    monkeypatch.setattr("ludex.models.learned.training.files.LARGEST", 1000)
    with pytest.raises(BrokenModel, match="uncompressed size is too large"):
        load(kept, Local)


# The command


def test_the_command_fits_and_tells_how_well(tmp_path, capsys):
    out = tmp_path / "kept"
    typed = ["model", "fit", LIFE, "--model", "local(span=1)", "--steps", "150", "--out", str(out)]
    assert main([*typed, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["model"], told["transitions"], told["tiles"]) == ("local(span=1)", 150, 2)
    assert told["accuracy"]["cells"] > 0.8
    assert load(out, Local).seen_ == 150


def test_the_command_learns_on_from_a_file(kept, tmp_path, capsys):
    out = tmp_path / "more"
    typed = ["model", "fit", LIFE, "--model", f"local(file={kept})", "--steps", "30"]
    assert main([*typed, "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["transitions"] == 150
    assert (load(out, Local).seen_, load(out, Local).span) == (150, 1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["nim"], "local learns games of one player"),
        ([LIFE, "--model", "tabular"], "tabular cannot be kept in a file"),
        ([LIFE, "--model", "locale"], "did you mean 'local'"),
        ([LIFE, "--steps", "0"], "--steps is a whole number"),
    ],
)
def test_the_command_answers_bad_input_with_a_sentence(change, words, tmp_path, capsys):
    assert main(["model", "fit", *change, "--out", str(tmp_path / "kept")]) == 2
    assert words in capsys.readouterr().err


def test_the_command_names_a_file_that_it_cannot_learn_on_from(tmp_path, capsys):
    typed = ["model", "fit", LIFE, "--model", "local(file=none)", "--out", str(tmp_path / "kept")]
    assert main(typed) == 1
    assert "cannot read model 'none': No such file" in capsys.readouterr().err
