"""Files that an earlier ludex wrote are read, replayed and used as they were.

The files are in `tests/kept`, and its README says what each of them is. Everything here goes
through the command line and the registry, as scripts do.
"""

from __future__ import annotations

import csv
import gzip
import json
import shutil
from collections import defaultdict

import pytest

import ludex
from helpers.former_reasons import lines_in_former_words
from kept import write
from kept.write import KEPT, LEARNERS, MATCHES, STUDIES, command
from ludex.core import registry
from ludex.testing import signature

AIMS = "a new event, `aim`, tells what a card, a hero power or an attack is aimed at"
THROUGH_STATES = "chance comes from one stream, each child is made after the other and counts once"
OLETS = "nodes are made when an action is taken for the second time, and one stream is drawn from"
SEQUENCES = "sequences are played one by one, tick by tick, and drawn from one stream"
TO_THE_END = "its rollouts go to the end of the game, and states come from a stream of their own"
OPEN_LOOP = "the path down the tree is played tick by tick, also where actions stay the same"
AFTERSTATES = "with transpositions an action counts all that passed through what it leads to"
STATES = ("a_star", "beam", "best_first", "breadth_first", "iterated_width")
CHANGED: dict[str, str] = {
    **dict.fromkeys(STATES, THROUGH_STATES),
    **{
        f"{study}: {agent}": THROUGH_STATES
        for study in ("video games", "tiles", "two players", "at once")
        for agent in STATES
    },
    "tiles: portfolio": "it asks best_first",
    "two players: uniform": "it plays against them",
    "at once: uniform": "it plays against them",
    "hidden: uniform": "it plays against them",
    **{
        f"{study}{agent}": SEQUENCES
        for study in ("", "two players: ", "at once: ")
        for agent in ("rhea", "random_search", "rhea_reference")
    },
    "rmhc": SEQUENCES,
    "two players: rmhc": SEQUENCES,
    "rhea(population=4,statistical_tree=true)": SEQUENCES,
    "tiles: rhea": SEQUENCES,
    "tiles: rhea@end_to_end(steps=60)": SEQUENCES,
    "models of life: rhea@local(file=models/local_forest.npz)": SEQUENCES,
    "hidden: rhea@believed": SEQUENCES,
    "olets": OLETS,
    "two players: olets": OLETS,
    "at once: olets": OLETS,
    "hidden: olets@believed": OLETS,
    "ismcts": TO_THE_END,
    "hidden: ismcts": TO_THE_END,
    "open_loop_mcts": OPEN_LOOP,
    "mcts(transpositions=true,final=value)": AFTERSTATES,
    "hearthstone": AIMS,
    "hearthstone[cards=competition]": AIMS,
    "hearthstone[cards=nora2015,pool=nora,places=all]": AIMS,
    "hearthstone[mulligan=true,actions=staged,first=0]": AIMS,
    "macro_mcts": "it plays goofspiel, which it refused: two that act at once",
    "tiles: tovo2": "it crashed in sokoban, which declared the trait `objects` but lists none",
}
"""What is not as it was when the files were written, with the reason.

Keys: the name of a record (`nim.jsonl`), which is refused since its world has another version;
a name in `signatures.json`; or `STUDY: AGENT` of `played.csv`. An entry that is not needed fails.
"""

DECIDED_OTHERWISE: dict[str, str] = {
    "sokoban.jsonl": THROUGH_STATES,
    "life.jsonl.gz": SEQUENCES,
    "vgdl_two_thieves.jsonl.gz": f"{OLETS}; {SEQUENCES}",
    "vgdl_aliens.jsonl.gz": OPEN_LOOP,
    "parley.jsonl": TO_THE_END,
    "kuhn_poker.jsonl": TO_THE_END,
    "catan.jsonl.gz": TO_THE_END,
}
"""Records with an agent that decides otherwise now, with the reason: they replay all the same.

An entry that is not needed fails.
"""

NEW_DEFAULTS = (
    "/parts/planners/ismcts/rollout_depth: was '200', is 'none'",
    "/parts/planners/mcts/rollout_depth: was '1000', is 'none'",
)
"""Rollouts go to the end of the game."""

REWORDED = {
    "life.jsonl.gz": ("life goes on", "cells live after 20 ticks"),
    "vgdl_aliens.jsonl.gz": ("SpriteCounter avatar 0", "the cannon is destroyed"),
    "vgdl_butterflies.jsonl.gz": ("SpriteCounter butterfly 0", "all butterflies are caught"),
    "vgdl_two_thieves.jsonl.gz": ("SpriteCounter avatar 1", "a thief died"),
    "catan.jsonl.gz": ("10 points", "reached 10 points"),
    "hearthstone.jsonl.gz": ("the other hero fell", "the hero of seat 1 died"),
    "nora.jsonl.gz": ("the other hero fell", "the hero of seat 1 died"),
    "local.jsonl.gz": ("no move is left", "the limit of 20 moves was reached"),
    "object_based.jsonl.gz": ("SpriteCounter city 0", "all cities are destroyed"),
}
"""Reasons of ends that are written for people now: as the record has them, and as they are."""


@pytest.fixture(autouse=True)
def in_the_folder(monkeypatch):
    """Model files are named from there."""
    monkeypatch.chdir(KEPT)


def kept(name):
    return json.loads((KEPT / name).read_text())


def rounded(value):
    """A document whose numbers leave out the last bits, which differ between machines."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one) for one in value]
    return float(f"{value:.6g}") + 0.0 if isinstance(value, float) else value


def has_all_of(found, expected):
    """Whether a document has everything of an earlier one; it may have more."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            name in found and has_all_of(found[name], one) for name, one in expected.items()
        )
    return rounded(found) == rounded(expected)


# Records


@pytest.mark.parametrize("name", MATCHES)
def test_a_kept_record_replays_to_its_outcome(name, capsys):
    if name in CHANGED:
        command("replay", f"records/{name}", status=1)
        assert "has version" in capsys.readouterr().err
        return
    assert has_all_of(write.replayed(f"records/{name}"), kept("records.json")[name]["replayed"])


def lines_of(path):
    """The lines of a record, without the version of the package, and in the words of then.

    The state that it starts from stands as its hash: what is the same may be written otherwise.
    """
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    first = lines[0]
    del first["package_version"], first["agent_versions"]
    world = registry.world(first["world"])
    first["start"] = world.fingerprint(world.parse(first["start"]))
    in_former_words(lines[-1]["end"]["outcome"], path.name)
    return rounded(lines)


def in_former_words(ended, name):
    """Give the end of a match the reason that its record has, where it is worded anew."""
    then, now = REWORDED.get(name, (None, None))
    if ended["reason"] == now:
        ended["reason"] = then


@pytest.mark.parametrize("name", [name for name in MATCHES if name not in CHANGED])
def test_the_match_of_a_kept_record_is_played_again_the_same(name, tmp_path):
    """Decisions with their evidence, chance, streams and hashes, line by line."""
    record = tmp_path / name
    found = json.loads(command(*write.play_words(name, record)))
    for game in found["games"]:
        in_former_words(game, name)
    here, there = lines_of(record), lines_of(KEPT / "records" / name)
    is_same = len(here) == len(there) and all(map(has_all_of, here, there))  # notes may be more
    is_same = is_same and has_all_of(
        write.without_times(found), kept("records.json")[name]["played"]
    )
    assert is_same is (name not in DECIDED_OTHERWISE)


# Studies


@pytest.fixture
def store(request, tmp_path):
    """A copy of a kept store with the files of its study."""
    for path in KEPT.glob(f"{request.param}.*"):
        shutil.copy(path, tmp_path)
    return tmp_path / f"{request.param}.sqlite"


both = pytest.mark.parametrize("store", ["small", "faulty"], indirect=True)


@both
def test_a_kept_store_is_verified(store):
    found = json.loads(command("arena", "verify", store, "--share", "all", "--json"))
    assert found["differences"] == []
    assert found["replayed"] == found["matches"] > 0


@both
def test_a_kept_store_shows_what_it_showed(store):
    assert has_all_of(write.shown_store(store), kept(f"{store.stem}.json"))


@both
def test_a_match_of_a_kept_store_replays(store):
    assert json.loads(command("replay", f"{store}#1", "--json"))["verified"]


@pytest.mark.parametrize("store", ["small"], indirect=True)
def test_a_kept_store_has_nothing_left_to_play(store):
    before = write.exported(store, store.parent)
    with (KEPT / "records" / "nim.jsonl").open() as file:
        version = json.loads(file.readline())["package_version"]
    mixed = [] if version == ludex.__version__ else ["--mixed"]
    words = ("arena", "run", store.with_suffix(".toml"), "--workers", 1, "--json", *mixed)
    found = json.loads(command(*words))
    assert found["played"] == found["scheduled"] == kept("small.json")["played"]
    assert write.exported(store, store.parent) == before


def kept_rows():
    rows = defaultdict(list)
    with (KEPT / "played.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            rows[row["study"]].append(row)
    return rows


def told_apart(rows):
    """What the seats of each agent came to; numbers in texts are compared as they are."""
    found = defaultdict(list)
    for row in rows:
        found[f"{row['study']}: {row['agent']}"].append(row)
    return found


@pytest.mark.parametrize("kind", STUDIES)
def test_every_agent_plays_as_it_did(kind, tmp_path):
    """Results, model calls, iterations and depths of short matches in all kinds of worlds."""
    here, there = told_apart(write.played(kind, tmp_path)), told_apart(kept_rows()[kind])
    assert set(here) == set(there)
    different = {name for name in there if here[name] != there[name]}
    assert different == {name for name in CHANGED if name in there}


# Models


@pytest.mark.parametrize("name", LEARNERS)
def test_a_kept_model_predicts_the_same_states(name):
    assert write.predictions(f"models/{name}.npz") == kept("models.json")[name]["predictions"]


@pytest.mark.parametrize("name", LEARNERS)
def test_a_kept_model_is_as_accurate_as_it_was(name, tmp_path):
    found = write.shown_model(f"models/{name}.npz", tmp_path / "page.html")
    assert has_all_of(found, kept("models.json")[name]["shown"])


# What scripts rely on


def test_signatures_are_as_they_were_in_the_former_words(monkeypatch):
    """Only reasons of ends are worded anew since: with the words of then, all are the same."""
    monkeypatch.setattr(signature, "state_lines", lines_in_former_words)
    here, there = write.signatures(), kept("signatures.json")
    different = {name for name in there if here.get(name) != there[name]}
    assert different == {name for name in CHANGED if name in there}


def test_all_parts_parameters_commands_and_options_are_still_there():
    assert sorted(missing(write.doors(), kept("doors.json"))) == list(NEW_DEFAULTS)


def missing(here, there, path=""):
    """What a document of names lacks of an earlier one."""
    if isinstance(there, dict):
        for name, inside in there.items():
            if name not in here:
                yield f"{path}/{name}"
            else:
                yield from missing(here[name], inside, f"{path}/{name}")
    elif isinstance(there, list):
        yield from (f"{path}/{name}" for name in there if name not in here)
    elif here != there:
        yield f"{path}: was {there!r}, is {here!r}"
