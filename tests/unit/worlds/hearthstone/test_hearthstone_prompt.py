"""Hearthstone as a person at the terminal plays it: names, reasons, looking, and the table."""

from __future__ import annotations

import pytest
from pseudo_terminal import PseudoTerminal

from ludex.agents.parts.prompt import completions
from ludex.agents.parts.prompt_help import about, overview
from ludex.core import Rng
from ludex.core.choices import matching
from ludex.core.errors import AmbiguousAction, IllegalAction, InvalidAction, LudexError
from ludex.core.paint import plain
from ludex.worlds.hearthstone import Hearthstone, profiles
from ludex.worlds.hearthstone.wording import card_text

WORLD = Hearthstone(cards="competition", decks="zoo_warlock/jade_shaman")
MINE = "p0 hero=Jaina-Proudmoore mana=4/4 deck=Wisp"
THEIRS = "p1 hero=Garrosh-Hellscream mana=0/4 deck=Wisp"


def view(mine="", theirs="", world=WORLD, top="turn=7"):
    state = world.parse(f"hearthstone {top} {MINE} {mine} {THEIRS} {theirs}")
    return world.model.view(state, 0)


def typed(text, *args, world=WORLD, **named):
    return world.action_text(world.parse_action(text, view(*args, world=world, **named)))


# Names


HAND = "hand=Fireball,The-Coin,Fireball,Bloodfen-Raptor,Wrath"
BOARD = "board=Chillwind-Yeti,Mana-Wyrm"
ENEMIES = "board=Bloodfen-Raptor,Voidwalker"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("play The Coin", "play 2"),
        ("coin", "play 2"),
        ("2", "play 2"),
        ("play fireball > foe", "play 1 > foe"),
        ("play fireball > face", "play 1 > foe"),
        ("fireball face", "play 1 > foe"),
        ("play 3 > e1", "play 3 > e1"),
        ("fireball > raptor", "play 1 > e1"),
        ("fireball > me", "play 1 > me"),
        ("play raptor", "play 4"),
        ("play 4 Bloodfen Raptor", "play 4"),
        ("play wrath / nature > voidwalker", "play 5/2 > e2"),
        ("solar > e1", "play 5/1 > e1"),
        ("attack yeti > voidwalker", "attack m1 > e2"),
        ("m2 > voidwalker", "attack m2 > e2"),
        ("power > face", "power > foe"),
        ("power Fireblast > foe", "power > foe"),
        ("hero power > e2 Voidwalker", "power > e2"),
        ("play 1 Fireball > e2 Voidwalker", "play 1 > e2"),
        ("attack m1 Chillwind Yeti > e2 Voidwalker", "attack m1 > e2"),
        ("fireblast > yeti", "power > m1"),
        ("end", "end turn"),
        ("done", "end turn"),
        ("play fireball on raptor", "play 1 > e1"),
        ("play 3 at face", "play 3 > foe"),
        ("attack yeti at voidwalker", "attack m1 > e2"),
    ],
)
def test_names_of_cards_and_targets_are_understood(text, action):
    assert typed(text, f"{HAND} {BOARD}", ENEMIES) == action


def test_a_name_of_two_equal_cards_means_the_first_of_them():
    assert typed("fireball > e2", HAND, ENEMIES) == "play 1 > e2"


def test_minions_of_one_name_are_told_apart_by_their_numbers():
    with pytest.raises(AmbiguousAction, match="attack m1 > foe, attack m3 > foe"):
        typed("attack wisp > foe", "board=Wisp,Mana-Wyrm,Wisp")
    assert typed("attack wisp > foe", "board=Wisp(sick),Mana-Wyrm,Wisp") == "attack m3 > foe"


def test_an_attack_with_one_possible_target_needs_no_target():
    assert typed("attack yeti", BOARD, ENEMIES) == "attack m1 > e2"


@pytest.mark.parametrize(
    ("options", "text", "action"),
    [
        ({"places": "all"}, "play raptor", "play 4 @3"),
        ({"places": "all"}, "play raptor @1", "play 4"),
        ({"places": "all"}, "play 4 @2", "play 4 @2"),
        ({"actions": "staged"}, "play fireball", "play 1"),
        ({"actions": "staged"}, "play raptor", "play 4"),
        ({"actions": "staged"}, "attack yeti", "attack m1"),
    ],
)
def test_positions_and_stages_are_understood(options, text, action):
    world = Hearthstone(cards="competition", **options)
    assert typed(text, f"{HAND} {BOARD}", ENEMIES, world=world) == action


def test_a_name_of_two_cards_that_differ_is_ambiguous():
    with pytest.raises(AmbiguousAction, match="could be any of"):
        typed("play fireball > foe", "hand=Fireball,Fireball(cost-1)")


# Reasons


@pytest.mark.parametrize(
    ("text", "mine", "theirs", "reason"),
    [
        ("play flamestrike", "hand=Flamestrike", "", "Flamestrike costs 7, you have 4 mana"),
        ("play 7", "hand=Wisp", "", "there is no card 7, you have 1 in hand"),
        (
            "attack wyrm > face",
            "board=Mana-Wyrm(sick)",
            "",
            "Mana Wyrm was summoned this turn, it can attack in the next one",
        ),
        (
            "attack wyrm > face",
            "board=Mana-Wyrm(attacks=1)",
            "",
            "Mana Wyrm has attacked this turn",
        ),
        ("attack m1 > face", "board=Mana-Wyrm(frozen)", "", "Mana Wyrm is frozen"),
        ("attack watcher > face", "board=Ancient-Watcher", "", "Ancient Watcher can't attack"),
        ("attack totem > face", "board=Flametongue-Totem", "", "Flametongue Totem has no attack"),
        (
            "attack yeti > face",
            BOARD,
            ENEMIES,
            "a taunt is in the way: e2 Voidwalker",
        ),
        ("attack yeti > panther", BOARD, "board=Jungle-Panther", "Jungle Panther is in stealth"),
        ("attack yeti > wyrm", BOARD, "", "only enemies can be attacked"),
        ("attack yeti", BOARD, ENEMIES.replace(",Voidwalker", ""), "needs a target"),
        ("attack m3 > foe", BOARD, "", "there is no m3, you have 2 minions"),
        ("attack yeti > e4", BOARD, "", "there is no e4 on the board"),
        ("attack hero > foe", "", "", "your hero has no attack, which a weapon would give"),
        (
            "attack hero > foe",
            "weapon=Fiery-War-Axe attacks=1",
            "",
            "your hero has attacked this turn",
        ),
        (
            "attack hero > foe",
            "weapon=Fiery-War-Axe flags=frozen",
            "",
            "your hero is frozen",
        ),
        (
            "play wisp",
            "hand=Wisp board=" + ",".join(["Wisp"] * 7),
            "",
            "your board is full, with 7 minions",
        ),
        (
            "play mirror image",
            "hand=Mirror-Image board=" + ",".join(["Wisp"] * 7),
            "",
            "your board is full, with 7 minions",
        ),
        ("play fireball", "hand=Fireball", "", "Fireball needs a target, as in 'play 1 > foe'"),
        ("power", "", "", "Fireblast needs a target, as in 'power > foe'"),
        ("power > foe", "power_used=1", "", "your hero power was used this turn"),
        (
            "play sap > yeti",
            "hand=Sap board=Chillwind-Yeti",
            "board=Wisp",
            "Sap is for an enemy minion, and Chillwind Yeti is not one",
        ),
        ("play sap", "hand=Sap", "", "there is no target for Sap, which is for an enemy minion"),
        (
            "fireball > dragon",
            "hand=Fireball",
            "board=Faerie-Dragon",
            "Faerie Dragon cannot be the target of spells or hero powers",
        ),
        ("play lay on hands", "hand=Lay-on-Hands(cost-4)", "", "Lay on Hands needs a target"),
        ("coin > foe", "hand=The-Coin", "", "The Coin takes no target"),
        ("play poison", "hand=Deadly-Poison", "", "Deadly Poison needs a weapon"),
        (
            "play cleave",
            "hand=Cleave",
            "board=Wisp",
            "Cleave can be played only if there are 2 or more enemy minions",
        ),
        (
            "play ice barrier",
            "hand=Ice-Barrier secrets=Ice-Barrier",
            "",
            "Ice Barrier is in play already",
        ),
        (
            "play nourish",
            "hand=Nourish(cost-2)",
            "",
            "choose one: 'play 1/1' is Rampant Growth, 'play 1/2' is Enrich",
        ),
        ("choose 1", "", "", "no card is offered"),
    ],
)
def test_every_refusal_says_why(text, mine, theirs, reason):
    with pytest.raises((IllegalAction, AmbiguousAction)) as error:
        typed(text, mine, theirs)
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("play yeti", "there is no 'yeti' in your hand"),
        ("attack yeti > foe", "there is no 'yeti' on your board that could attack"),
        ("att wyrm > e1", "there is no 'wyrm' on your board that could attack"),
        ("pl yeti", "there is no 'yeti' in your hand"),
        ("play wisp > yeti", "there is no 'yeti' on the board to aim at"),
        ("dance", "'dance' is not an action of hearthstone"),
    ],
)
def test_names_that_nothing_has_are_told(text, problem):
    with pytest.raises(InvalidAction, match=problem):
        typed(text, "hand=Wisp")


def test_the_same_reasons_are_told_of_actions_in_the_real_game():
    state = WORLD.parse(f"hearthstone turn=7 {MINE} hand=Flamestrike {THEIRS}")
    action = WORLD.read_action("play flamestrike", WORLD.model.view(state, 0))
    with pytest.raises(IllegalAction) as error:
        WORLD.step(state, (action,), Rng(1))
    said = "seat 0 cannot play 'play 1': Flamestrike costs 7, it has 4 mana"
    assert str(error.value) == said


def answered(world, text, seen):
    """What a refusal says; "" where the action is legal."""
    try:
        assert world.parse_action(text, seen) in seen.legal
    except LudexError as error:
        return str(error)
    return ""


def test_every_action_that_is_not_legal_has_a_reason():
    """Nothing that can be typed by notation crashes or is refused without a word."""
    options = {"decks": "random/random", "heroes": "druid/warrior", "cards": "competition"}
    world = Hearthstone(**options)
    rng, state = Rng(5), world.start(Rng(5))
    texts = ["power", "power > e1", "attack hero > foe", "choose 3", "play 10"]
    texts += [f"play {n}{aim}" for n in range(1, 6) for aim in ("", "/2", " > foe", " > m2")]
    texts += [f"attack m{n} > {aim}" for n in (1, 4) for aim in ("foe", "e1", "me")]
    for _ in range(60):
        seat = world.model.to_act(state)[0]
        seen = world.model.view(state, seat)
        for text in texts:
            said = answered(world, text, seen)
            assert said == "" or 10 < len(said) < 200
        state = world.step(state, (seen.legal[rng.below(len(seen.legal))],), rng)
        if world.model.over(state):
            break


# Looking


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("look 1", "Fireball: costs 4, spell, mage\n  Deal 6 damage to a character."),
        ("look fireball", "Fireball: costs 4"),
        ("look Ragnaros", "Ragnaros the Firelord: costs 8, 8/8, minion, neutral, legendary"),
        (
            "look m1",
            "Mana Wyrm: 3/2, printed 1/3, 1 damage, minion, mage, common, costs 1\n"
            "  Whenever you cast a spell, gain +1 attack.\n"
            "  Now: frozen.",
        ),
        ("look e1", "Voidwalker: 1/3, demon minion, warlock, costs 1\n  Taunt."),
        ("look power", "Fireblast: costs 2, power, mage\n  Deal 1 damage to a character."),
        ("look 2", "Wisp: costs 1 (printed 0), 3/3, minion"),
        ("look 9", "there is no card 9"),
        ("look m5", "there is no m5 on the board"),
        ("look Fierball", "there is no card 'Fierball'; did you mean 'Fireball'?"),
        ("look", "look at what?"),
    ],
)
def test_look_tells_the_whole_card(text, told):
    hand = "hand=Fireball,Wisp(cost+1,+2/+2) board=Mana-Wyrm(3/2,frozen)"
    assert told in plain(WORLD.answer(text, view(hand, "board=Voidwalker")))


def test_a_name_that_no_card_resembles_gets_no_suggestion():
    assert WORLD.answer("look Dr Boom", view()) == "there is no card 'Dr Boom'"


def test_other_words_are_no_questions():
    assert WORLD.answer("play 1", view("hand=Wisp")) is None


# The table


FULL = ",".join(["Senjin-Shieldmasta(frozen)"] * 7)


def test_the_fullest_table_fits_a_terminal():
    """With the line that is typed it takes 24 lines of 80 columns."""
    cards = ",".join(["Shattered-Sun-Cleric"] * 10)
    mine = f"hand={cards} board={FULL} weapon=Fiery-War-Axe secrets=Ice-Block armour=5"
    seen = view(mine, f"board={FULL} weapon=Arcanite-Reaper secrets=Ice-Barrier hand={cards}")
    lines = plain(WORLD.show_board(seen)).splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert max(map(len, WORLD.draw_view(seen).splitlines())) <= 80
    state = WORLD.parse(f"hearthstone turn=7 {MINE} {mine} {THEIRS}")
    for width in (76, 120):
        drawn = plain(WORLD.draw_to_width(state, width, 0)).splitlines()
        assert max(map(len, drawn)) == width
    assert len(plain(WORLD.show_hand(seen))) <= 80


def test_the_table_shows_what_a_player_wants_to_know():
    seen = view(f"{HAND} {BOARD}", f"{ENEMIES} hand=Wisp,Wisp weapon=Fiery-War-Axe")
    text = WORLD.draw_view(seen)
    assert "Foe: Garrosh Hellscream  30 health  mana 0/4  hand 2  deck 1" in text
    assert "weapon Fiery War Axe 3/2" in text
    assert "Turn 4, your turn" in text  # the fourth of the player, the seventh of both
    assert "m1* 4/5" in text  # it can attack
    assert " 1* (4) Fireball               spell  Deal 6 damage to a character." in text
    assert "\x1b" not in text
    assert "\x1b[" in WORLD.show_board(seen)


def test_the_cards_of_a_choice_are_shown_with_their_texts():
    world = Hearthstone(cards="competition", decks="random/random", heroes="hunter/hunter")
    top = (
        "hearthstone turn=7 p0 hero=Rexxar mana=4/4 hand=Tracking "
        "deck=Wisp,Chillwind-Yeti,Fireball,Wisp p1 hero=Rexxar mana=0/4 deck=Wisp"
    )
    state = world.parse(top)
    state = world.step(state, (world.parse_action("tracking", world.model.view(state, 0)),), Rng(1))
    seen = world.model.view(state, 0)
    text = world.draw_view(seen)
    assert "Choose a card:" in text
    assert " 2* (4) Chillwind Yeti" in text
    assert world.action_text(world.parse_action("yeti", seen)) == "choose 2"
    assert world.action_text(world.parse_action("choose 2 Chillwind Yeti", seen)) == "choose 2"
    assert world.parse(world.state_text(state)) == state
    with pytest.raises(IllegalAction, match="has to be chosen first"):
        world.parse_action("play 1", seen)


def test_cards_of_the_first_hand_are_thrown_by_name():
    world = Hearthstone(mulligan=True, first="0")
    seen = world.model.view(world.start(Rng(3)), 0)
    names = [world.names(seen).held(place) for place in range(2)]
    assert world.action_text(world.parse_action("keep", seen)) == "keep all"
    assert world.action_text(world.parse_action(f"throw {', '.join(names)}", seen)) == "throw 1,2"
    assert world.action_text(world.parse_action(f"throw {names[1]}", seen)) == "throw 2"
    assert world.action_text(world.parse_action("throw 3 1", seen)) == "throw 1,3"
    assert world.action_text(world.parse_action("throw 1 and 3", seen)) == "throw 1,3"
    assert "throw back what you do not want" in world.draw_view(seen)
    assert world.action_text(world.parse_action(f"throw 1 {names[0]} and 3", seen)) == "throw 1,3"
    with pytest.raises(InvalidAction, match="there is no '9' in your hand to throw back"):
        world.parse_action("throw 9", seen)
    with pytest.raises(IllegalAction, match="first hand comes before"):
        world.parse_action("end turn", seen)


def test_help_with_the_first_hand_names_its_cards():
    world = Hearthstone(mulligan=True, first="0")
    for seat in (0, 1):
        seen = world.model.view(world.start(Rng(3)), seat)
        names = world.names(seen)
        hand = [f"{at + 1} {names.held(at)}" for at in range(len(names.own["hand"]))]
        if seen.legal:
            told = overview(world.choices(seen), world.prompt_words(seen))
            assert all(card in told for card in hand)
            assert max(map(len, told.splitlines())) <= 79
            assert f"{hand[0]} and {hand[2]}" in about("throw", world.choices(seen))


def test_the_hero_power_has_a_star_like_cards_when_it_can_be_used():
    assert "Fireblast* (2)" in WORLD.draw_view(view())
    assert "Fireblast (2) used" in WORLD.draw_view(view("power_used=1"))
    poor = WORLD.parse(f"hearthstone turn=7 {MINE.replace('4/4', '1/4')} {THEIRS}")
    text = WORLD.draw_view(WORLD.model.view(poor, 0))
    assert "Fireblast (2)" in text
    assert "used" not in text
    assert "ready" not in text


def test_completion_offers_one_spelling_of_an_action():
    seen = view(f"{HAND} {BOARD}", ENEMIES)
    choices = WORLD.choices(seen)
    known = [text for choice in choices for text in choice.texts]
    assert len(known) == len(set(known)) == len(seen.legal)
    for choice in choices:
        assert WORLD.parse_action(choice.texts[0], seen) == choice.action
        for text in choice.accepted:
            assert choice in matching(text, choices)
    assert completions("play the", known) == ["play 2 The Coin"]
    assert "play 1 Fireball > e2 Voidwalker" in completions("pl", known)
    assert completions("attack yeti", known) == ["attack m1 Chillwind Yeti > e2 Voidwalker"]


# Texts of cards


def test_no_text_of_a_card_shows_the_language_of_cards():
    tables = profiles.load("competition")
    for card in tables.cards:
        text = card_text(card.key, tables)
        assert not set("{};_=<>") & set(text.replace("; Combo", "").replace("; it costs", "")), text
        assert card.rules == [] or text or words_only(card.rules), card.name


def words_only(rules):
    return all(rule.startswith(("needs", "power")) for rule in rules)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Fireball", "Deal 6 damage to a character."),
        ("Frostbolt", "Deal 3 damage to a character, then freeze it."),
        ("Leeroy Jenkins", "Charge. Battlecry: Summon 2 1/1 Whelps for your opponent."),
        ("Ysera", "At the end of your turn, add a random card to your hand."),
        ("Chillwind Yeti", ""),
        ("Ice Block", "Secret: when your hero takes fatal damage, prevent it, then give your hero "
                      "Immune this turn."),
    ],
)  # fmt: skip
def test_texts_of_cards_are_sentences(name, text):
    tables = profiles.load("classic")
    key = next(card.key for card in tables.cards if card.name == name and card.collectible)
    assert card_text(key, tables) == text


# At a terminal


def test_a_person_plays_at_a_terminal():
    words = ("play", "hearthstone[first=0]", "--agents", "human,hearthstone/scripted")
    with PseudoTerminal(*words, "--seed", "3") as screen:
        screen.until("Turn 1, your turn")
        screen.until("seat 0>")
        screen.type("look power\r")
        screen.until("Deal 1 damage to a character.")
        screen.type("power > face\r")
        screen.until("Fireblast costs 2, you have 1 mana")
        screen.type("?\r")
        screen.until("look CARD")
        screen.type("end\r")
        screen.until("Turn 2, your turn")
        screen.until("foe's turn begins")  # what happened stands below the board
        screen.type("quit\r")
        screen.until("left the game")
