"""What a seat is given tells it nothing about the dice, the deals or the other seats."""

import json
import re
import subprocess
import sys
from itertools import pairwise

import pytest
from folders import HELPERS
from foreseeing_agents import unfork

from ludex.agents.compose import make_agent
from ludex.arena.match.replay import replay
from ludex.arena.match.runner import play_match
from ludex.arena.match.setup import MatchSetup
from ludex.arena.match.streams import (
    MatchStreams,
    is_foreign,
    process_secret,
    read_secret,
    secret_of_match,
)
from ludex.arena.store.records import pack_record, unpack_record
from ludex.arena.study.run import play_job
from ludex.arena.study.tournament import play_many
from ludex.core import Budget, Rng
from ludex.core.errors import BadParameter, BrokenRecord
from ludex.core.record import parse_record
from ludex.planners.uniform import Uniform

AGENTS = HELPERS / "foreseeing_agents.py"
CALLS = Budget(model_calls=10)
SECRET = "000102030405060708090a0b0c0d0e0f"
FAIR = 0.75  # of the games: 45 of 60 are won by a fair player once in 10,000 times


def wins(name, games, **options):
    agents = [f"{AGENTS}:{name}", "pig/optimal"]
    matches = list(play_many("pig", agents, games=games, budget=CALLS, **options))
    assert not any(match.faults for match in matches)
    return sum(match.winners == (0,) for match in matches)


# The attacks


def test_the_inverse_of_fork_finds_the_key_of_any_forked_stream():
    # The attack is real: what was forked for a seat gave the match's own key away.
    match = Rng(12345)
    assert unfork(match.fork("seat", 1, "setup").key, "seat", 1, "setup") == match.key


def test_the_key_of_a_match_cannot_be_computed_back_from_a_seats_stream():
    assert wins("Inverts", 200, isolate=False) < FAIR * 200


def test_small_seeds_cannot_be_guessed_from_the_dice_that_were_seen():
    assert wins("GuessesTheSeed", 60, isolate=True) < FAIR * 60


# The streams


def test_no_stream_of_a_seat_is_a_fork_of_another_stream_of_the_match():
    for streams in (MatchStreams(7), MatchStreams(7, SECRET)):
        mine = streams.of_seat(0, "setup")
        others = {
            streams.of_seat(1, "setup").key,
            streams.of_seat(0, "decision", 0).key,
            streams.of_game("start").key,
            Rng(7).key,
        }
        names = [("seat", 0, "setup"), ("setup",), (0, "setup"), ("seat", 0), ()]
        assert not others & {unfork(mine.key, *some) for some in names}
        assert not others & {mine.fork(*some).key for some in names}


def test_streams_of_other_secrets_seeds_seats_and_names_are_other_streams():
    keys = [
        MatchStreams(seed, secret).of_seat(seat, *names).key
        for seed in (1, 2)
        for secret in (None, SECRET, "f" * 32)
        for seat in (0, 1)
        for names in (("setup",), ("decision", 0), ("decision", 1), ("decision", "0"))
    ]
    assert len(set(keys)) == len(keys)


def test_names_of_keyed_streams_do_not_run_into_each_other():
    secret = bytes.fromhex(SECRET)
    names = [("ab", "c"), ("a", "bc"), ("abc",), (1, 2), (12,), ("1", "2"), ("12",), (-12,), ()]
    names += [(10**30,), (10**30 + 2**64,), ("",), ("", "")]
    assert len({Rng.keyed(secret, *some).key for some in names}) == len(names)


def test_neighbouring_streams_look_unrelated():
    keys = [MatchStreams(1, SECRET).of_seat(0, "decision", n).key for n in range(2000)]
    flipped = [(one ^ other).bit_count() for one, other in pairwise(keys)]
    assert abs(sum(flipped) / len(flipped) - 32) < 0.5


def test_a_secret_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="16 bytes"):
        Rng.keyed(b"short", "seat")


def test_without_a_secret_the_games_own_streams_follow_from_the_seed_as_ever():
    assert MatchStreams(5).of_game("step", 3) == Rng(5).fork("step", 3)


# Secrets of matches


def test_a_secret_is_drawn_for_isolated_agents_from_outside_and_kept_in_the_record():
    agents = [f"{AGENTS}:Inverts", "uniform"]
    first, again, other = (
        play_match("pig", agents, seed=seed, budget=CALLS).record for seed in (1, 1, 2)
    )
    assert re.fullmatch("[0-9a-f]{32}", first.secret)
    assert first.text() == again.text()  # in one process the seed is enough
    assert first.secret != other.secret


def test_another_process_draws_another_secret():
    command = [
        sys.executable,
        "-c",
        "from ludex.arena.match.streams import *; print(process_secret())",
    ]
    drawn = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert drawn == read_secret(drawn)
    assert drawn != process_secret()


def test_matches_of_a_study_share_no_dice_even_with_equal_seeds():
    # An agent could keep what it saw in one match for the next.
    agents = [f"{AGENTS}:GuessesTheSeed", "uniform"]
    setup = MatchSetup(world="pig", agents=agents, seed=1, budget=CALLS, isolate=True)
    first, again = (play_job(setup).result.record for _ in range(2))
    assert first.secret != again.secret
    assert first.text() != again.text()


def test_the_secret_of_a_record_repeats_its_match():
    agents = [f"{AGENTS}:GuessesTheSeed", "uniform"]
    first = play_match("pig", agents, seed=1, budget=CALLS, isolate=True)
    secret = first.record.secret
    again = play_match("pig", agents, seed=1, budget=CALLS, isolate=True, secret=secret)
    assert again.record.text() == first.record.text()
    assert replay(first.record) == first.outcome


def test_a_series_with_secrets_is_the_same_with_any_number_of_workers():
    agents = [f"{AGENTS}:GuessesTheSeed", "uniform"]
    one, two = (
        [
            match.record.text()
            for match in play_many(
                "pig", agents, games=4, budget=CALLS, isolate=True, workers=workers, secret=SECRET
            )
        ]
        for workers in (1, 2)
    )
    assert one == two
    assert len({json.loads(text.split("\n")[0])["secret"] for text in one}) == 4


def test_our_own_agents_play_by_the_seed_alone():
    first, again = (
        play_match("pig", ["uniform", "one_step"], seed=3, budget=CALLS, isolate=isolate).record
        for isolate in (False, True)
    )
    assert first.secret is None
    assert first.text() == again.text()


@pytest.mark.parametrize(
    ("agent", "foreign"),
    [
        ("mcts", False),
        ("pig/optimal", False),
        ("mcts@true", False),
        (f"{AGENTS}:Inverts", True),
        (f"{AGENTS}:Inverts@true", True),
    ],
)
def test_agents_in_files_are_from_outside_alone_or_with_a_model(agent, foreign):
    assert is_foreign(make_agent(agent)) is foreign


def test_objects_of_a_users_class_are_from_outside():
    class Mine(Uniform):
        pass

    assert is_foreign(Mine())
    assert not is_foreign(Uniform())


def test_the_secret_of_one_match_of_a_series_is_not_that_of_another():
    made = [secret_of_match(SECRET, index) for index in range(3)]
    assert len({*made, SECRET}) == 4
    assert all(read_secret(one) == one for one in made)


@pytest.mark.parametrize("text", ["", "12", "x" * 32, "0" * 33])
def test_a_secret_that_is_none_is_refused_in_a_sentence(text):
    with pytest.raises(BadParameter, match="32 hexadecimal digits"):
        read_secret(text)


def test_a_packed_record_with_a_secret_is_the_same_when_unpacked():
    agents = ["uniform"]
    match = play_match("vgdl/butterflies", agents, seed=1, budget=CALLS, secret=SECRET)
    packed = pack_record(match.record)
    assert unpack_record(packed, "it").text() == match.record.text()
    assert len(packed) < len(match.record.text()) / 10  # the streams are left out


def test_a_record_with_a_damaged_secret_is_refused():
    record = play_match("pig", ["uniform", "uniform"], budget=CALLS, secret=SECRET).record
    with pytest.raises(BrokenRecord, match="'secret' has the impossible value"):
        parse_record(record.text().replace(SECRET, "nothing"))
