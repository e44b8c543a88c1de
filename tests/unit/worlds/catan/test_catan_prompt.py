"""Catan as a person at the terminal plays it."""

import os
import re

import pytest
from catan_tables import FIXED, NOTHING, legal, play, roll, table, two, why_not
from pseudo_terminal import PseudoTerminal

from ludex.agents.human import SeatedHuman
from ludex.agents.parts.news import News
from ludex.agents.parts.prompt_help import about, overview
from ludex.core import Event, Rng
from ludex.core.errors import AmbiguousAction, IllegalAction, LudexError
from ludex.core.paint import plain, width_of
from ludex.core.person import Person
from ludex.worlds.catan.board_text import EVERYWHERE, ROWS, WIDTH, Sites, board_lines
from ludex.worlds.catan.values import EDGES, HEXES, NODES, type_of

MODEL = FIXED.model


def games(count=6):
    """States of random games, one in twenty."""
    for seed in range(count):
        state, rng = FIXED.start(Rng(seed)), Rng(seed)
        for step in range(900):
            MODEL.settle(state, rng)
            acting = MODEL.to_act(state)
            if not acting:
                break
            if step % 20 == 0:
                yield state, acting[0]
            actions = list(MODEL.legal(state, acting[0]))
            state = MODEL.step(state, (rng.choice(actions),), rng)


def test_board_hand_and_prompt_fit_a_terminal_of_80_columns_and_24_rows():
    for state, seat in games():
        view = MODEL.view(state, seat)
        board, hand = FIXED.show_board(view).split("\n"), FIXED.show_hand(view).split("\n")
        assert len(board) == ROWS
        assert len(board) + len(hand) + 1 <= 24
        assert max(map(width_of, board)) <= WIDTH
        assert max(map(width_of, hand)) <= 80


def test_the_board_has_the_numbers_of_the_places_that_legal_actions_name():
    for state, seat in games():
        view = MODEL.view(state, seat)
        bare = "\n".join(map(plain, board_lines(state, Sites())))
        shown = plain(FIXED.show_board(view))
        places = [a for a in view.legal if type_of(a) in ("settlement", "city", "road", "robber")]
        assert (shown != bare) == bool(places) or any(type_of(a) == "knight" for a in view.legal)
        for action in places:
            number = FIXED.action_text(action).split()[1]
            assert number in shown


def test_numbers_that_go_are_no_reason_to_show_the_board_again():
    rich, poor = (MODEL.view(table(two(hand=hand)), 0) for hand in ((1, 0, 0, 0, 1), NOTHING))
    shown = []
    human = SeatedHuman(FIXED, lambda _: "end", shown.append)
    mind = human.start(MODEL, rich, None, Rng(1))
    mind.decide(rich, None, Rng(1))
    board = plain(FIXED.show_board(rich))
    assert board in shown
    mind.decide(poor, None, Rng(1))
    assert plain(FIXED.show_board(poor)) not in shown
    mind.decide(rich, None, Rng(1))
    assert shown.count(board) == 1


def test_every_place_has_a_number_of_its_own_on_the_board():
    lines = "\n".join(map(plain, board_lines(FIXED.start(Rng(1)), EVERYWHERE)))
    for count, mark in ((NODES, ""), (EDGES, ""), (HEXES, "#")):
        assert all(f"{mark}{number}" in lines for number in range(count))


def test_drawings_are_plain_and_those_in_colour_read_alike():
    state = table(two(hand=(1, 0, 0, 0, 1)))
    assert "\x1b" not in FIXED.draw(state)
    assert plain(FIXED.draw_in_colour(state)) == FIXED.draw(state)
    assert "\x1b[" in FIXED.draw_in_colour(state)


def test_the_svg_has_numbers_when_asked():
    state = FIXED.start(Rng(1))
    assert "#18<" not in FIXED.draw(state, "svg")
    assert "#18<" in FIXED.draw_numbers(state, "svg")


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("b r 28", "road 28"),
        ("build a road 28", "road 28"),
        ("offer clay for ore to 1", "offer 1 clay for 1 ore to 1"),
        ("Offer 1 clay for 1 ORE to 1", "offer 1 clay for 1 ore to 1"),
        ("end the turn", "end"),
        ("e", "end"),
    ],
)
def test_people_type_actions_in_their_own_words(typed, text):
    rows = two(hand=(1, 0, 0, 0, 1))
    rows[1]["hand"] = (0, 2, 0, 0, 0)
    state = table(rows)
    assert text in legal(state)
    action = FIXED.parse_action(typed, MODEL.view(state, 0))
    assert FIXED.action_text(action) == text


def test_what_could_be_several_actions_lists_at_most_eight():
    view = MODEL.view(FIXED.start(Rng(1)), 0)
    with pytest.raises(AmbiguousAction, match="settlement 7 and 46 more; type more of it"):
        FIXED.parse_action("settlement", view)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("b s 45", "none of your roads leads to node 45"),
        ("road 0", "edge 0 touches none of your roads or buildings"),
        ("buy", "a development card costs 1 ore+1 sheep+1 wheat, and you lack"),
        ("knight 3", "you have no knight card"),
        ("trade 4 ore for wheat", "you have no ore, and the bank takes 4"),
        ("roll", "now: you must build, buy, trade, play a card or end your turn"),
    ],
)
def test_every_refusal_says_why(typed, reason):
    assert reason in why_not(table(two(hand=(2, 0, 1, 1, 2))), typed)


def test_the_real_game_gives_the_same_reason_about_the_seat():
    state = table(two(hand=(0, 0, 0, 0, 0)))
    action = FIXED.read_action("road 0", None)
    with pytest.raises(
        IllegalAction, match=r"seat 0 cannot play 'road 0': .*, and it lacks 1 clay"
    ):
        FIXED.step(state, (action,), Rng(0))
    assert str(Person(0)) in FIXED.explain(state, 0, action)


def test_a_question_mark_groups_and_names_places():
    rows = two(hand=(1, 0, 1, 1, 1))
    rows[1]["hand"] = (2, 2, 2, 2, 2)  # so that there are many offers to make
    choices = FIXED.choices(MODEL.view(table(rows), 0))
    text = overview(choices, {})
    assert "build a road (" in text
    assert "end" in text
    roads = about("road", choices)
    assert roads.startswith("build a road: ")
    assert "(" in roads  # the hexes beside


def test_a_person_plays_at_a_terminal_with_the_hand_in_sight():
    players = "human,uniform,uniform,uniform"
    with PseudoTerminal("play", "catan[board=fixed]", "--agents", players, "--seed", "1") as seat:
        seat.until("left: 15 roads, 5 settlements, 4 cities")
        seat.type("s 18\r")
        seat.until("27-s0-28")
        seat.until("you build a settlement on node 18")
        seat.until("left: 15 roads, 4 settlements, 4 cities")
        seat.type("? road\r")
        seat.until("build a road: 20 (")
        seat.type("road 3\r")
        seat.until("edge 3 does not touch your new settlement on node 18")
        seat.type("quit\r")
        seat.until("seat 0 left")
        assert "\x1b[48;2" in seat.raw or "\x1b[38;5" in seat.raw or ";48;5" in seat.raw


def test_the_first_question_mark_counts_places_and_a_further_one_names_what_lies_beside():
    view = MODEL.view(FIXED.start(Rng(1)), 0)
    choices = FIXED.choices(view)
    text = overview(choices, {})
    assert text == "You can: build a settlement (54)\n'? settlement' lists them."
    listed = about("settlement", choices)
    assert listed.startswith("build a settlement: 0 (ore 10, harbour 3:1), ")
    assert listed.count("(") == NODES
    assert about("clay", choices).count("clay") == about("clay", choices).count("(")


def test_a_question_about_a_number_tells_what_lies_there_and_what_can_be_done():
    view = MODEL.view(table(two(hand=(1, 0, 0, 0, 1))), 0)
    assert FIXED.place_text("28", view).splitlines() == [
        "node 28: wheat 9, wood 11, wood 8",
        "edge 28: sheep 4 / desert, between nodes 18 and 24; you can type: road 28",
    ]
    assert FIXED.place_text("node 23", view).endswith("; a settlement of yours")
    assert FIXED.place_text("hex 9", view) == "hex 9: desert; the robber is here"
    assert FIXED.place_text("99", view).startswith("there is no place 99")
    assert FIXED.place_text("road", view) is None


def test_the_news_of_a_round_is_a_line_for_every_seat():
    events = [
        Event("end", 0),
        Event("roll", 1),
        Event("dice", None, (8,)),
        Event("gain", 0, (2, 0, 0, 0, 0)),
        Event("gain", 2, (0, 1, 0, 0, 0)),
        Event("offer", 1, (0, (0, 0, 0, 1, 0), (1, 0, 0, 0, 0))),
        Event("reject", 0, (0, (0, 0, 0, 1, 0), (1, 0, 0, 0, 0))),
        Event("road", 1, (4,)),
        Event("end", 1),
        Event("roll", 2),
        Event("dice", None, (7,)),
        *[Event("discard", 3, ())] * 4,
        Event("robber", 2, (7, 0)),
        Event("steal", 2, (0, 3)),
    ]
    assert FIXED.sum_up(events, 0) == [
        "seat 1: dice 8; you get 2 clay; offers you 1 wheat for 1 clay; you reject; road 4",
        "seat 2: dice 7; seat 3 discards 4 cards; robber to hex 7; steals wheat from you",
    ]


def test_the_news_stands_below_the_board_in_at_most_five_rows_of_a_small_screen():
    news = News(FIXED, 0)
    for seat in (1, 2, 3):
        news.hear(Event("roll", seat))
        news.hear(Event("dice", None, (8,)))
        for edge in range(20):
            news.hear(Event("road", seat, (edge,)))
    said = news.told(os.terminal_size((80, 24)), taken=23).split("\n")
    assert [line.partition(":")[0] for line in said] == ["  seat 1", "  seat 2", "  seat 3"]
    assert all(len(line) <= 80 for line in said)
    assert "builds a road on edge 19" in news.log()


def test_a_large_screen_has_room_for_every_event():
    news = News(FIXED, 0)
    for event in (Event("roll", 1), Event("dice", None, (8,)), Event("end", 1)):
        news.hear(event)
    said = news.told(os.terminal_size((80, 40)), taken=23)
    assert said.split("\n") == ["  seat 1 rolls", "  the dice show 8", "  seat 1 ends the turn"]


# Discards


def discarding(hand):
    """A position in which seat 0 has to discard half its hand."""
    return roll(table(two(hand=hand), phase="before_roll"), 7)


def test_many_cards_are_discarded_by_one_line_in_any_order():
    state, answers, shown = discarding((3, 4, 1, 4, 6)), ["discard 4 wheat 2 ore, 3 clay"], []
    view = MODEL.view(state, 0)
    human = SeatedHuman(FIXED, lambda _: answers.pop(), shown.append)
    mind = human.start(MODEL, view, None, Rng(1))
    played = []
    while state.phase == "discard":
        action = mind.decide(MODEL.view(state, 0), None, Rng(1)).action
        played.append(FIXED.action_text(action))
        state = MODEL.step(state, (action,), Rng(1))
    assert played == ["discard clay"] * 3 + ["discard ore"] * 2 + ["discard wheat"] * 4
    assert state.hand(0) == (0, 2, 1, 0, 6)
    hints = [line for line in shown if line.startswith("You must discard 9 cards of ")]
    assert len(hints) == 1
    assert "as in 'discard 1 clay 2 ore 2 wheat 4 wood'" in hints[0]


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("discard 3 clay 2 ore", "you must discard 9 and named 5, so no card was discarded"),
        ("discard 9 sheep", "you cannot discard 9 sheep: you hold 1"),
        ("d w", "wheat or wood?"),
        ("d 9 w", "wheat or wood?"),
        ("discard 9 iron", "there is no card 'iron'"),
        ("discard 4", "type how many of what, as in discard 2 clay 1 ore"),
    ],
)
def test_discards_that_do_not_fit_are_refused_before_any_card_goes(typed, reason):
    with pytest.raises(LudexError, match=re.escape(reason)):
        FIXED.read_plan(typed, MODEL.view(discarding((3, 4, 1, 4, 6)), 0))


def test_the_notation_of_one_discard_means_one_card():
    view = MODEL.view(discarding((3, 4, 1, 4, 6)), 0)
    assert FIXED.read_plan("discard ore", view) is None
    assert FIXED.action_text(FIXED.parse_action("discard ore", view)) == "discard ore"


def test_a_beginning_of_a_kind_is_enough_where_the_hand_has_one_such_kind():
    view = MODEL.view(discarding((3, 4, 1, 0, 6)), 0)
    plan = FIXED.read_plan("d 4 w 3 c", view)
    assert [FIXED.action_text(action) for action in plan] == ["discard clay"] * 3 + [
        "discard wood"
    ] * 4


def test_cards_before_one_that_lies_down_cannot_be_named_any_more():
    state = play(discarding((3, 4, 1, 4, 6)), "discard wheat")
    with pytest.raises(LudexError, match="cannot discard clay any more"):
        FIXED.read_plan("discard 3 clay 3 wheat 2 wood", MODEL.view(state, 0))


def test_an_offer_is_told_to_whom_it_is_made():
    rows = two(hand=(0, 0, 0, 1, 0))
    rows[1]["hand"] = (1, 0, 0, 0, 0)
    state = play(table(rows), "offer 1 wheat for 1 clay to 1")
    assert "seat 0 offers you 1 wheat for your 1 clay" in FIXED.show_hand(MODEL.view(state, 1))
    event = MODEL.events(state, 1)[0]
    assert FIXED.event_text(event, 1) == "seat 0 offers you 1 wheat for your 1 clay"


def test_no_colour_where_the_user_refuses_it():
    with PseudoTerminal("play", "catan", "--agents", "human," * 3 + "human", NO_COLOR="1") as seat:
        seat.until("left: 15 roads")
        assert "38;2" not in seat.raw
        assert "48;5" not in seat.raw
        seat.type("quit\r")
