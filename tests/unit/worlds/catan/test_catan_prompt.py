"""Catan as a person at the terminal plays it."""

import pytest
from catan_tables import FIXED, NOTHING, legal, table, two, why_not
from pseudo_terminal import PseudoTerminal

from ludex.agents.human import SeatedHuman
from ludex.agents.prompt_help import about, overview
from ludex.core import Rng
from ludex.core.errors import AmbiguousAction, IllegalAction
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
        seat.until("you build a settlement on node 18")
        seat.until("27-s0-28")
        seat.until("left: 15 roads, 4 settlements, 4 cities")
        seat.type("? road\r")
        seat.until("build a road: 20 (")
        seat.type("road 3\r")
        seat.until("edge 3 does not touch your new settlement on node 18")
        seat.type("quit\r")
        seat.until("seat 0 left")
        assert "\x1b[48;2" in seat.raw or "\x1b[38;5" in seat.raw or ";48;5" in seat.raw


def test_no_colour_where_the_user_refuses_it():
    with PseudoTerminal("play", "catan", "--agents", "human," * 3 + "human", NO_COLOR="1") as seat:
        seat.until("left: 15 roads")
        assert "38;2" not in seat.raw
        assert "48;5" not in seat.raw
        seat.type("quit\r")
