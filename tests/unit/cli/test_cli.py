"""The command line, called in this process: answers, JSON shapes and small promises."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from folders import HELPERS

from ludex.bench import timing
from ludex.core import Rng, registry
from ludex.core.record import read_record


def test_list_names_worlds_with_status_and_summary(answer):
    found = answer("list")
    assert set(found) == {"worlds", "games", "planners", "agents", "models", "studies"}
    nim = next(world for world in found["worlds"] if world["name"] == "nim")
    assert nim["status"] == "exact"
    assert nim["summary"] == "Two players take matches from heaps; who takes the last one wins."


def test_published_experiments_are_listed_under_both_of_their_names(answer):
    listed = answer("list", "studies")["studies"]
    assert "EXP-1" in [one["name"] for one in listed]
    assert answer("list", "experiments") == {"experiments": listed}


def test_a_summary_is_the_first_sentence_even_on_several_lines(answer):
    summaries = [
        part["summary"] for kind in ("planners", "models") for part in answer("list")[kind]
    ]
    assert all(summary.endswith(".") for summary in summaries)


def test_list_of_all_of_one_kind_shows_parameters(run):
    status, out, _ = run("list", "planners", "--all")
    assert status == 0
    assert "exploration=" in out


def test_a_part_that_cannot_be_imported_is_listed_as_broken_with_the_reason(answer, monkeypatch):
    from ludex.core import registry

    places = {**registry.places("planners"), "absent": "ludex.planners.absent:Absent"}
    monkeypatch.setattr(registry, "places", lambda group: places if group == "planners" else {})
    broken = next(
        part for part in answer("list", "planners")["planners"] if part["name"] == "absent"
    )
    assert broken["status"] == "broken"
    assert "ludex.planners.absent" in broken["summary"]


def test_play_answers_with_the_documented_shape(answer):
    played = answer("play", "nim", "--agents", "nim/perfect,uniform", "--budget", "50calls",
                    "--games", 3, "--seed", 5, "--in-process")  # fmt: skip
    assert played["world"] == "nim"
    assert played["agents"] == ["nim/perfect", "uniform"]
    assert len(played["games"]) == 3
    # 3 ^ 4 ^ 5 = 2, so the first seat wins every game that it plays perfectly.
    assert played["wins"] == [3, 0]
    for game in played["games"]:
        assert game["winners"] == [0]
        assert game["returns"] == [1.0, -1.0]
        assert game["score"] == [1.0, -1.0]
        assert game["reason"] == "took the last match"
        assert game["ticks"] >= 3


def test_a_single_game_has_the_seed_that_was_given(answer):
    played = answer("play", "nim", "--agents", "uniform,uniform", "--seed", 17, "--in-process")
    assert played["games"][0]["seed"] == 17


def test_a_game_of_a_series_can_be_repeated_alone_by_its_seed(answer):
    base = ("play", "pig", "--agents", "uniform,uniform", "--budget", "9calls", "--in-process")
    game = answer(*base, "--games", 3, "--seed", 1)["games"][2]
    assert answer(*base, "--seed", game["seed"])["games"][0] == game


def test_rotated_agents_keep_their_wins(answer):
    played = answer("play", "nim", "--agents", "nim/perfect,uniform", "--budget", "9calls",
                    "--games", 4, "--rotate", "--in-process")  # fmt: skip
    assert [game["entrants"] for game in played["games"]] == [[0, 1], [1, 0], [0, 1], [1, 0]]
    perfect = sum(0 in [game["entrants"][seat] for seat in game["winners"]]
                  for game in played["games"])  # fmt: skip
    assert played["wins"][0] == perfect >= 2


def test_play_begins_in_a_given_state(answer):
    played = answer("play", "nim", "--agents", "nim/perfect,uniform", "--in-process",
                    "--from", "0 0 4 turn=1")  # fmt: skip
    assert played["games"][0]["ticks"] >= 1
    played = answer("play", "nim", "--agents", "uniform,nim/perfect", "--in-process",
                    "--from", "0 0 4 turn=1")  # fmt: skip
    assert played["games"][0]["winners"] == [1]
    assert played["games"][0]["ticks"] == 1


def test_play_shows_the_last_picture_and_the_winner(run):
    status, out, _ = run("play", "nim", "--agents", "nim/perfect,uniform", "--in-process")
    assert status == 0
    assert "winner: seat 0 nim/perfect (took the last match)" in out


def test_play_of_many_games_shows_rates_with_intervals(run):
    status, out, _ = run("play", "nim", "--agents", "nim/perfect,uniform", "--in-process",
                         "--games", 10)  # fmt: skip
    assert status == 0
    assert "100.0 %" in out
    assert "72 - 100 %" in out  # Wilson for 10 of 10: 0.722 to 1


def test_watch_without_a_terminal_prints_every_picture(run):
    status, out, _ = run("play", "nim[heaps=1-1]", "--agents", "uniform,uniform", "--watch",
                         "--in-process")  # fmt: skip
    assert status == 0
    # Two heaps of one match: the game has exactly two moves.
    assert [f"tick {n}" in out for n in range(4)] == [True, True, True, False]
    assert "seat 0 uniform plays take 1 from" in out


def test_watch_shows_what_spoke_for_a_decision(run):
    status, out, _ = run("play", "nim[heaps=2]", "--agents", "nim/perfect,uniform", "--watch",
                         "--in-process")  # fmt: skip
    assert status == 0
    assert "> take 2 from 0 ████████████████████████  +1.00" in out


def test_several_records_are_numbered_and_replay(run, answer, tmp_path):
    status, _, _ = run("play", "pig", "--agents", "uniform,uniform", "--in-process",
                       "--games", 2, "--record", tmp_path / "game.jsonl")  # fmt: skip
    assert status == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["game-0.jsonl", "game-1.jsonl"]
    assert answer("replay", tmp_path / "game-1.jsonl")["verified"] is True


@pytest.fixture
def record(run, tmp_path) -> Path:
    file = tmp_path / "nim.jsonl"
    run("play", "nim", "--agents", "uniform,uniform", "--in-process", "--record", file)
    return file


def test_replay_gives_the_outcome_of_the_record(answer, record):
    replayed = answer("replay", record)
    written = read_record(record)
    assert replayed["winners"] == list(written.outcome.winners)
    assert replayed["ticks"] == written.steps


def test_replay_watches_as_play_does(run, record):
    status, out, _ = run("replay", record, "--watch")
    assert status == 0
    assert "tick 1" in out


@pytest.mark.parametrize("option", [(), ("--strip",)])
def test_a_film_is_sound_xml_with_a_picture_of_every_state(run, record, tmp_path, option):
    film = tmp_path / "film.svg"
    status, _, _ = run("replay", record, "--out", film, *option)
    assert status == 0
    root = ElementTree.fromstring(film.read_text())
    pictures = root.findall(".//{http://www.w3.org/2000/svg}svg")
    steps = read_record(record).steps
    if option:
        assert len(pictures) == steps + 1
    else:  # a second for each, and three for the last
        assert f'dur="{steps + 3}s"' in film.read_text()


def test_replay_says_where_a_record_differs(run, record):
    lines = record.read_text().splitlines()
    moved = next(n for n, line in enumerate(lines) if "actions" in line)
    other = '{"actions": ["take 9 from 9"]}'
    record.write_text("\n".join([*lines[:moved], other, *lines[moved + 1 :]]) + "\n")
    status, _, err = run("replay", record)
    assert status == 1
    assert err == "ludex: replay differs at step 0: seat 0 cannot play 'take 9 from 9'\n"


def test_signature_tells_one_world_from_another_and_repeats(answer):
    first = answer("signature", "nim", "pig", "uniform")
    assert first == answer("signature", "nim", "pig", "uniform")
    assert len({row["signature"] for row in first["signatures"]}) == 3


def test_signature_of_a_world_depends_on_its_options(answer):
    rows = answer("signature", "nim", "nim[misere=true]")["signatures"]
    assert rows[0]["signature"] != rows[1]["signature"]


def test_signature_of_a_planner_depends_on_what_it_decides(answer):
    names = ("mcts", "mcts(exploration=0.01)", "one_step")
    rows = answer("signature", *names)["signatures"]
    assert len({row["signature"] for row in rows}) == 3


def test_signature_changes_when_a_rule_does(answer, monkeypatch):
    from ludex.worlds.nim.rules import NimModel

    before = answer("signature", "nim", "pig")["signatures"]
    legal = NimModel.legal
    # Another rule: never more than two matches at once.
    monkeypatch.setattr(
        NimModel, "legal", lambda *given: [t for t in legal(*given) if t.matches <= 2]
    )
    after = answer("signature", "nim", "pig")["signatures"]
    assert before[0]["signature"] != after[0]["signature"]
    assert before[1] == after[1]


def test_a_silent_agent_is_ended_after_the_patience_asked_for(run):
    hostile = HELPERS / "hostile_agents.py"
    agents = f"{hostile}:Sleeps,uniform"
    options = ("--budget", "20000iterations", "--patience", 0.5)
    status, out, _ = run("play", "nim", "--agents", agents, *options, "--json")
    assert status == 1
    game = json.loads(out)["games"][0]
    assert [(fault["seat"], fault["kind"]) for fault in game["faults"]] == [(0, "hang")]
    assert "no answer within 500 ms" in game["faults"][0]["message"]


def test_bench_measures_worlds_and_planners(answer):
    results = answer("bench", "nim", "--seconds", 0.2)["results"]
    rates = {row["metric"]: row["per_cpu_s"] for row in results if row.get("per_cpu_s")}
    assert {"tick", "copy_tick", "copy", "rollout_tick", "tick_py", "legal"} <= set(rates)
    assert all(rate > 0 for rate in rates.values())
    values = {(row["planner"], row["metric"]): row["value"] for row in results if "planner" in row}
    assert values["mcts", "iterations_40ms"] > 1
    assert values["mcts", "model_ticks_40ms"] > 1


@pytest.mark.parametrize("world", ["connect_four", "kuhn_poker"])
def test_bench_counts_whole_random_games_of_native_and_python_worlds(answer, world):
    results = answer("bench", world, "--seconds", 0.3)["results"]
    (games,) = (row for row in results if row["metric"] == "random_games")
    assert games["policy"] == "uniform"
    assert games["per_cpu_s"] > 10


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_the_random_games_that_are_timed_are_played_to_their_end(name):
    assert timing.loops(registry.world(name))["random_games"]() == timing.GAMES


def test_bench_of_a_native_world_gives_the_cost_of_a_bound_call(answer):
    overheads = answer("bench", "connect_four", "--seconds", 0.2)["overheads"]
    assert [row["call"] for row in overheads] == ["advance", "copy"]


def test_bench_table_has_units(run):
    status, out, _ = run("bench", "nim", "--seconds", 0.2)
    assert status == 0
    assert "per CPU-second" in out
    assert "in a decision of 40 ms" in out


def test_check_passes_a_sound_world(answer):
    checked = answer("check", "world", "nim")
    assert checked["passed"] is True
    assert len(checked["checks"]) > 10


def test_check_says_what_a_new_world_still_lacks(run, answer, tmp_path):
    run("new", "world", "early", "--path", tmp_path)
    part = f"{tmp_path}/early/world.py:Early"
    status, out, _ = run("check", "world", part)
    assert status == 0
    assert out.endswith("still default: draw, codec, observation\n")
    assert answer("check", "world", "nim")["still_default"] == []


def test_check_names_the_promise_that_a_strangers_world_breaks(run, tmp_path):
    run("new", "world", "leaky", "--path", tmp_path)
    file = tmp_path / "leaky" / "world.py"
    text = file.read_text()
    # A notation that forgets whose turn it is.
    assert 'return f"{self.total} turn={self.turn}"' in text
    file.write_text(text.replace("turn={self.turn}", "turn=0"))
    status, out, err = run("check", "world", f"{file}:Leaky")
    assert status == 1
    assert "FAIL" in out
    assert "Traceback" not in out + err


def test_version_is_printed(run):
    from importlib.metadata import version

    assert run("--version") == (0, f"ludex {version('ludex')}\n", "")


def test_options_of_a_world_are_shown_whole(run):
    status, out, _ = run("play", "nim[heaps=1-2]", "--agents", "uniform,uniform", "--in-process")
    assert status == 0
    assert "nim[heaps=1-2] tick" in out
    status, out, _ = run("play", "nim[heaps=1-2]", "--agents", "uniform,uniform", "--in-process",
                         "--games", 2)  # fmt: skip
    assert "nim[heaps=1-2]: 2 games at 40ms" in out


def test_check_names_the_promise_that_a_strangers_planner_breaks(run, tmp_path):
    (tmp_path / "greedy.py").write_text(
        "from ludex.core import Decision\n"
        "class Greedy:\n"
        "    def decide(self, model, view, budget, rng):\n"
        "        return Decision(action=view.legal[0], iterations=1000)\n"
    )
    status, out, _ = run("check", "planner", f"{tmp_path}/greedy.py:Greedy")
    assert status == 1
    assert "FAIL keeps a budget of iterations in 7 worlds: " in out


def test_check_says_where_a_planner_played_and_what_it_refused(run, answer):
    _, out, _ = run("check", "planner", "minimax")
    assert "pass keeps a budget of calls in 3 worlds" in out  # and not in those that it refuses
    assert "refused goofspiel: minimax needs one seat to move at a time" in out
    assert "failed in none" in out
    told = {one["world"]: one for one in answer("check", "planner", "minimax")["worlds"]}
    assert told["connect_four"] == {"world": "connect_four", "result": "played"}
    assert told["hearthstone"]["result"] == "refused"
    assert "sampled chance" in told["hearthstone"]["reason"]


def test_check_passes_a_sound_model(answer):
    checked = answer("check", "model", "believed")
    assert checked["passed"] is True
    assert {row["world"] for row in checked["checks"]} >= {"pig", "kuhn_poker", "connect_four"}


def test_no_command_at_all_shows_the_help(run):
    status, out, err = run()
    assert status == 0
    assert "showcase" in out + err
    assert "Traceback" not in out + err


def test_draw_shows_the_numbers_of_places_when_asked(run, tmp_path):
    bare, numbered = tmp_path / "bare.svg", tmp_path / "numbered.svg"
    assert run("draw", "catan", "--out", str(bare))[0] == 0
    assert run("draw", "catan", "--numbers", "--out", str(numbered))[0] == 0
    assert "#18<" in numbered.read_text()
    assert "#18<" not in bare.read_text()
    status, _, error = run("draw", "nim", "--numbers", "--out", str(tmp_path / "nim.svg"))
    assert status == 2
    assert "the board of nim has no numbered places; leave --numbers out" in error


def test_a_position_of_catan_is_played_on_in_its_notation(answer):
    world = registry.world("catan[board=fixed]")
    state = world.start(Rng(1))
    players = "uniform,uniform,uniform,uniform"
    for text in (str(state), state.compact()):
        found = answer("play", str(world), "--agents", players, "--seed", "1", "--from", text)
        assert found["games"][0]["reason"]
