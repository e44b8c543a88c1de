"""Nora's score, vectors, samples and forests, and the players of its study."""

from __future__ import annotations

import numpy as np
import pytest
from hearthstone_position import Game

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone._native import Chooser
from ludex.agents.hearthstone.learning import forest_file
from ludex.agents.hearthstone.learning import nora as learning
from ludex.agents.hearthstone.learning.forest_player import prepared
from ludex.agents.hearthstone.learning.forests import curves, flattened, grow, joined
from ludex.agents.hearthstone.learning.samples import study_numbers
from ludex.agents.hearthstone.nora import Nora
from ludex.core.errors import BadParameter
from ludex.core.rng import Rng
from ludex.testing import PLANNER_CHECKS
from ludex.worlds.hearthstone import Hearthstone, pools, profiles
from ludex.worlds.hearthstone._native import unpack

WORLD = Hearthstone(decks="random/random", pool="nora")
NUMBERS = study_numbers(WORLD.tables)


def test_the_study_has_57_cards_and_67_numbers():
    tables = profiles.load("classic")
    numbers = pools.nora_numbers(tables)
    assert sorted(numbers.values()) == list(range(67))
    assert len(pools.pool("nora", tables)) == 57
    places = {tables.card(card).name: place for card, place in numbers.items()}
    assert (places["The Coin"], places["Abomination"], places["Ironbeak Owl"]) == (0, 6, 66)
    assert (places["Fireball"], places["Mirror Image"]) == (59, 64)


def test_the_state_vector_holds_what_the_study_lists():
    game = Game(
        {"board": ["Goldshire Footman"], "hand": ["Fireball", "Fireball"], "mana": 4},
        {"board": ["Chillwind Yeti", "Wisp"], "hand": ["Wisp"], "crystals": 6, "health": 17},
        tables=profiles.load("classic"),
    )
    vector = _native.state_vector(game.model, game.state, 0, NUMBERS, Rng(1))
    assert len(vector) == 176
    assert vector[:11].tolist() == [1, 2, 1, 0, 2, 1, 4, 10, 7, 30, 17]
    mine = vector[11:60].reshape(7, 7)
    [footman] = mine[mine[:, 0] >= 0].tolist()
    assert footman == [33, 1, 2, 1, 0, 0, 1]
    empty = mine[mine[:, 0] < 0]
    assert (empty == [-1, 0, -9999, -9999, 0, 0, 0]).all()
    assert vector[109 + 59] == 2


def test_minions_stand_together_at_a_place_drawn_anew():
    game = Game({"board": ["Chillwind Yeti", "Wisp"]}, tables=profiles.load("classic"))
    firsts = []
    for seed in range(600):
        vector = _native.state_vector(game.model, game.state, 0, NUMBERS, Rng(seed))
        taken = np.flatnonzero(vector[11:60].reshape(7, 7)[:, 2] != -9999)
        assert taken[1] == taken[0] + 1
        firsts.append(int(taken[0]))
    counts = np.bincount(firsts, minlength=6)
    assert counts.min() > 60  # 100 expected in each of six places


@pytest.mark.parametrize(
    ("mine", "theirs", "hands", "expected"),
    [
        ([], [], (0, 0), 0.0),
        (["Wisp"], [], (0, 0), 1.75 / 9),
        (["Wisp", "Wisp"], ["Wisp"], (2, 0), (1.75 / 3 + 1) / 9),
        (["Chillwind Yeti"], ["Wisp"], (0, 1), (2.5 / 3 - 0.5) / 9),
    ],
)
def test_the_score_weighs_minions_tough_ones_and_hands(mine, theirs, hands, expected):
    sides = [
        {"board": board, "hand": ["Wisp"] * size}
        for board, size in zip((mine, theirs), hands, strict=True)
    ]
    game = Game(*sides)
    assert _native.board_control(game.model, game.state, 0) == pytest.approx(expected)


def test_the_trade_of_the_text_and_of_the_released_program():
    # A 4/5 hits a 3/2: it takes 5 points and loses 3; 2 of 20.
    game = Game({"board": ["Chillwind Yeti"]}, {"board": ["Bloodfen Raptor"]})
    assert _native.trade(game.model, game.state, 0, False) == pytest.approx(0.1)
    assert _native.trade(game.model, game.state, 0, True) == 0.0
    # Three golems against one wisp: 28 points are left over, one whole twentieth.
    game = Game({"board": ["War Golem"] * 3}, {"board": ["Wisp"]})
    assert _native.trade(game.model, game.state, 0, True) == 1.0
    # Nothing to attack with: the other's trade counts against us.
    game = Game({"board": []}, {"board": ["War Golem"]})
    assert _native.trade(game.model, game.state, 0, False) == pytest.approx(-0.5)


def test_aggro_looks_at_the_other_hero_behind_no_taunt():
    assert _native.aggro(Game({}, {"health": 15}).model, Game({}, {"health": 15}).state, 0) == 0.5
    game = Game({}, {"health": 15, "board": ["Goldshire Footman"]})
    assert _native.aggro(game.model, game.state, 0) == 0.0


def test_samples_come_as_often_as_the_study_says():
    made = _native.samples(WORLD.model, NUMBERS, 3, 0, 400, 10**9)
    expected = {
        "play": (44.6, 0.28, 0.66),
        "target": (19.1, 0.79, 0.55),
        "attack": (24.2, 0.52, 0.52),
    }
    sizes = {"play": 177, "target": 182, "attack": 185}
    for group, (rows, zeros, good) in expected.items():
        vectors, rewards, seen, nothing = made[group]
        assert vectors.shape == (len(rewards), sizes[group])
        assert seen / 400 == pytest.approx(rows, rel=0.06)
        assert nothing / seen == pytest.approx(zeros, abs=0.04)
        assert (rewards > 0).mean() == pytest.approx(good, abs=0.05)
        assert not (rewards == 0).any()


def test_samples_do_not_depend_on_how_games_are_grouped():
    whole = _native.samples(WORLD.model, NUMBERS, 3, 0, 20, 10**9)
    parts = [_native.samples(WORLD.model, NUMBERS, 3, first, 10, 10**9) for first in (0, 10)]
    for group in learning.GROUPS:
        joined = np.concatenate([part[group][0] for part in parts])
        assert (joined == whole[group][0]).all()


def test_native_forests_answer_as_the_library_does():
    ensemble = pytest.importorskip("sklearn.ensemble")
    rng = np.random.default_rng(1)
    rows = rng.integers(-5, 9, size=(400, 12)).astype(np.int16)
    good = (rows[:, 0] + rows[:, 3] > 3) ^ (rng.random(400) < 0.1)
    library = ensemble.ExtraTreesClassifier(n_estimators=7, random_state=4).fit(rows, good)
    parts, nodes, leaves = [], 0, 0
    for tree in library.estimators_:
        parts.append(flattened(tree.tree_, nodes, leaves))
        nodes += len(parts[-1][0])
        leaves += len(parts[-1][3])
    native = joined(parts).native()
    fresh = rng.integers(-9, 12, size=(300, 12)).astype(np.int16)
    expected = library.predict_proba(fresh)[:, 1]
    assert native.predict(fresh) == pytest.approx(expected, abs=1e-6)


def test_a_forest_that_leads_nowhere_is_refused():
    one = np.zeros(1, dtype=np.int16)
    with pytest.raises(ValueError, match="leads nowhere"):
        _native.Forest(
            one, one, np.array([5], np.int32), np.zeros(1, np.float32), np.zeros(1, np.int32)
        )


def test_areas_of_curves_by_hand():
    good = np.array([True, False, True, False])
    scores = np.array([0.9, 0.8, 0.7, 0.1])
    found = curves(good, scores)
    assert found.fall_out.tolist() == [0.0, 0.5, 0.5, 1.0]
    assert found.recall.tolist() == [0.5, 0.5, 1.0, 1.0]
    assert found.precision.tolist() == pytest.approx([1, 1 / 2, 2 / 3, 1 / 2])
    assert found.roc_area == pytest.approx(3 / 4)
    assert found.average_precision == pytest.approx((1 + 2 / 3) / 2)


def test_learned_forests_are_kept_and_play(tmp_path):
    pytest.importorskip("sklearn")
    recipe = learning.Recipe(samples=60, trees=3, least=5)
    forests, judged = learning.learn(recipe)
    assert set(judged) == set(learning.GROUPS)
    path = tmp_path / "nora.npz"
    learning.save(path, forests, recipe, judged)
    model = learning.world_model(learning.MATCH_WORLD)
    nora = prepared(learning.MATCH_WORLD, str(path), "nora").chooser
    outcomes = _native.matches(model, nora, Chooser.random(), 1, 0, 40)
    assert sum(outcome == 1 for outcome in outcomes) > 20
    for check in PLANNER_CHECKS:
        check(Nora(file=str(path)), Hearthstone())


def test_a_file_that_is_not_nora_is_refused(tmp_path):
    path = tmp_path / "nora.npz"
    with pytest.raises(BadParameter, match="there is no file"):
        forest_file.read(path)
    np.savez(path, facts=np.array("{}"))
    with pytest.raises(BadParameter, match="holds no forests"):
        forest_file.read(path)
    path.write_bytes(b"no forests at all")
    with pytest.raises(BadParameter, match="holds no forests"):
        forest_file.read(path)
    forest_file.write(path, "apprentice", {}, {})
    with pytest.raises(BadParameter, match="was written for apprentice, not for nora"):
        forest_file.read(path, "nora")


def test_a_forest_grows_towards_what_is_good():
    pytest.importorskip("sklearn")
    rows = np.arange(40, dtype=np.int16).reshape(40, 1)
    forest = grow(rows, rows[:, 0] >= 20, trees=5, seed=1).native()
    assert forest.predict(rows).round().tolist() == [0.0] * 20 + [1.0] * 20


def test_a_forest_does_not_depend_on_workers():
    pytest.importorskip("sklearn")
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 9, size=(200, 6)).astype(np.int16)
    good = rows.sum(axis=1) % 3 > 0
    one, three = (grow(rows, good, trees=5, seed=1, workers=workers) for workers in (1, 3))
    for column, values in vars(one).items():
        assert (values == vars(three)[column]).all()


def test_random_players_are_even_and_draw_as_often_as_published():
    outcomes = _native.matches(Hearthstone().model, Chooser.random(), Chooser.random(), 5, 0, 4000)
    assert outcomes.count(1) / 4000 == pytest.approx(0.497, abs=0.03)
    assert outcomes.count(2) / 4000 == pytest.approx(0.0068, abs=0.005)


def test_the_scripted_player_beats_the_random_one_as_published():
    outcomes = _native.matches(
        Hearthstone().model, Chooser.random(), Chooser.scripted(), 5, 0, 3000
    )
    assert outcomes.count(1) / 3000 == pytest.approx(0.0093, abs=0.006)


def test_the_scripted_player_takes_the_best_card_and_the_attack_that_pays():
    game = Game({"hand": ["Wisp", "Chillwind Yeti"], "mana": 4}, {"board": ["Magma Rager"]})
    action = _native.scripted_move(game.model, game.state)
    assert unpack(action)[:2] == (1, 1)
    game = Game({"board": ["Stonetusk Boar"], "mana": 0}, {"board": ["Magma Rager"]})
    action = _native.scripted_move(game.model, game.state)
    assert unpack(action) == (2, 0, 0, 10, 0)


def test_the_scripted_player_aims_frostbolt_by_damage_alone():
    # Three damage to anything that survives it: the first is the hero, whatever it freezes.
    game = Game({"hand": ["Frostbolt"], "mana": 2}, {"board": ["Boulderfist Ogre"]})
    assert unpack(_native.scripted_move(game.model, game.state))[3] == 2


def test_the_scripted_player_aims_at_enemies():
    game = Game({"hand": ["Fireball"], "mana": 4}, {"board": ["Boulderfist Ogre"], "health": 5})
    assert unpack(_native.scripted_move(game.model, game.state))[3] == 2  # the hero would fall
    game = Game({"hand": ["Fireball"], "mana": 4}, {"board": ["Chillwind Yeti"]})
    assert unpack(_native.scripted_move(game.model, game.state))[3] == 10
