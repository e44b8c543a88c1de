"""Several learners at once."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tile_games import TRAITS, grid, play, step, text_of

from ludex.agents.compose import make_agent
from ludex.core import Rng, registry
from ludex.core.budget import Budget
from ludex.core.errors import BadParameter, BrokenModel, LudexError
from ludex.core.rng import Meter
from ludex.models.learned.ensemble import Ensemble
from ludex.models.learned.ensembles.track_record import TrackRecord
from ludex.models.learned.explain.accuracy import tile_accuracy
from ludex.models.learned.explain.rules import TileWords
from ludex.models.learned.local import Local
from ludex.models.learned.training.files import digest, load, save

NEAR, FAR = "local(span=0)", "local(shape=cross,span=1)"
PAIR = f"{NEAR}+{FAR}"

# What becomes of `a` depends on its right neighbour, which the nearsighted member cannot see.
SEEN = [step(grid("ab"), 0, grid("bb")), step(grid("ac"), 0, grid("cc"))] * 12


def tiles(*rows):
    return np.array(rows, np.uint16)


def after(model, text, action=0):
    return model.step(model.imagine(grid(text), Rng(0)), (action,), Rng(0))


@pytest.fixture(scope="module")
def pair():
    return Ensemble(members=PAIR, score="none").fit(SEEN)


# Records, worked by hand


def one_dispute():
    track_record = TrackRecord(2, fade=1.0)
    # Tile 1 becomes 2, as the first says; the second says 3.
    track_record.add(tiles([1]), np.stack([tiles([2]), tiles([3])]), tiles([2]))
    return track_record


def test_a_member_is_trusted_by_its_record_on_such_cells():
    # In general 2/3 and 1/3, by the rule of succession; of this tile (1 + 4/3) / 3 and (2/3) / 3.
    assert one_dispute().trust(1).tolist() == pytest.approx([7 / 9, 2 / 9])


def test_of_other_cells_its_general_record_counts():
    assert one_dispute().trust(5).tolist() == pytest.approx([2 / 3, 1 / 3])


def test_members_without_a_record_are_trusted_alike():
    assert TrackRecord(3, fade=1.0).trust(1).tolist() == [0.5, 0.5, 0.5]


def test_cells_that_all_predict_alike_change_no_trust():
    track_record = one_dispute()
    track_record.add(tiles([1]), np.stack([tiles([3]), tiles([3])]), tiles([2]))
    assert track_record.trust(1).tolist() == pytest.approx([7 / 9, 2 / 9])
    assert track_record.running == [1 / 2, 0.0]  # but they were wrong about a cell that changes


def test_old_records_fade():
    track_record = TrackRecord(1, fade=0.5)
    for came in (2, 2, 1):  # right, right, wrong: 1/4 + 1/2 of 1/4 + 1/2 + 1
        track_record.add(tiles([1]), np.stack([tiles([2])]), tiles([came]))
    assert track_record.running == pytest.approx([0.75 / 1.75])


# Votes


def test_who_was_right_before_is_believed(pair):
    model = pair.model(TRAITS)
    assert text_of(model, after(model, "ab")) == "bb"
    assert text_of(model, after(model, "ac")) == "cc"
    near, far = pair.track_record_.running
    assert near < far == 1.0


def test_a_cell_in_dispute_is_as_sure_as_its_share_of_the_votes(pair):
    model = pair.model(TRAITS)
    disputed = [
        one for one in (after(model, "ab"), after(model, "ac")) if one.unseen
    ]  # the nearsighted member is right about one of the two
    (state,) = disputed
    trust = pair.track_record_.trust(int(model.imagine(grid("ab"), Rng(0)).tiles[0, 0]))
    assert state.confidence == pytest.approx(trust[1] / trust.sum())


def three_against_one(combine):
    learner = Ensemble(members=f"{NEAR}+{NEAR}+{NEAR}+{FAR}", combine=combine, score="none")
    model = learner.fit(SEEN).model(TRAITS)
    model.track_record.by_tile.clear()
    model.track_record.by_tile[1] = np.array([[6, 10], [6, 10], [6, 10], [8, 10]], float)
    model.known_votes.clear()
    return model.votes(1, (7, 7, 7, 9))


def test_many_votes_outweigh_one_that_is_a_little_better():
    shares = three_against_one("vote")
    assert max(shares, key=shares.get) == 7
    assert sum(shares.values()) == pytest.approx(1.0)


def test_or_the_best_member_decides():
    assert three_against_one("best") == {7: 0.0, 9: 1.0}


def test_where_all_agree_it_predicts_what_each_of_them_does():
    world = registry.world("sokoban")
    seen, fresh = play(world, 80), play(world, 20, seed=3)
    alone = Local(span=1).fit(seen)
    twins = Ensemble(members="local(span=1)+local(span=1)").fit(seen)
    one, other = alone.model(world.traits), twins.model(world.traits)
    for moment in fresh:
        states = [each.imagine(moment.before.view, Rng(0)) for each in (one, other)]
        mine, theirs = (
            each.step(state, moment.actions, Rng(0))
            for each, state in zip((one, other), states, strict=True)
        )
        assert mine.tiles.tolist() == theirs.tiles.tolist()
        assert (mine.score, mine.ending, mine.unseen) == (
            theirs.score,
            theirs.ending,
            theirs.unseen,
        )
        assert theirs.confidence == pytest.approx(mine.confidence)


def test_it_predicts_more_than_its_members_do():
    world = registry.world("sokoban[level=3]")
    seen, fresh = play(world, 600), play(world, 150, seed=5)
    together = tile_accuracy(Ensemble().fit(seen), fresh)["grids"]
    alone = [tile_accuracy(Local(span=span).fit(seen), fresh)["grids"] for span in (1, 2, 3)]
    assert together > max(alone)


def test_disagreement_is_the_share_of_cells_that_members_predict_differently(pair):
    model = pair.model(TRAITS)
    states = [model.imagine(grid(text), Rng(0)) for text in ("ab", "ac")]
    # Both know what becomes of the right cell, and of `a` in one of the two.
    assert sorted(model.disagreement(one, 0, Rng(0)) for one in states) == [0.0, 1 / 2]


def test_a_stochastic_one_draws_by_votes():
    learner = Ensemble(members=PAIR, score="none", stochastic=True).fit(SEEN)
    model = learner.model(TRAITS)
    assert model.traits.chance == "sampled"
    start = model.imagine(grid("ab"), Rng(0))
    drawn = {text_of(model, model.step(start, (0,), Rng(seed))) for seed in range(60)}
    assert drawn == {"bb", "cb"}


# Learning on


def test_members_are_judged_by_what_they_had_not_learned():
    learner = Ensemble(members=PAIR, score="none", fade=1.0).fit(SEEN[:4])
    assert learner.track_record_.asked == [0.0, 0.0]  # too little to keep a part of it back
    learner.partial_fit([step(grid("ab"), 0, grid("bb"))] * 3)
    assert learner.track_record_.asked == [3.0, 3.0]
    assert learner.track_record_.running[1] == 1.0


def test_attitudes_are_those_of_all_models():
    curious = Ensemble(members=PAIR, score="none", curiosity=2.0).fit(SEEN).model(TRAITS)
    strict = Ensemble(members=PAIR, score="none", trust=0.999).fit(SEEN).model(TRAITS)
    disputed = next(text for text in ("ab", "ac") if after(curious, text).unseen)
    assert curious.score(after(curious, disputed), 0) == 2.0
    assert strict.outcome(after(strict, disputed)).truncated


def test_the_bored_avoid_where_they_have_been():
    model = Ensemble(members=PAIR, score="none", boredom=0.5).fit(SEEN).model(TRAITS)
    there = after(model, "ab")
    model.visit(there)
    assert model.score(after(model, "ab"), 0) == -0.5


def test_gains_and_ends_are_learned_by_the_ensemble():
    won = [step(grid("ab"), 0, grid(".a", score=3.0, end="won")), step(grid("ab"), 1, grid("ab"))]
    model = Ensemble(members=PAIR, score="tree").fit(won * 6).model(TRAITS)
    state = after(model, "ab")
    assert model.score(state, 0) == 3.0
    assert model.outcome(state).winners == (0,)


def test_an_agent_learns_with_it():
    world = registry.world("sokoban[limit=40]")
    agent = make_agent(f"one_step@ensemble(learn=continuous,refit=10,members={PAIR})")
    state, rules = world.start(Rng(0)), world.model.metered(Meter())
    mind = agent.start(rules, rules.view(state, 0), Budget(model_calls=20), Rng(1))
    for tick in range(25):
        decision = mind.decide(rules.view(state, 0), Budget(model_calls=20), Rng(tick))
        state = world.step(state, (decision.action,), Rng(tick))
    assert decision.notes["foretold"] > 10
    assert 0.0 <= decision.confidence <= 1.0


def test_the_rules_of_the_best_member_are_told(pair):
    words = TileWords(pair.vocabulary_, pair.verbs_, {0: "GO"})
    cells, track_record, *_ = pair.chapters(words)
    assert cells.title == "What becomes of a cell"
    assert [rule.when for rule in track_record.rules] == [(str(one),) for one in pair.parts]
    assert track_record.rules[1].right == 1.0


# Files and bad input


def test_what_is_kept_predicts_the_same(pair, tmp_path):
    save(pair, tmp_path / "file")
    again = load(tmp_path / "file", Ensemble)
    one, other = pair.model(TRAITS), again.model(TRAITS)
    for text in ("ab", "ac", "ba", "cb"):
        mine, theirs = after(one, text), after(other, text)
        assert mine == theirs
        assert mine.confidence == theirs.confidence
    again.partial_fit([step(grid("ab"), 0, grid("bb"))])
    assert again.seen_ == len(SEEN) + 1


def test_records_of_other_members_are_refused(pair, tmp_path):
    path = tmp_path / "file"
    save(pair, path)
    with np.load(path) as loaded:
        arrays = {name: loaded[name] for name in loaded.files}
    header = json.loads(str(arrays.pop("header")))
    arrays["standing.changed"] = np.zeros((3, 2))
    header["digest"] = digest(arrays)
    with path.open("wb") as file:
        np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)
    with pytest.raises(BrokenModel, match="track record is that of other members"):
        load(path, Ensemble)


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ("tabular", "tabular cannot be a member of an ensemble"),
        ("local+ensemble", "ensemble cannot be a member of an ensemble"),
        ("local(curiosity=1)", "curiosity is for the ensemble as a whole"),
        ("local+", "cannot read ''"),
        ("local2", "did you mean 'local'"),
        ("local(span=-1)", "Local.span must be"),
    ],
)
def test_impossible_members_are_refused(members, complaint):
    with pytest.raises(LudexError, match=complaint):
        Ensemble(members=members)


def test_a_file_decides_the_members(pair, tmp_path):
    save(pair, tmp_path / "file")
    with pytest.raises(BadParameter, match="leave members out"):
        Ensemble(file=str(tmp_path / "file"), members=NEAR).from_file()
