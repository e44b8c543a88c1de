"""Records and replays: round trips, differences, and damage of every kind."""

import gzip
import json
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.arena.match.replay import replay
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import play_match
from ludex.arena.match.watcher import Watcher
from ludex.core import registry
from ludex.core.errors import BrokenRecord, LudexError, NewerRecord, ReplayDiffers
from ludex.core.record import HASH_EVERY, parse_record, read_record

WORLDS = {
    "nim": 2,
    "pig[target=30]": 2,
    "kuhn_poker": 2,
    "goofspiel[cards=4]": 2,
    "connect_four": 2,
    "parley": 3,
}


@cache
def played(world, seed=1):
    return play_match(world, ["uniform"] * WORLDS[world], seed=seed, budget="9calls")


def copied(world="nim"):
    """A record that a test may change."""
    return parse_record(played(world).record.text())


@pytest.mark.parametrize("world", WORLDS)
def test_a_record_read_back_is_the_record(world, tmp_path):
    record = played(world).record
    for name in ("game.jsonl", "game.jsonl.gz"):
        record.write(tmp_path / name)
        assert read_record(tmp_path / name) == record
    assert sorted(file.name for file in tmp_path.iterdir()) == ["game.jsonl", "game.jsonl.gz"]


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("seed", range(5))
def test_a_replay_ends_as_the_match_did(world, seed):
    result = played(world, seed)
    assert replay(parse_record(result.record.text())) == result.outcome


def test_a_truncated_match_replays():
    result = play_match("nim", ["uniform"] * 2, budget="9calls", rules=MatchRules(max_ticks=2))
    assert replay(result.record).truncated


def test_a_record_has_a_hash_every_fifty_steps_and_at_the_end():
    moments = played("pig[target=30]").record.moments
    long = play_match("pig[target=100]", ["uniform"] * 2, budget="9calls", seed=2)
    hashes = [moment.hash for moment in long.record.moments if moment.hash]
    assert len(hashes) == long.ticks // HASH_EVERY + 1
    assert long.ticks > HASH_EVERY
    assert moments[-1].hash is not None


def test_only_worlds_that_sample_chance_keep_the_stream_of_each_step():
    steps = [moment for moment in played("parley").record.moments if moment.actions]
    assert all(moment.key for moment in steps)
    steps = [moment for moment in played("pig[target=30]").record.moments if moment.actions]
    assert not any(moment.key for moment in steps)


def test_a_replay_needs_neither_seed_nor_agents():
    record = copied("parley")
    record.seed = 999
    record.agents = ["gone", "gone", "gone"]
    record.agent_versions = ["gone", "gone", "gone"]
    assert replay(record) == played("parley").outcome


class Steps(Watcher):
    def __init__(self):
        self.seen = []

    def after_step(self, step):
        self.seen.append(("step", str(step.before), step.actions, step.events, str(step.after)))

    def after_chance(self, draw):
        self.seen.append(("chance", str(draw.before), draw.outcome, draw.events, str(draw.after)))


@pytest.mark.parametrize("world", ["nim", "parley"])
def test_watchers_of_a_replay_see_what_watchers_of_the_match_saw(world):
    live, again = Steps(), Steps()
    agents = ["uniform"] * WORLDS[world]
    result = play_match(world, agents, budget="9calls", watchers=[live])
    replay(result.record, watchers=[again])
    assert live.seen == again.seen


# Differences


def changed(record, place, **changes):
    record.moments[place] = replace(record.moments[place], **changes)
    return record


def test_a_replay_names_the_step_of_an_action_that_is_not_legal():
    record = changed(copied(), 1, actions=("take 9 from 0",))
    with pytest.raises(ReplayDiffers, match="differs at step 1: seat 1 cannot play 'take 9 from"):
        replay(record)


def test_a_replay_names_a_hash_that_differs():
    record = copied()
    record = changed(record, len(record.moments) - 1, hash="0" * 16)
    with pytest.raises(ReplayDiffers, match=rf"step {record.steps}: .* was '0000000000000000'"):
        replay(record)


def test_a_replay_names_an_outcome_of_chance_that_is_not_listed():
    with pytest.raises(ReplayDiffers, match="at step 1: chance cannot bring '7' here"):
        replay(changed(copied("pig[target=30]"), 1, chance="7"))


def test_a_replay_notices_chance_that_is_not_pending():
    record = changed(copied(), 0, actions=None, chance="7")
    with pytest.raises(ReplayDiffers, match="at step 0: no chance is pending"):
        replay(record)


def test_a_replay_notices_a_wrong_number_of_actions():
    record = changed(copied(), 0, actions=("take 1 from 0", "take 1 from 0"))
    with pytest.raises(ReplayDiffers, match="1 seats act, were 2"):
        replay(record)


def test_a_replay_notices_another_outcome():
    record = copied()
    record.outcome = replace(record.outcome, winners=(1 - record.outcome.winners[0],))
    with pytest.raises(ReplayDiffers, match="the outcome is"):
        replay(record)


def test_a_replay_notices_steps_that_are_missing():
    record = copied()
    record.steps -= 1
    with pytest.raises(ReplayDiffers, match=f"the game has {record.steps + 1} steps"):
        replay(record)


def test_a_replay_notices_a_game_that_goes_on():
    record = copied()
    record.moments = [moment for moment in record.moments if moment.actions][:-1]
    record.steps -= 1
    with pytest.raises(ReplayDiffers, match="the game goes on, but the record ends"):
        replay(record)


def test_a_record_without_the_hash_of_its_last_state_is_not_verified():
    record = copied()
    record.moments = [moment for moment in record.moments if moment.hash is None]
    with pytest.raises(BrokenRecord, match="lost the hash of its last state"):
        replay(record)


def test_a_world_the_registry_does_not_know_is_given_to_the_replay():
    record = copied()
    with pytest.raises(ReplayDiffers, match=r"not of 'nim\[heaps=1-1\]'"):
        replay(record, world=registry.world("nim[heaps=1-1]"))
    assert replay(record, world=registry.world(record.world)) == record.outcome


def test_a_replay_notices_moves_after_the_end():
    record = copied()
    record.moments.append(record.moments[0])
    with pytest.raises(ReplayDiffers, match="0 seats act, were 1"):
        replay(record)


def test_a_record_of_another_version_of_the_world_says_so():
    record = copied()
    record.world_version = 7
    with pytest.raises(ReplayDiffers, match=r"this record is of nim@7, and here nim has version"):
        replay(record)


# Damage


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"world": "nym"}, "the world of this record cannot be made: no world named 'nym'"),
        ({"world": "nim[heaps=x]"}, "the world of this record cannot be made"),
        ({"start": "what"}, "the first state of this record cannot be read"),
        ({"agents": ["a"], "agent_versions": ["a"]}, "names 1 agents for the 2 seats"),
        ({"outcome": None}, "has no outcome"),
    ],
)
def test_a_record_that_makes_no_sense_is_explained(changes, words):
    record = copied()
    for name, value in changes.items():
        setattr(record, name, value)
    with pytest.raises(BrokenRecord, match=words):
        replay(record)


def test_a_record_without_its_stream_is_broken():
    record = copied("parley")
    place = next(i for i, moment in enumerate(record.moments) if moment.actions)
    with pytest.raises(BrokenRecord, match="step 0 of this record has no usable stream: 'zz'"):
        replay(changed(record, place, key="zz"))


def rows():
    return [json.loads(line) for line in played("nim").record.lines()]


ENDLESS = {"winners": [0], "returns": [10**400, 0], "reason": "", "truncated": False}


def text_of(changed_rows):
    return "".join(json.dumps(row) + "\n" for row in changed_rows)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a record"),
        ("hello", "is not a record"),
        ("{}", "is not a record"),
        ("[1]\n", "is not a record"),
        ('{"ludex_record": "one"}', "is not a record"),
        (text_of(rows()[:-1]), "has no end line"),
        (text_of(rows())[:-20], "is cut short in line"),
        (text_of([*rows()[:2], {"moves": 1}, *rows()[2:]]), "record:3: 'moves' does not belong"),
        (text_of([*rows()[:2], {}, *rows()[2:]]), "record:3: one of 'actions', 'chance'"),
        (text_of([rows()[0], {"actions": [1]}, rows()[-1]]), "record:2: 'actions' holds"),
        (text_of([rows()[0] | {"seed": "1"}, rows()[-1]]), "record:1: 'seed' has the impossible"),
        (text_of([rows()[0] | {"agents": ["\ud800"] * 2}, rows()[-1]]), "record:1: 'agents' holds"),
        (text_of([rows()[0], {"end": {"steps": 10**400}}]), "record:2: 'steps' has the impossible"),
        (
            text_of([rows()[0], {"end": rows()[-1]["end"] | {"outcome": ENDLESS}}]),
            "record:2: 'returns' holds",
        ),
        (text_of([rows()[0], {"end": 3}]), "record:2: 'steps' is missing"),
        (text_of([rows()[0], {"end": {"steps": 1, "faults": []}}]), None),
    ],
)
def test_damaged_text_is_explained(text, words):
    if words is None:
        assert parse_record(text).outcome is None
        return
    with pytest.raises(BrokenRecord, match=words):
        parse_record(text)


def test_a_missing_header_entry_is_named():
    header = rows()[0]
    del header["start"]
    with pytest.raises(BrokenRecord, match="record:1: 'start' is missing"):
        parse_record(text_of([header, rows()[-1]]))


def test_a_record_of_a_newer_format_says_so():
    with pytest.raises(NewerRecord, match="newer than 1; update ludex"):
        parse_record(text_of([rows()[0] | {"ludex_record": 2}, *rows()[1:]]))


def test_files_that_are_no_records_are_explained(tmp_path):
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    packed = gzip.compress(played("nim").record.text().encode())
    (tmp_path / "short.gz").write_bytes(packed[:-12])
    (tmp_path / "bad.gz").write_bytes(packed[:20] + b"\0" * 20 + packed[40:])
    for name in ("nowhere", "binary", "short.gz", "bad.gz", "."):
        with pytest.raises(BrokenRecord, match=name if name != "." else "record"):
            read_record(tmp_path / name)


def test_a_record_that_cannot_be_written_is_explained(tmp_path):
    with pytest.raises(LudexError, match="cannot write the record"):
        played("nim").record.write(tmp_path / "no" / "folder.jsonl")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=5,
)


def survives(text):
    """Only errors made for users may come out."""
    message = "none"
    try:
        replay(parse_record(text))
    except LudexError as error:
        message = str(error)
    assert len(message.splitlines()) == 1


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(WORLDS)), st.data())
def test_a_record_with_changed_values_never_shows_a_traceback(world, data):
    lines = [json.loads(line) for line in played(world).record.lines()]
    for _ in range(data.draw(st.integers(1, 3))):
        row = lines[data.draw(st.integers(0, len(lines) - 1))]
        while row and isinstance(row, dict | list):
            keys = sorted(row) if isinstance(row, dict) else range(len(row))
            key = data.draw(st.sampled_from(list(keys)))
            inner = row[key]
            if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
                row[key] = data.draw(JSON)
                break
            row = inner
    survives("".join(json.dumps(line) + "\n" for line in lines))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(WORLDS)), st.data())
def test_a_record_with_moved_lines_never_shows_a_traceback(world, data):
    lines = list(played(world).record.lines())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(lines) - 1))
        line = lines.pop(place)
        for _ in range(data.draw(st.integers(0, 2))):
            lines.insert(data.draw(st.integers(0, len(lines))), line)
        if not lines:
            break
    survives("\n".join(lines))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(WORLDS)), st.data())
def test_a_file_with_damaged_bytes_never_shows_a_traceback(tmp_path_factory, world, data):
    content = bytearray(played(world).record.text().encode())
    if data.draw(st.booleans()):
        content = bytearray(gzip.compress(bytes(content), mtime=0))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        if not content:
            break
    file = tmp_path_factory.getbasetemp() / "damaged"
    file.write_bytes(content)
    try:
        record = read_record(file)
    except LudexError:
        return
    survives(record.text())


def test_a_game_that_was_cut_short_has_no_other_outcome_than_its_limit_gives():
    cut = play_match("pig", ["uniform", "uniform"], rules=MatchRules(max_ticks=5), budget="9calls")
    assert replay(cut.record) == cut.outcome
    cut.record.outcome = replace(cut.outcome, winners=(0,), returns=(1.0, -1.0))
    with pytest.raises(ReplayDiffers, match="the game was cut short"):
        replay(cut.record)
