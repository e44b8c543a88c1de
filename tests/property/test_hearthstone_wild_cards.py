"""Cards that no author would write: games with them stay whole, mistakes are one sentence.

`python tests/property/hearthstone_wild_cards.py --decks 100000` is the long form of the first.
"""

from __future__ import annotations

import random
import re

import pytest
from hearthstone_wild_cards import Table, play, wild_cards

from ludex.cli.app import main
from ludex.core import Rng
from ludex.core.errors import LudexError
from ludex.worlds.hearthstone import Hearthstone, profiles
from ludex.worlds.hearthstone.language.compiler import Compiler
from ludex.worlds.hearthstone.language.lexer import TOKEN
from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.wording import card_text

SETS = range(1_000_000, 1_000_040)
GAMES = 10
MUTATIONS = 2500
ODD = [
    *("", "\0", "\x1b[31m", "²", "٣", "999999999999", "-1", "0", "1/", "/1", "1/1/1", '"', '""'),
    *("#", "{", "}", "(", ")", "*", ":", ";", "\ufeff", "\u2028", "😀", "+", "-", "100", "else"),
    *("+100/+1", "1 to", "A" * 500, "{ " * 150, "repeat 2 { " * 30, "if combo { " * 30),
]


@pytest.mark.parametrize("first", SETS[::10])
def test_every_state_of_games_with_wild_cards_is_written_and_read_back(first):
    for seed in range(first, first + 10):
        table, dice = Table(profiles.with_text("classic", wild_cards(seed))), random.Random(seed)
        for game in range(GAMES):
            play(table.model(dice), GAMES * seed + game)


def test_a_world_of_wild_cards_and_decks_in_files_plays_to_its_end(tmp_path):
    cards, deck = tmp_path / "wild.cards", tmp_path / "wild.deck"
    cards.write_text(wild_cards(5), encoding="utf-8")
    tables = profiles.load("classic", (str(cards),))
    keys = [card.key for card in tables.cards if card.profile == profiles.OWN and card.collectible]
    deck.write_text("hero mage\nmixed\n" + "".join(f"2 {key}\n" for key in keys[:15]))
    world = Hearthstone(file=str(cards), decks=f"{deck}/{deck}", turn_limit=30)
    rng = Rng(5)
    state = world.start(rng)
    while world.model.outcome(state) is None:
        assert world.parse(str(state)) == state
        assert world.parse(world.state_text(state)) == state
        view = world.model.view(state, *world.model.to_act(state))
        assert [choice.action for choice in world.choices(view)] == list(view.legal)
        assert world.show_board(view)
        assert world.observation_spec.shape == world.observation(world.model.view(state, 0)).shape
        legal = world.model.legal(state, *world.model.to_act(state))
        state = world.step(state, (legal[rng.below(len(legal))],), rng)
    assert world.draw(state)


@pytest.mark.parametrize("seed", SETS[:5])
def test_every_wild_card_has_a_text_in_words(seed):
    tables = profiles.with_text("classic", wild_cards(seed))
    for card in tables.cards:
        text = card_text(card.key, tables)
        assert "\n" not in text
        assert text.endswith(".") or not text


# Mistakes


def known_cards() -> str:
    """Cards and pools that texts may name: headlines alone, few enough to be read often."""
    tokens = profiles.FOLDER / "classic" / "tokens.cards"
    lines = tokens.read_text(encoding="utf-8").splitlines()
    heads = [line for line in lines if line[:1].isalpha()]
    keys = {line.split()[1] for line in heads}
    return "\n".join(
        line
        for line in heads
        if not line.startswith("pool ") or keys >= set(line.partition(": ")[2].split())
    )


def blocks() -> list[str]:
    """Cards with all their lines, ours and wild ones."""
    texts = [path.read_text(encoding="utf-8") for path, _ in profiles.card_paths("competition")]
    texts += [wild_cards(seed) for seed in range(8)]
    return [block for text in texts for block in re.split(r"\n(?=\w)", text) if block.strip()]


def mutated(block: str, vocabulary: list[str], dice: random.Random) -> str:
    words = re.findall(r'"[^"]*"|\s+|[\w/+.\'-]+|\S', block)
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        at, other = dice.randrange(len(words)), dice.randrange(len(words))
        match dice.randrange(7):
            case 0 | 1:
                words[at] = dice.choice(vocabulary)
            case 2:
                words[at] = dice.choice(ODD)
            case 3:
                words.insert(at, f" {dice.choice(vocabulary)} ")
            case 4:
                words[at] = ""
            case 5:
                words[at], words[other] = words[other], words[at]
            case 6:
                words[at] = chr(dice.randrange(1, 0x3000))
    text = re.sub(r"\b([A-Z]\w*_\w+)", lambda key: dice.choice((key[1], "FZ_1")), "".join(words))
    return re.sub(r"^(changed )?(\w+ )\S+", r"\2FZ_2", text, count=1)


def read(text: str, known: str) -> Tables:
    compiler = Compiler()
    compiler.add(known, "classic", "classic")
    compiler.add(text, "own.cards", profiles.OWN)
    return compiler.finish()


@pytest.mark.parametrize("seed", range(4))
def test_mutated_cards_are_read_or_refused_in_one_sentence(seed):
    known, cards, dice = known_cards(), blocks(), random.Random(seed)
    vocabulary = sorted({word for block in cards for word in TOKEN.findall(block)})
    outcomes = {"read": 0, "refused": 0}
    for _ in range(MUTATIONS // 4):
        text = mutated(dice.choice(cards), vocabulary, dice)
        try:
            read(text, known)
            outcomes["read"] += 1
        except LudexError as error:
            message = str(error)
            assert message.startswith("own.cards"), (message, text)
            assert message.isprintable(), (message, text)
            assert len(message) < 700, (message, text)
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 0


def test_mutated_files_are_checked_without_a_traceback(tmp_path, capsys):
    cards, dice = blocks(), random.Random(7)
    vocabulary = sorted({word for block in cards for word in TOKEN.findall(block)})
    path = tmp_path / "own.cards"
    for _ in range(15):
        text = mutated(dice.choice(cards), vocabulary, dice)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        assert main(["hearthstone", "check", str(path)]) in (0, 1)
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
