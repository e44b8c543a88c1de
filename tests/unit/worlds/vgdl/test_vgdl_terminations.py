"""One micro-game for every termination, and who wins."""

from __future__ import annotations

import pytest

PREY = "avatar > MovingAvatar\nx > Immovable\ny > Immovable\nz > Immovable"
EAT = "x y z avatar > killSprite"
TWO = "avatar > NullAvatar\n    one >\n    two >\nx > Immovable\ny > Immovable"
RULES = "\n".join(f"{name} avatar > killSprite scoreChange=1" for name in "xyz")


def test_sprite_counter_at_most_its_limit(micro):
    m = micro(PREY, RULES, "Axx", ends="SpriteCounter stype=x limit=1 win=True", x="x")
    assert not m.state.over
    m.play("R")
    assert (m.state.over, m.state.winners) == (True, [1])


def test_sprite_counter_does_not_count_disabled_avatars(micro):
    m = micro(
        "avatar > MovingAvatar\nx > Immovable",
        "avatar x > killSprite",
        "Ax",
        ends="SpriteCounter stype=avatar win=False",
        x="x",
    ).play("R")
    assert (m.count("avatar"), m.state.over, m.state.winners) == (1, True, [2])


def test_sprite_counter_counts_subtypes(micro):
    sprites = "avatar > MovingAvatar\ng > Immovable\n    x >\n    y >"
    rules = "g avatar > killSprite"
    m = micro(sprites, rules, "Axy", ends="SpriteCounter stype=g win=True", x="x", y="y").play("R")
    assert not m.state.over
    assert m.play("R").state.over


def test_sprite_counter_more_at_least_its_limit(micro):
    sprites = "avatar > NullAvatar\nx > SpawnPoint stype=y cooldown=2\ny > Immovable"
    m = micro(sprites, "", "Ax", ends="SpriteCounterMore stype=y limit=2 win=True", x="x").wait(2)
    assert not m.state.over
    assert m.wait().state.winners == [1]


def test_multi_sprite_counter_adds_up_to_three_types(micro):
    ends = "MultiSpriteCounter stype1=x stype2=y stype3=z limit=1 win=True"
    m = micro(PREY, RULES, "Axyz", ends=ends, x="x", y="y", z="z").play("R")
    assert not m.state.over
    assert m.play("R").state.over


def test_multi_sprite_counter_wants_exactly_its_limit_unless_min(micro):
    plain = "MultiSpriteCounter stype1=x limit=1 win=True"
    assert not micro(PREY, "", "Axx", ends=plain, x="x").wait().state.over
    assert micro(PREY, "", "Axx", ends=plain + " min=True", x="x").wait().state.over


def test_multi_sprite_counter_sub_types_counts_kinds(micro):
    sprites = "avatar > NullAvatar\ng > Immovable\n    x >\n    y >"
    ends = "MultiSpriteCounterSubTypes stype1=g limit=2 subTypesNum={} win=True"
    assert micro(sprites, "", "Axy", ends=ends.format(2), x="x", y="y").wait().state.over
    assert not micro(sprites, "", "Axx", ends=ends.format(2), x="x", y="y").wait().state.over
    assert micro(sprites, "", "Axx", ends=ends.format(1), x="x", y="y").wait().state.over


def test_stop_counter_blocks_the_other_conditions(micro):
    ends = "StopCounter stype1=x limit=1\nSpriteCounter stype=y limit=9 win=True"
    m = micro(PREY, RULES, "Ax.", ends=ends, x="x").wait()
    assert not m.state.over
    assert m.play("R").state.over


def test_timeout_ends_after_limit_and_one_ticks(micro):
    m = micro(PREY, "", "A", ends="Timeout limit=3 win=True").wait(3)
    assert not m.state.over
    m.wait()
    assert (m.state.over, m.state.tick, m.state.winners) == (True, 4, [1])


@pytest.mark.parametrize(("counter", "winners"), [("1,1", [2, 1]), ("1,0", [1, 2])])
def test_timeout_compares_counters(micro, counter, winners):
    m = micro(
        TWO,
        f"x y > killSprite counter={counter}",
        "ab/c.",
        ends="Timeout limit=0 use_counter=True compare=True",
        head="no_players=2 no_counters=2",
        a="one",
        b="two",
        c="x y",
    ).wait()
    assert m.state.winners == winners


@pytest.mark.parametrize(
    ("scores", "winners"), [("3,1", [1, 2]), ("1,3", [2, 1]), ("2,2", [1, 1]), ("0,0", [2, 2])]
)
def test_count_score_lets_the_best_score_win(micro, scores, winners):
    m = micro(
        TWO,
        f"x y > killSprite scoreChange={scores}",
        "ab/c.",
        ends="Timeout limit=0 count_score=True",
        head="no_players=2",
        a="one",
        b="two",
        c="x y",
    ).wait()
    assert m.state.winners == winners


def test_a_win_list_shorter_than_the_players_means_loss(micro):
    m = micro(
        TWO, "", "ab", ends="Timeout limit=0 win=True", head="no_players=2", a="one", b="two"
    ).wait()
    assert m.state.winners == [1, 2]


def test_after_tick_2000_everybody_loses(micro):
    m = micro(PREY, "", "A").wait(2000)
    assert not m.state.over
    m.wait()
    outcome = m.model.outcome(m.state)
    assert outcome.reason == "the limit of 2000 ticks was reached"
    assert (outcome.winners, outcome.truncated) == ((), True)
    assert m.state.tick == 2001


def test_a_finished_game_stays_as_it_is(micro):
    m = micro(PREY, "", "A", ends="Timeout limit=0 win=True").wait()
    before = m.state.copy()
    assert m.play("R R").state == before


def test_every_rule_of_a_tick_runs_before_terminations(micro):
    m = micro(PREY, EAT, "Axy", ends="SpriteCounter stype=x win=True", x="x", y="y").play("R")
    assert (m.state.over, m.count("x"), m.count("y")) == (True, 0, 1)
