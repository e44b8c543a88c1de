"""Models that look at a whole grid: end to end, and decomposed into its cells."""

from __future__ import annotations

import json
from itertools import pairwise, product

import numpy as np
import pytest
from hidden_rules import CALLS, NoRules, played
from kept_models import rewrite
from tile_games import TRAITS, grid, play, step, text_of

from ludex.agents.compose import make_agent
from ludex.cli.app import main
from ludex.core import Rng, registry
from ludex.core.errors import BadParameter, BrokenModel, NewerModel, NotFitted, Unsupported
from ludex.models.learned.classifiers.fitting import ClassifierSettings, fit
from ludex.models.learned.classifiers.trees import Trees, chosen_by
from ludex.models.learned.decomposed import Decomposed
from ludex.models.learned.end_to_end import EndToEnd
from ludex.models.learned.explain.accuracy import tile_accuracy
from ludex.models.learned.structure.hypotheses import digits_of_hypotheses
from ludex.models.learned.structure.learn import ALGORITHMS
from ludex.models.learned.tabular import Tabular
from ludex.models.learned.training.files import load, save

BOTH = (EndToEnd, Decomposed)
ALL = (Tabular, EndToEnd, Decomposed)
SOME = ("life[width=4,height=3]", "sokoban", "vgdl/sokoban")


def predicted_runs(learner, before, action=0, seed=0, recent=()):
    """The grid that follows as text, and the state."""
    model = learner.model(TRAITS)
    if recent:
        model.recall(recent)
    state = model.step(model.imagine(before, Rng(0)), (action,), Rng(seed))
    if isinstance(learner, Tabular):
        tiles = state.observed.view.tiles
        marks = {0: ".", 1: "a", 2: "b", 4: "c"}
        return "/".join("".join(marks[int(m)] for m in row) for row in tiles.array), state
    return text_of(model, state), state


# Both


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("kind", BOTH)
def test_what_was_seen_is_predicted_exactly(kind, name):
    world = registry.world(name)
    seen = play(world, 150)
    found = tile_accuracy(kind().fit(seen), seen)
    assert (found["cells"], found["grids"], found["seen"]) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("kind", ALL)
def test_the_likeliest_of_several_outcomes_is_predicted(kind):
    seen = [step(grid("a"), 0, grid("b"))] * 3 + [step(grid("a"), 0, grid("c"))] * 2
    text, state = predicted_runs(kind(stochastic=False).fit(seen), grid("a"))
    trust = (
        6 / 7 if kind is Tabular else 1.0
    )  # a table trusts what it saw n times (n + 1) / (n + 2)
    assert text == "b"
    assert state.confidence == pytest.approx(trust * 3 / 5)


@pytest.mark.parametrize(
    ("kind", "parameters"), [(EndToEnd, {}), (EndToEnd, {"memo": False}), (Decomposed, {})]
)
def test_a_stochastic_model_draws_as_often_as_was_seen(kind, parameters):
    seen = [step(grid("a"), 0, grid("b"))] * 30 + [step(grid("a"), 0, grid("c"))] * 70
    learner = kind(score="none", stochastic=True, **parameters).fit(seen)
    drawn = [predicted_runs(learner, grid("a"), seed=seed)[0] for seed in range(1000)]
    assert set(drawn) == {"b", "c"}
    assert abs(drawn.count("b") / 1000 - 0.3) < 0.06  # four standard errors
    assert learner.model(TRAITS).traits.chance == "sampled"


@pytest.mark.parametrize("kind", ALL)
def test_what_is_old_can_be_forgotten(kind):
    old, new = [step(grid("a"), 0, grid("c"))] * 30, [step(grid("a"), 0, grid("b"))] * 5
    assert predicted_runs(kind(stochastic=False).fit(old + new), grid("a"))[0] == "c"
    # Five new ones count 1 + .8 + .64 + .512 + .4096 = 3.3616; thirty old ones 1.636 at most.
    forgetful = kind(stochastic=False, decay=0.8).fit(old + new)
    text, state = predicted_runs(forgetful, grid("a"))
    assert text == "b"
    old_ones = (1 - 0.8**30) / 0.2 * 0.8**5
    share = 3.3616 / (3.3616 + old_ones)
    total = 3.3616 + old_ones
    trust = (total + 1) / (total + 2) if kind is Tabular else 1.0
    assert state.confidence == pytest.approx(trust * share)


BALL = ("a...", ".a..", "..a.", "...a", "..a.", ".a..")


def bounces(rounds):
    """A ball goes up and down a row: where it is does not tell where it goes."""
    views = [grid(BALL[tick % len(BALL)]) for tick in range(rounds * len(BALL))]
    return [step(one, tick % 2, two) for tick, (one, two) in enumerate(pairwise(views))]


def recent_of(happened):
    return [(one.before.view, one.actions[0]) for one in happened]


@pytest.mark.parametrize("kind", ALL)
def test_a_model_of_order_two_knows_which_way_a_ball_goes(kind):
    seen = bounces(8)
    blind, looks_back = (kind(order=order, stochastic=False).fit(seen) for order in (1, 2))
    right = {1: 0, 2: 0}
    for order, learner in ((1, blind), (2, looks_back)):
        for tick in range(1, 12):
            one = seen[tick]
            text, _ = predicted_runs(
                learner, one.before.view, one.actions[0], 0, recent_of(seen[:tick])
            )
            right[order] += text == BALL[(tick + 1) % len(BALL)]
    assert right[2] == 11
    assert right[1] < 11


@pytest.mark.parametrize("kind", ALL)
def test_imagined_states_look_back_at_imagined_ones(kind):
    model = kind(order=2, stochastic=False).fit(bounces(8)).model(TRAITS)
    model.recall(recent_of(bounces(2)[:1]))
    state = model.imagine(grid(BALL[1]), Rng(0))
    for tick in range(2, 14):
        model.advance(state, ((tick - 1) % 2,), Rng(0))
        shown = state.observed.view if kind is Tabular else None
        text = None if shown else text_of(model, state)
        wanted = grid(BALL[tick % len(BALL)])
        assert (shown == wanted) if shown else text == BALL[tick % len(BALL)]


@pytest.mark.parametrize("kind", ALL)
def test_where_nobody_saw_the_past_the_present_is_enough(kind):
    seen = [step(grid("a"), 0, grid("b")), step(grid("b"), 0, grid("c"))] * 3
    learner = kind(order=3, stochastic=False).fit(seen)
    assert predicted_runs(learner, grid("b"))[0] == "c"


@pytest.mark.parametrize("kind", ["end_to_end", "decomposed"])
def test_an_agent_reminds_its_model_of_what_just_happened(kind):
    class Ball:
        tick = 0

        def view(self):
            return grid(BALL[self.tick % len(BALL)])

        def act(self, action):
            self.tick += 1

    wrong = {}
    for order in (1, 2):
        game = Ball()
        text = f"one_step@{kind}(learn=continuous,refit=60,order={order})"
        mind = make_agent(text).start(NoRules(), game.view(), CALLS, Rng(1))
        wrong[order] = played(mind, game, 100)[-1].notes["wrong"]
    assert wrong[2] == 0
    assert wrong[1] > 0


def test_a_table_with_an_order_reminds_its_model_too():
    world = registry.world("sokoban[limit=30]")
    view = world.model.view(world.start(Rng(0)), 0)
    mind = make_agent("one_step@tabular(order=2,steps=300)").start(world.model, view, CALLS, Rng(0))
    decision = mind.decide(view, CALLS, Rng(0))
    mind.decide(view, CALLS, Rng(1))
    assert mind.model.recalled.value[-1][1] == (decision.action,)


def test_a_table_with_an_order_is_for_one_player():
    nim = registry.world("nim")
    with pytest.raises(Unsupported, match="this world has 2 seats; use order=1"):
        make_agent("mcts@tabular(order=2)").start(
            nim.model, nim.model.view(nim.start(Rng(0)), 0), CALLS, Rng(0)
        )


# End to end

LEVERS = [
    step(grid(f"{one}{other}"), 0, grid(f"{one}c"))
    for one in "ab"
    for other in "ab"
]  # fmt: skip


def test_a_classifier_guesses_where_a_table_knows_nothing():
    # The first cell decides; the second is overwritten, whatever it holds.
    seen = [one for one in LEVERS if one.before.view.tiles != grid("bb").tiles]
    text, state = predicted_runs(EndToEnd().fit(seen), grid("bb"))
    assert text == "bc"
    assert state.unseen == 2
    assert 0 < state.confidence < 1
    table = Tabular().fit(seen).model(TRAITS)
    unknown = table.step(table.imagine(grid("bb"), Rng(0)), (0,), Rng(0))
    assert not unknown.known


def test_it_predicts_nothing_but_grids_that_were_seen():
    swapped = [step(grid("ab"), 0, grid("ba")), step(grid("ac"), 0, grid("ca"))]
    assert predicted_runs(EndToEnd().fit(swapped), grid("bc"))[0] in ("ba", "ca")


@pytest.mark.parametrize("classifier", ["tree", "forest", "neighbours", "boosting", "bayes"])
def test_every_classifier_can_be_asked(classifier):
    world = registry.world("life[width=3,height=3]")
    learner = EndToEnd(classifier=classifier, members=5, memo=False).fit(play(world, 60))
    assert 0.0 <= tile_accuracy(learner, play(world, 20, seed=4))["cells"] <= 1.0
    if classifier in ("tree", "neighbours"):  # both know by heart what they were fitted to
        assert tile_accuracy(learner, play(world, 60))["grids"] > 0.95


def test_the_classifier_is_fitted_to_the_newest_steps():
    world = registry.world("life[width=4,height=4]")
    learner = EndToEnd(most=20).fit(play(world, 100))
    assert len(learner.grids_) <= 20
    assert len(learner.steps_) > 20


# Decomposed


def test_cells_that_do_not_care_for_each_other_are_predicted_apart():
    # Each cell turns over for itself; two of four grids were seen, so half of each cell's law in
    # each, and all of both together.
    seen = [step(grid("aa"), 0, grid("bb")), step(grid("bb"), 0, grid("aa"))] * 5
    seen += [step(grid("ab"), 1, grid("ab")), step(grid("ba"), 1, grid("ba"))] * 5
    learner = Decomposed(inputs="near", span=0).fit(seen)
    text, state = predicted_runs(learner, grid("ab"))
    assert text == "ba"
    assert (state.unseen, state.confidence) == (0, 1.0)
    assert predicted_runs(EndToEnd().fit(seen), grid("ab"))[1].unseen == 2


def wired(rows=2000, seed=3):
    """Six cells: the first three are random, and the others copy and combine them by rules."""
    dice = np.random.default_rng(seed)
    values = dice.integers(0, 2, (rows + 1, 6))
    for tick in range(rows):
        now = values[tick]
        push = int(dice.integers(0, 2))
        values[tick + 1, 3:] = (now[0], now[1] & now[2], now[4] if push else now[3])
        texts = ["".join("ab"[one] for one in values[at]) for at in (tick, tick + 1)]
        yield step(grid(texts[0]), push, grid(texts[1]))


WIRING = {3: {0}, 4: {1, 2}, 5: {3, 4, 6}}  # place 6 of a row is the verb


@pytest.mark.parametrize("algorithm", list(ALGORITHMS))
def test_structure_learning_finds_what_a_cell_depends_on(algorithm):
    learner = Decomposed(inputs=algorithm, significance=0.001).fit(wired())
    found = {
        int(cell): {int(one) for one in inputs if one >= 0}
        for cell, inputs in zip(learner.cells_, learner.inputs_, strict=True)
    }
    assert {cell: found[cell] for cell in WIRING} == WIRING
    assert learner.work_ > 0


def test_few_inputs_predict_as_well_as_all():
    fresh = list(wired(200, seed=9))
    right = {"all": 0, "hill_climbing": 0}
    for inputs in right:
        model = Decomposed(inputs=inputs).fit(wired()).model(TRAITS)
        for one in fresh:
            after = model.step(model.imagine(one.before.view, Rng(0)), one.actions, Rng(0))
            wanted = text_of(model, model.imagine(one.after.view, Rng(0)))
            right[inputs] += text_of(model, after)[3:] == wanted[3:]
    assert right == {"all": 200, "hill_climbing": 200}


def test_cells_that_never_changed_stay_and_are_new_with_new_content():
    learner = Decomposed(score="none", novelty=0.5).fit(
        [step(grid("ca"), 0, grid("cb")), step(grid("cb"), 0, grid("ca"))] * 3
    )
    assert learner.cells_.tolist() == [1]
    text, state = predicted_runs(learner, grid("ca"))
    assert (text, state.unseen, state.confidence) == ("cb", 0, 1.0)
    text, state = predicted_runs(learner, grid("aa"))
    assert (text, state.unseen, state.confidence) == ("ab", 1, 0.5)


def test_a_level_in_which_nothing_happens_is_learned():
    learner = Decomposed().fit([step(grid("a."), 0, grid("a."))] * 3)
    assert predicted_runs(learner, grid("a."))[0] == "a."


def test_every_cell_of_sokoban_is_predicted_after_5000_steps():
    world = registry.world("sokoban[limit=100]")
    learner = Decomposed().fit(play(world, 5000, restart=100))
    found = tile_accuracy(learner, play(world, 300, seed=7, restart=100))
    assert found["cells"] >= 0.99


@pytest.mark.parametrize(
    "classifier_settings", [ClassifierSettings(), ClassifierSettings("forest", members=3)], ids=str
)
def test_joined_trees_answer_as_each_does(classifier_settings):
    dice = np.random.default_rng(5)
    numbers, fitted = (2, 3, 7, 9, 20), []
    for number in numbers:
        rows = dice.integers(0, 6, (200, 4), dtype=np.uint16)
        rows[:, 0] = number
        after = (rows[:, 1] * number + rows[:, 2]) % 3
        fitted.append(fit(classifier_settings, rows, after.astype(np.uint16)))
    whole = chosen_by(0, numbers, [one.trees for one in fitted])
    for number, one in zip(numbers, fitted, strict=True):
        rows = dice.integers(0, 9, (500, 4), dtype=np.uint16)
        rows[:, 0] = number
        assert np.allclose(whole.values(rows), one.own.predict_proba(rows), rtol=0, atol=1e-12)
    assert isinstance(whole, Trees)


# How many models there are


def test_the_number_of_models_is_that_of_hand_worked_cases():
    # Two cells of two tiles, two actions: 4 grids, so 4 ** (4 * 2) whole models = 10 ** 4.8165;
    # two cells of 2 ** (4 * 2) models each; a cell that sees itself alone, 2 ** (2 * 2).
    found = digits_of_hypotheses(cells=2, tiles=2, actions=2, inputs=1)
    assert found["end to end"] == pytest.approx(4.8165, abs=1e-4)
    assert found["decomposed, all inputs"] == pytest.approx(4.8165, abs=1e-4)
    assert found["decomposed"] == pytest.approx(2 * 4 * np.log10(2))
    assert found["local"] == pytest.approx(4 * np.log10(2))


# Files


def pair(kind, **parameters):
    world = registry.world("sokoban")
    return world, kind(**parameters).fit(play(world, 120))


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (EndToEnd, {}),
        (EndToEnd, {"classifier": "neighbours", "memo": False}),
        (EndToEnd, {"order": 2, "decay": 0.99}),
        (Decomposed, {}),
        (Decomposed, {"inputs": "mmpc", "classifier": "forest"}),
        (Decomposed, {"order": 2}),
    ],
    ids=str,
)
def test_what_is_kept_predicts_the_same(kind, parameters, tmp_path):
    world, learner = pair(kind, **parameters)
    save(learner, tmp_path / "file")
    again = load(tmp_path / "file", kind)
    assert str(again) == str(learner)
    one, other = (each.model(world.traits) for each in (learner, again))
    for moment in play(world, 30, seed=7):
        after = [
            model.step(model.imagine(moment.before.view, Rng(0)), moment.actions, Rng(0))
            for model in (one, other)
        ]
        assert after[0] == after[1]
        assert after[0].confidence == pytest.approx(after[1].confidence)


@pytest.mark.parametrize("kind", BOTH)
def test_a_loaded_learner_goes_on_learning(kind, tmp_path):
    world, learner = pair(kind)
    save(learner, tmp_path / "file")
    more = play(world, 40, seed=9)
    again = load(tmp_path / "file", kind).partial_fit(more)
    assert again.seen_ == 160
    assert tile_accuracy(again, more)["grids"] == 1.0


def strange_tiles(header, arrays):
    arrays["steps.after"][0] = 900


def another_grid(header, arrays):
    arrays["steps.shape"] = np.array([3, 3])


def less_than_never(header, arrays):
    arrays["steps.times"][0] = -1.0


def lose_rows(header, arrays):
    del arrays["steps.rows"]


def end_nowhere(header, arrays):
    arrays["classifier.rights"][:] = 10**6


def strange_classes(header, arrays):
    arrays["classifier.classes"][-1] = 60_000


def no_such_input(header, arrays):
    arrays["inputs"][0, 0] = 10_000


def no_such_cell(header, arrays):
    arrays["cells"][0] = -3


def other_grids(header, arrays):
    arrays["grids"] = arrays["grids"][:, 1:]


ANY_FILE = (
    strange_tiles,
    another_grid,
    less_than_never,
    lose_rows,
    end_nowhere,
    strange_classes,
)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        *product(BOTH, ANY_FILE),
        (Decomposed, no_such_input),
        (Decomposed, no_such_cell),
        (EndToEnd, other_grids),
    ],
    ids=lambda one: one.__name__,
)
def test_content_that_cannot_be_is_refused(kind, change, tmp_path):
    _, learner = pair(kind)
    save(learner, tmp_path / "file")
    rewrite(tmp_path / "file", change)
    with pytest.raises(BrokenModel, match="cannot use model"):
        load(tmp_path / "file", kind)


@pytest.mark.parametrize("kind", BOTH)
def test_damaged_and_newer_files_are_refused(kind, tmp_path):
    _, learner = pair(kind)
    path = tmp_path / "file"
    save(learner, path)
    rewrite(path, lambda header, arrays: header.update(version=2))
    with pytest.raises(NewerModel, match="has version 2"):
        load(path, kind)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(BrokenModel, match="damaged"):
        load(path, kind)


# Bad input


@pytest.mark.parametrize("kind", BOTH)
def test_fitting_on_nothing_is_refused(kind):
    with pytest.raises(BadParameter, match="at least one transition, got none"):
        kind().fit([])
    with pytest.raises(NotFitted, match="has seen no transitions"):
        kind().model(TRAITS)


@pytest.mark.parametrize("kind", BOTH)
def test_grids_of_two_sizes_are_refused_and_nothing_of_them_is_kept(kind):
    learner = kind()
    learner.add(step(grid("a."), 0, grid(".a")))
    with pytest.raises(Unsupported, match="learned 1 x 2 cells, got 1 x 3; fit a model for each"):
        learner.add(step(grid("a.."), 0, grid(".a.")))
    assert learner.seen_ == 1
    with pytest.raises(BadParameter, match="1 x 2 cells followed by one of 2 x 1"):
        kind().fit([step(grid("a."), 0, grid("a/."))])


@pytest.mark.parametrize("kind", BOTH)
def test_a_view_of_another_size_is_refused(kind):
    model = kind().fit([step(grid("a."), 0, grid(".a"))]).model(TRAITS)
    with pytest.raises(Unsupported, match="learned 1 x 2 cells, got 2 x 1"):
        model.imagine(grid("a/."), Rng(0))


@pytest.mark.parametrize("name", ["end_to_end", "decomposed"])
def test_a_file_of_another_level_is_refused_before_the_first_move(name, tmp_path):
    out = str(tmp_path / "kept")
    typed = ["model", "fit", "sokoban[level=0]", "--model", name, "--steps", "80", "--out", out]
    assert main(typed) == 0
    world = registry.world("sokoban[level=3]")
    agent = make_agent(f"one_step@{name}(file={out})")
    with pytest.raises(Unsupported, match="learned 6 x 6 cells, got 7 x 8"):
        agent.start(world.model, world.model.view(world.start(Rng(0)), 0), CALLS, Rng(0))


def test_the_command_tells_how_much_is_predicted(tmp_path, capsys):
    out = str(tmp_path / "kept")
    typed = ["model", "fit", "sokoban", "--model", "decomposed(inputs=mmpc)", "--steps", "300"]
    assert main([*typed, "--out", out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["model"] == "decomposed(inputs=mmpc)"
    assert told["accuracy"]["cells"] > 0.9


@pytest.mark.parametrize("kind", BOTH)
def test_levels_of_two_sizes_are_refused_by_the_command(kind, tmp_path, capsys):
    name = {EndToEnd: "end_to_end", Decomposed: "decomposed"}[kind]
    typed = ["model", "fit", "sokoban[level=0]", "sokoban[level=3]", "--model", name]
    assert main([*typed, "--steps", "20", "--out", str(tmp_path / "kept")]) != 0
    assert "fit a model for each size" in capsys.readouterr().err


@pytest.mark.parametrize("kind", BOTH)
def test_content_that_turns_up_later_stays_what_it_is(kind):
    learner = kind(score="none").fit([step(grid("a."), 0, grid("b."))] * 2)
    model = learner.model(TRAITS)
    state = model.imagine(grid("c."), Rng(0))
    assert text_of(model, state) == "c."
    assert model.step(state, (0,), Rng(0)).unseen >= 1


@pytest.mark.parametrize("kind", BOTH)
def test_kinds_in_another_order_are_the_same_kinds(kind):
    model = kind(score="none").fit([step(grid("a"), 0, grid("b"))]).model(TRAITS)
    assert model.imagine(grid("a", kinds="cba"), Rng(0)) == model.imagine(grid("a"), Rng(0))


@pytest.mark.parametrize("wrong", [{"order": 0}, {"decay": 0.2}, {"order": 99}, {"depth": 0}])
@pytest.mark.parametrize("kind", BOTH)
def test_impossible_parameters_are_refused(kind, wrong):
    with pytest.raises(BadParameter, match=f"{kind.__name__}.{next(iter(wrong))} must be"):
        kind(**wrong)
