"""The rules of parley, with tables laid by hand."""

import pytest

from ludex.core import registry
from ludex.core.errors import (
    AmbiguousAction,
    BadParameter,
    GameOver,
    IllegalAction,
    InvalidAction,
    InvalidState,
)
from ludex.core.rng import Rng
from ludex.worlds.parley.values import LETTERS, Act, Phase, Verb

WORLD = registry.world("parley")
MODEL = WORLD.model
GRAIN, IRON, SALT, TIMBER, WINE = range(5)
ROLL, ACCEPT, REJECT = Act(Verb.ROLL), Act(Verb.ACCEPT), Act(Verb.REJECT)


def table(hands, pledged="-/-/-", then="turn 0 plays 2 talks 1 move"):
    """Lay the cards that are named and put the others into the pile."""
    pile = "".join(letter * (4 - (hands + pledged).count(letter)) for letter in LETTERS)
    return WORLD.parse(f"hands {hands} pledged {pledged} pile {pile or '-'} {then}")


def rng_of_weather(storm):
    """Find a stream whose next roll brings a storm on this good, or none."""
    for seed in range(10_000):
        stream = Rng(seed)
        drawn = stream.below(5) if stream.below(6) == 0 else None
        if drawn == storm:
            return Rng(seed)
    raise AssertionError


def play(state, *actions, rng=None):
    for action in actions:
        state = WORLD.step(state, (action,), rng or rng_of_weather(None))
    return state


def words(state, seat):
    return [str(action) for action in MODEL.legal(state, seat)]


def test_the_start_deals_three_cards_to_each_and_leaves_eleven():
    state = WORLD.start(Rng(4))
    assert [sum(hand) for hand in state.hands] == [3, 3, 3]
    assert sum(state.pile) == 11
    assert not any(sum(state.pledged, ()))


def test_moves_are_roll_pledges_and_offers_in_ascending_order():
    state = table("gg/i/-")
    assert words(state, 0) == [
        "roll",
        "pledge grain",
        "offer 1 grain for iron",
        "offer 1 grain for salt",
        "offer 1 grain for timber",
        "offer 1 grain for wine",
    ]


def test_an_offer_asks_only_for_goods_that_are_neither_held_nor_pledged():
    offers = [word for word in words(table("gi/t/-", "s/w/-"), 0) if word.startswith("offer")]
    assert offers == [
        "offer 1 grain for timber",
        "offer 1 grain for wine",
        "offer 1 iron for timber",
        "offer 1 iron for wine",
    ]


def test_who_has_every_good_asks_for_none():
    assert words(table("gi/t/-", "stw/-/-"), 0) == ["roll", "pledge grain", "pledge iron"]


def test_legal_offers_do_not_depend_on_what_the_rival_holds():
    assert words(table("gg/i/-"), 0) == words(table("gg/w/-"), 0)


def test_a_pledge_moves_one_card_to_the_table():
    after = play(table("ggs/i/-"), Act(Verb.PLEDGE, good=GRAIN))
    assert after == table("gs/i/-", "g/-/-", "turn 0 plays 1 talks 1 move")


def test_two_cards_may_be_pledged_in_a_turn():
    after = play(table("ggs/-/-"), Act(Verb.PLEDGE, good=GRAIN), Act(Verb.PLEDGE, good=SALT))
    assert words(after, 0) == ["roll"]


def test_an_offer_is_answered_inside_the_turn_of_the_seat_that_made_it():
    asked = play(table("g/-/i"), Act(Verb.OFFER, 2, GRAIN, IRON))
    assert MODEL.to_act(asked) == (2,)
    assert words(asked, 2) == ["reject", "accept"]
    answered = play(asked, REJECT)
    assert MODEL.to_act(answered) == (0,)


def test_an_accepted_offer_exchanges_the_two_cards():
    after = play(table("gg/-/iw"), Act(Verb.OFFER, 2, GRAIN, IRON), ACCEPT)
    assert after == table("gi/-/gw", "-/-/-", "turn 0 plays 2 talks 0 move")


def test_a_rejected_offer_uses_up_the_talk_and_nothing_else():
    after = play(table("gg/-/iw"), Act(Verb.OFFER, 2, GRAIN, IRON), REJECT)
    assert after == table("gg/-/iw", "-/-/-", "turn 0 plays 2 talks 0 move")
    assert words(after, 0) == ["roll", "pledge grain"]


def test_who_lacks_what_is_asked_for_can_only_reject():
    asked = play(table("g/-/w"), Act(Verb.OFFER, 2, GRAIN, IRON))
    assert words(asked, 2) == ["reject"]


def test_a_treaty_needs_all_five_goods_in_two_rows():
    assert "treaty 1" in words(table("-/-/-", "gis/tw/-"), 0)
    assert "treaty 1" not in words(table("-/-/-", "gis/t/w"), 0)


def test_a_treaty_has_two_winners_and_one_loser():
    over = play(table("-/-/-", "gis/-/tw"), Act(Verb.TREATY, 2), ACCEPT)
    outcome = MODEL.outcome(over)
    assert outcome.winners == (0, 2)
    assert outcome.returns == (1.0, -1.0, 1.0)
    assert outcome.reason == "seats 0 and 2 signed a treaty"
    assert not outcome.truncated


def test_a_treaty_that_is_rejected_leaves_the_turn_to_its_proposer():
    after = play(table("-/-/-", "gis/-/tw"), Act(Verb.TREATY, 2), REJECT)
    assert after == table("-/-/-", "gis/-/tw", "turn 0 plays 1 talks 1 move")
    assert MODEL.outcome(after) is None


def test_five_goods_in_one_row_win_alone():
    over = play(table("w/-/-", "gist/-/-"), Act(Verb.PLEDGE, good=WINE))
    assert MODEL.outcome(over).winners == (0,)
    assert MODEL.outcome(over).returns == (1.0, -1.0, -1.0)


def test_all_lose_when_the_last_turn_ends():
    last = table("g/i/s", "-/-/-", "turn 11 plays 2 talks 1 move")
    over = MODEL.resolve(play(last, ROLL), 1)
    outcome = MODEL.outcome(over)
    assert outcome.winners == ()
    assert outcome.returns == (-1.0, -1.0, -1.0)
    assert outcome.reason == "the congress dispersed without a treaty"
    assert not outcome.truncated


def test_a_storm_takes_one_pledge_of_its_good_from_each_row():
    state = table("-/-/-", "gg/g/s")
    after = MODEL.step(state, (ROLL,), rng_of_weather(GRAIN))
    assert after.pledged == ((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), (0, 0, 1, 0, 0))
    assert after.pile[GRAIN] == state.pile[GRAIN] + 2


@pytest.mark.parametrize(
    ("face", "phase", "seats"),
    [
        (1, Phase.MOVE, (1,)),
        (2, Phase.DRAW, ()),
        (3, Phase.DRAW, ()),
        (4, Phase.DRAW, ()),
        (5, Phase.FIRST, ()),
        (6, Phase.DEMAND, (0,)),
    ],
)
def test_each_face_of_the_die_has_its_effect(face, phase, seats):
    rolled = play(table("g/i/s"), ROLL)
    after = MODEL.resolve(rolled, face)
    assert after.phase is phase
    assert MODEL.to_act(after) == seats


def test_a_drawn_card_comes_from_the_pile_and_ends_the_turn():
    drawing = MODEL.resolve(play(table("g/i/s"), ROLL), 3)
    after = MODEL.resolve(drawing, "wine")
    assert after == table("gw/i/s", "-/-/-", "turn 1 plays 2 talks 1 move")


def test_of_two_drawn_cards_one_goes_back_by_a_choice_in_the_middle_of_the_effect():
    drawing = MODEL.resolve(play(table("g/i/s"), ROLL), 5)
    choosing = MODEL.resolve(MODEL.resolve(drawing, "wine"), "wine")
    assert MODEL.to_act(choosing) == (0,)
    assert words(choosing, 0) == ["return grain", "return wine"]
    after = play(choosing, Act(Verb.RETURN, good=GRAIN))
    assert after == table("ww/i/s", "-/-/-", "turn 1 plays 2 talks 1 move")


def test_a_demand_lets_the_rival_choose_what_to_give():
    demanding = MODEL.resolve(play(table("g/iw/s"), ROLL), 6)
    assert words(demanding, 0) == ["demand 1", "demand 2"]
    giving = play(demanding, Act(Verb.DEMAND, 1))
    assert MODEL.to_act(giving) == (1,)
    assert words(giving, 1) == ["give iron", "give wine"]
    after = play(giving, Act(Verb.GIVE, good=WINE))
    assert after == table("gw/i/s", "-/-/-", "turn 1 plays 2 talks 1 move")


def test_only_rivals_with_cards_can_be_asked():
    demanding = MODEL.resolve(play(table("g/-/s"), ROLL), 6)
    assert words(demanding, 0) == ["demand 2"]


def test_a_six_does_nothing_when_the_rivals_hold_nothing():
    assert MODEL.resolve(play(table("g/-/-"), ROLL), 6).turn == 1


def test_five_draws_one_card_from_a_pile_of_one_and_none_from_an_empty_one():
    one = table("ggggiiiissss/ttt/wwww", "-/-/-", "turn 0 plays 0 talks 0 die")
    assert sum(one.pile) == 1
    assert MODEL.resolve(one, 5).phase is Phase.DRAW
    none = table("ggggiiiissss/tttt/wwww", "-/-/-", "turn 0 plays 0 talks 0 die")
    assert MODEL.resolve(none, 5).turn == 1


def test_the_score_counts_the_goods_of_the_best_treaty():
    state = table("-/-/-", "gi/is/t")
    assert [MODEL.score(state, seat) for seat in range(3)] == [3.0, 3.0, 3.0]
    state = table("-/-/-", "gi/-/stt")
    assert [MODEL.score(state, seat) for seat in range(3)] == [4.0, 2.0, 4.0]


def test_the_score_of_an_end_tells_winners_from_losers():
    over = play(table("-/-/-", "gis/-/tw"), Act(Verb.TREATY, 2), ACCEPT)
    assert [MODEL.score(over, seat) for seat in range(3)] == [6.0, 0.0, 6.0]


# The real game


def test_the_world_refuses_moves_after_the_end():
    over = play(table("w/-/-", "gist/-/-"), Act(Verb.PLEDGE, good=WINE))
    with pytest.raises(GameOver, match="showed all five goods alone"):
        WORLD.step(over, (ROLL,), Rng(0))


REASONS = [
    (table("g/i/-"), 0, Act(Verb.PLEDGE, good=WINE), "cannot pledge wine: it holds no wine"),
    (table("g/i/-"), 0, Act(Verb.OFFER, 1, WINE, IRON), "it holds no wine"),
    (table("g/i/-"), 0, Act(Verb.OFFER, 2, GRAIN, IRON), "seat 2 holds no card"),
    (table("g/i/-"), 0, Act(Verb.OFFER, 0, GRAIN, IRON), "that is itself"),
    (table("gs/i/-"), 0, Act(Verb.OFFER, 1, GRAIN, SALT), "it has salt already"),
    (table("g/i/-", "s/-/-"), 0, Act(Verb.OFFER, 1, GRAIN, SALT), "it has salt already"),
    (table("-/-/-", "gis/t/-"), 0, Act(Verb.TREATY, 1), "their pledges together lack wine"),
    (table("g/i/-"), 1, ROLL, "seat 1 cannot roll: it is not its turn to act"),
    (table("g/i/-"), 0, ACCEPT, "it must roll or pledge or offer or treaty"),
    (
        table("g/i/-", then="turn 0 plays 0 talks 1 move"),
        0,
        Act(Verb.PLEDGE, good=GRAIN),
        "it has used the 2 plays of this turn",
    ),
    (
        table("g/i/-", then="turn 0 plays 2 talks 0 move"),
        0,
        Act(Verb.OFFER, 1, GRAIN, IRON),
        "it has made its offer of this turn already",
    ),
    (table("g/w/-", then="turn 0 plays 2 talks 0 answer 1 g-i"), 1, ACCEPT, "it holds no iron"),
    (table("g/i/-"), 0, "castle", "'castle' is not an action of parley"),
]


@pytest.mark.parametrize(("state", "seat", "action", "reason"), REASONS)
def test_the_world_says_why_an_action_is_illegal(state, seat, action, reason):
    assert reason in WORLD.explain(state, seat, action)
    if MODEL.to_act(state) == (seat,):
        with pytest.raises(IllegalAction):
            WORLD.step(state, (action,), Rng(0))


def test_a_reason_tells_nothing_about_other_hands():
    for seat, action in ((0, Act(Verb.OFFER, 1, WINE, IRON)), (0, ACCEPT)):
        one, other = (WORLD.explain(table(hands), seat, action) for hands in ("g/i/-", "g/s/-"))
        assert one == other


def test_every_illegal_action_has_a_reason_in_every_kind_of_state():
    for state in (one for one, *_ in REASONS):
        (seat,) = MODEL.to_act(state)
        for action in WORLD.codec.actions:
            if action not in MODEL.legal(state, seat):
                assert "it is legal" not in WORLD.explain(state, seat, action)


# Notation and pictures


def test_actions_are_typed_in_words_or_their_beginnings():
    view = MODEL.view(table("gs/i/w"), 0)
    assert WORLD.parse_action("offer 2 grain for iron", view) == Act(Verb.OFFER, 2, GRAIN, IRON)
    assert WORLD.parse_action("  PLEDGE g", view) == Act(Verb.PLEDGE, good=GRAIN)
    with pytest.raises(AmbiguousAction, match="pledge grain, pledge salt"):
        WORLD.parse_action("pledge", view)
    with pytest.raises(IllegalAction, match="you cannot pledge wine: you hold no wine"):
        WORLD.parse_action("pledge wine", view)
    with pytest.raises(InvalidAction, match="'surrender' is not an action of parley"):
        WORLD.parse_action("surrender", view)


def test_action_texts_are_all_different():
    texts = [WORLD.action_text(action) for action in WORLD.codec.actions]
    assert len(texts) == len(set(texts)) == 1 + 5 + 60 + 3 + 2 + 3 + 5 + 5


CONTRADICTIONS = [
    ("turn 12 plays 2 talks 1 move", "there are 12 turns"),
    ("turn 0 plays 3 talks 1 move", "3 plays and 1 talks cannot be left"),
    ("turn 0 plays 1 talks 1 die", "cannot be left in the phase die"),
    ("turn 0 plays 0 talks 0 give 0", "seat 0 cannot face itself"),
    ("turn 0 plays 0 talks 0 give", "a seat stands behind"),
    ("turn 0 plays 2 talks 1 move 1", "a seat stands behind"),
    ("turn 0 plays 2 talks 0 answer 1", "goods stand behind answer"),
    ("turn 0 plays 2 talks 0 answer 1 w-g", "seat 0 cannot have offered wine"),
    ("turn 0 plays 2 talks 0 answer 1 g-g", "seat 0 cannot have offered grain"),
    ("turn 0 plays 1 talks 1 consent 1", "do not show all five goods"),
    ("turn 0 plays 0 talks 0 over", "the game is not over"),
    ("turn 0 plays 0 talks 0 return", "must hold 2"),
]


@pytest.mark.parametrize(("text", "reason"), CONTRADICTIONS)
def test_contradictory_states_are_refused_with_the_contradiction(text, reason):
    with pytest.raises(InvalidState, match=reason):
        table("g/i/s", "-/-/-", text)


@pytest.mark.parametrize(("hands", "pledged"), [("gi/i/-", "-/-/-"), ("g/i/-", "i/-/-")])
def test_an_offer_for_what_its_maker_has_is_refused(hands, pledged):
    with pytest.raises(InvalidState, match="seat 0 has iron and cannot have asked for it"):
        table(hands, pledged, "turn 0 plays 2 talks 0 answer 1 g-i")


def test_cards_that_do_not_add_up_are_refused():
    with pytest.raises(InvalidState, match="there are 4 cards of grain, not 1"):
        WORLD.parse("hands g/i/s pledged -/-/- pile - turn 0 plays 2 talks 1 move")


def test_a_row_that_has_won_contradicts_a_game_that_goes_on():
    with pytest.raises(InvalidState, match="seat 1 shows all five goods"):
        table("-/-/-", "-/gistw/-")


def test_draws_need_a_pile():
    with pytest.raises(InvalidState, match="1 cards are to be drawn and the pile holds 0"):
        table("ggggiiiissss/tttt/wwww", "-/-/-", "turn 0 plays 0 talks 0 draw")


@pytest.mark.parametrize("text", ["", "grain", "hands g/i pledged -/-/-", "hands x/-/-" * 50])
def test_what_is_not_a_state_is_refused_with_an_example(text):
    with pytest.raises(InvalidState, match="write it as"):
        WORLD.parse(text)


def test_a_view_is_drawn_without_the_other_hands():
    state = table("gg/iii/w", "s/-/-")
    text = WORLD.draw_view(MODEL.view(state, 0))
    assert "hand gg" in text
    assert "hand ???" in text
    assert "iii" not in text
    assert "hand iii" in WORLD.draw(state)


def test_pictures_hide_the_same():
    state = table("gg/iii/-")
    names = [WORLD.draw_view(MODEL.view(state, seat), "svg").count(">iron<") for seat in (0, 1)]
    assert names == [3, 6]  # three places for pledges of iron, and three cards of one's own
    assert WORLD.draw(state, "svg").startswith("<svg")


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (table("g/i/s"), "seat 0 to move, 2 plays and 1 talks left"),
        (table("g/i/s", then="turn 0 plays 0 talks 0 die"), "seat 0 rolls the die"),
        (table("-/-/-", "gis/-/tw", "turn 0 plays 0 talks 0 over 2"), "peace: seats 0 and 2"),
        (table("g/i/s", then="turn 12 plays 0 talks 0 over"), "dispersed: all lose"),
        (table("-/-/-", "gistw/-/-", "turn 0 plays 0 talks 0 over"), "wins alone"),
    ],
)
def test_the_drawing_says_what_the_table_waits_for(state, line):
    assert line in WORLD.draw(state)


def test_options_are_checked():
    with pytest.raises(BadParameter, match=r"Parley\.rounds must be a whole number from 1 to 300"):
        registry.world("parley[rounds=0]")


def test_the_observation_begins_with_the_own_hand_and_fits_its_range():
    view = MODEL.view(table("ggw/i/s"), 0)
    array = WORLD.observation(view)
    assert array[:5].tolist() == [2, 0, 0, 0, 1]
    assert array.shape == WORLD.observation_spec.shape
