"""`ludex conform vgdl`: what it makes of traces, good and broken."""

from __future__ import annotations

import gzip
import json

import pytest

from ludex.cli.app import main

GAME = """BasicGame square_size=10
    SpriteSet
        coin > Immovable
    LevelMapping
        c > coin
    InteractionSet
        coin avatar > killSprite scoreChange=2
    TerminationSet
        SpriteCounter stype=coin win=True
"""


def avatar(x: int) -> dict:
    return {"type": "avatar", "x": x, "y": 0, "ori": [0, 0], "speed": 1, "hp": 0}


def row(t: int, score: int, winner: str, x: int, remove: list, add: list) -> dict:
    return {
        "t": t,
        "score": [score],
        "winner": [winner],
        "over": winner != "NO_WINNER",
        "avatars": [{**avatar(x), "disabled": False, "res": {}}],
        "remove": remove,
        "add": add,
    }


def sprite(name: str, x: int, speed: int = 0) -> list:
    return [name, x, 0, 10, 10, 0.0, 0.0, speed, 0, False]


@pytest.fixture
def folder(tmp_path):
    games = tmp_path / "games"
    games.mkdir()
    (games / "coins.txt").write_text(GAME)
    (games / "coins_lvl0.txt").write_text("Ac\n")
    (tmp_path / "traces").mkdir()
    return tmp_path


def write(folder, name: str, *, level: str = "coins_lvl0.txt", score: int = 2) -> None:
    header = {"format": "ludex-vgdl-trace-1", "game": "coins.txt", "level": level, "seed": 1}
    rows = [
        {**header, "players": 1, "actions": ["R"]},
        row(0, 0, "NO_WINNER", 0, [], [sprite("avatar", 0, 1), sprite("coin", 10)]),
        row(
            1,
            score,
            "PLAYER_WINS",
            10,
            [sprite("avatar", 0, 1), sprite("coin", 10)],
            [sprite("avatar", 10, 1)],
        ),
    ]
    with gzip.open(folder / "traces" / name, "wt") as file:
        file.writelines(json.dumps(one) + "\n" for one in rows)


def run(folder, capsys) -> tuple[int, dict]:
    words = ["conform", "vgdl", str(folder / "traces"), "--games", str(folder / "games")]
    status = main([*words, "--workers", "1", "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_a_trace_that_matches(folder, capsys):
    write(folder, "good.jsonl.gz")
    assert run(folder, capsys) == (0, {"total": 1, "matched": 1, "skipped": 0, "failures": []})


def test_the_first_difference_is_named(folder, capsys):
    write(folder, "other.jsonl.gz", score=3)
    status, report = run(folder, capsys)
    assert status == 1
    (failure,) = report["failures"]
    assert failure == {
        "trace": "other.jsonl.gz",
        "tick": 1,
        "expected": "score [3]",
        "found": "score [2]",
    }


def test_a_trace_of_a_game_that_is_not_there_is_skipped(folder, capsys):
    write(folder, "good.jsonl.gz")
    write(folder, "lost.jsonl.gz", level="coins_lvl7.txt")
    status, report = run(folder, capsys)
    assert status == 0
    assert (report["total"], report["skipped"]) == (1, 1)


def test_nothing_to_run_is_no_success(folder, capsys):
    write(folder, "lost.jsonl.gz", level="coins_lvl7.txt")
    status, report = run(folder, capsys)
    assert status == 1
    assert report["total"] == 0


@pytest.mark.parametrize(
    "content",
    [
        b"not packed",
        gzip.compress(b"", mtime=0)[:12],
        gzip.compress(b"not json\n", mtime=0),
        gzip.compress(b"[]\n", mtime=0),
        gzip.compress(b'{"format": "another-form"}\n', mtime=0),
        gzip.compress(b'{"format": "ludex-vgdl-trace-1"}\n{"t": 0}\n', mtime=0),
        gzip.compress(b'{"format": "ludex-vgdl-trace-1", "game": 3, "level": null}\n', mtime=0),
    ],
)
def test_a_broken_file_is_a_failure_in_the_list(folder, capsys, content):
    write(folder, "good.jsonl.gz")
    (folder / "traces" / "broken.jsonl.gz").write_bytes(content)
    status, report = run(folder, capsys)
    assert status == 1
    assert report["matched"] == 1
    assert [failure["trace"] for failure in report["failures"]] == ["broken.jsonl.gz"]


@pytest.mark.parametrize("words", [["nowhere"], [".", "--games", "nowhere"]])
def test_missing_folders_are_named(folder, capsys, words, monkeypatch):
    monkeypatch.chdir(folder)
    assert main(["conform", "vgdl", *words]) == 2
    assert "there is no folder 'nowhere'" in capsys.readouterr().err


def test_an_empty_folder_is_refused(folder, capsys):
    words = [str(folder / "traces"), "--games", str(folder / "games")]
    assert main(["conform", "vgdl", *words]) == 2
    assert "there are no traces" in capsys.readouterr().err


def test_text_output_lists_what_was_skipped_and_why(folder, capsys):
    write(folder, "lost.jsonl.gz", level="coins_lvl7.txt")
    words = [str(folder / "traces"), "--games", str(folder / "games"), "--workers", "1"]
    assert main(["conform", "vgdl", *words]) == 1
    out = capsys.readouterr().out
    assert "skipped lost.jsonl.gz" in out
    assert "is not there" in out


def test_two_processes_find_the_same(folder, capsys):
    for number in range(6):
        write(folder, f"t{number}.jsonl.gz", score=2 + number % 2)
    words = ["conform", "vgdl", str(folder / "traces"), "--games", str(folder / "games"), "--json"]
    main([*words, "--workers", "2"])
    two = json.loads(capsys.readouterr().out)
    main([*words, "--workers", "1"])
    assert two == json.loads(capsys.readouterr().out)
    assert two["matched"] == 3
