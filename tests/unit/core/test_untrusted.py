"""Files from others run nothing, fill no memory, and steer neither terminals nor spreadsheets."""

import csv
import gzip
import io
import json
import os
import resource
import subprocess
import sys
import unicodedata
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from damaged_stores import forge

from ludex.arena.match.replay import NotRun, replay
from ludex.arena.match.runner import play_match
from ludex.arena.report.export import as_csv
from ludex.arena.report.markdown import escaped, paragraph
from ludex.arena.store.errors import BadStore
from ludex.arena.store.store import Store
from ludex.arena.study.run import run_study
from ludex.arena.study.study import Study
from ludex.cli import main
from ludex.core.bounded_file import TooLarge, read_arrays, unzipped
from ludex.core.errors import BrokenRecord, LudexError
from ludex.core.record import read_record

WORLD = """
from pathlib import Path
from dataclasses import dataclass
from typing import ClassVar
from ludex.worlds.nim import Nim
Path(__file__).with_name("was_run").touch()
@dataclass(frozen=True, kw_only=True)
class Mine(Nim):
    name: ClassVar[str] = "mine"
"""
EVIL = "\x1b[2J\x1b]0;owned\x07\u202ebad\x9b31m\r [red]x[/red]"


@pytest.fixture
def world(tmp_path):
    """A world in a Python file, which leaves a mark when it is run."""
    path = tmp_path / "mine.py"
    path.write_text(WORLD)
    return path


def was_run(world):
    mark = world.with_name("was_run")
    found = mark.exists()
    mark.unlink(missing_ok=True)
    forget(world)
    return found


def forget(world):
    """Have the file run again the next time that it is imported."""
    from ludex.core import registry, user_file

    registry.WORLDS.clear()
    user_file.RUN.clear()


@pytest.fixture
def recorded(world, tmp_path):
    file = tmp_path / "game.jsonl"
    text = f"{world}:Mine[heaps=1-2]"
    play_match(text, ["uniform", "uniform"], budget="5calls").record.write(file)
    assert was_run(world)
    return file


# Python in records and stores


def test_a_record_does_not_run_the_world_that_it_names(recorded, world, capsys):
    assert main(["replay", str(recorded)]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "not run unless you name it" in said
    assert f"--world '{world}:Mine[heaps=1-2]'" in said
    for more in (["--watch"], ["--out", str(world.with_suffix(".svg"))], ["--json"]):
        assert main(["replay", str(recorded), *more]) == 1
    with pytest.raises(NotRun):
        replay(read_record(recorded))
    assert not was_run(world)


def test_a_world_that_the_user_names_is_run(recorded, world, monkeypatch, capsys):
    assert main(["replay", str(recorded), "--world", f"{world}:Mine[heaps=1-2]"]) == 0
    assert was_run(world)
    monkeypatch.chdir(world.parent)
    assert main(["replay", str(recorded), "--world", "mine.py:Mine"]) == 0  # options as recorded
    assert main(["replay", str(recorded), "--world", "nim"]) == 1
    assert main(["replay", str(recorded), "--world", "mine.py:Mine[heaps=3]"]) == 1


@pytest.mark.parametrize(
    "text", ["evil.py:Evil", "evil.py", "./evil.py:A[x=1]", "/tmp/x/evil.py:Evil", "evil:Evil"]
)
def test_no_form_of_a_file_name_is_imported(text, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("evil.py").write_text("from pathlib import Path\nPath('was_run').touch()\n")
    record = play_match("nim", ["uniform", "uniform"], budget="5calls").record
    replace(record, world=text).write(Path("game.jsonl"))
    assert main(["replay", "game.jsonl"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not Path("was_run").exists()


def test_agents_that_a_record_names_are_not_imported(tmp_path):
    mark = tmp_path / "was_run"
    agent = tmp_path / "agent.py"
    agent.write_text(f"from pathlib import Path\nPath({str(mark)!r}).touch()\nclass A: pass\n")
    record = play_match("nim", ["uniform", "uniform"], budget="5calls").record
    replay(replace(record, agents=[f"{agent}:A", "uniform"]))
    assert not mark.exists()


def test_stores_and_reports_do_not_run_what_they_name(world, tmp_path, capsys):
    mark = tmp_path / "agent_was_run"
    agent = tmp_path / "agent.py"
    agent.write_text(
        f"from pathlib import Path\nPath({str(mark)!r}).touch()\nclass A:\n"
        "    def decide(self, model, view, budget, rng):\n        return view.legal[0]\n"
    )
    store = tmp_path / "study.sqlite"
    agents = [("mine", f"{agent}:A"), "uniform"]
    study = Study.of("test", agents, [("w", f"{world}:Mine")], budgets=("5calls",))
    run_study(study, store, workers=0)
    mark.unlink(missing_ok=True)
    assert was_run(world)
    assert main(["arena", "show", str(store)]) == 0
    assert main(["arena", "export", str(store), "--out", str(tmp_path / "t.csv")]) == 0
    assert main(["arena", "report", str(store), "--films", "3"]) == 0
    assert "no film of match" in capsys.readouterr().err
    assert main(["arena", "verify", str(store)]) == 1
    assert "not run unless you name it" in capsys.readouterr().out
    assert main(["replay", f"{store}#1"]) == 1
    with Store.open(store) as opened, pytest.raises(BadStore, match="which is not run"):
        _ = opened.study
    assert not was_run(world)
    assert not mark.exists()
    named = ["--world", f"{world}:Mine"]
    assert main(["arena", "verify", str(store), *named]) == 0
    assert was_run(world)
    assert main(["arena", "report", str(store), "--films", "3", *named]) == 0
    assert was_run(world)
    assert not mark.exists()


def test_a_model_file_does_not_run_the_world_that_it_names(tmp_path, world, capsys, monkeypatch):
    from ludex.models.learned.training import files

    monkeypatch.setattr(files, "worlds_of", lambda path: [f"{world}:Mine"])
    (tmp_path / "some.model").touch()
    assert main(["model", "show", str(tmp_path / "some.model")]) == 1
    assert "not run unless you name it" in capsys.readouterr().err
    assert not was_run(world)


@pytest.mark.parametrize("number", ["0", "9" * 19, "9" * 5000, "\u00b2", "-1", "x"])
def test_a_match_that_a_store_cannot_have_is_named(number, tmp_path, capsys):
    store = tmp_path / "study.sqlite"
    study = Study.of("test", ["uniform", "one_step"], ["nim"], budgets=("2calls",))
    run_study(study, store, workers=0)
    assert main(["replay", f"{store}#{number}"]) in (1, 2)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "unexpected" not in said


# Sizes

MEGABYTE = 2**20
HEADER = (
    b'{"ludex_record": 1, "world": "nim", "world_version": 1, "package_version": "1", '
    b'"agents": ["a", "b"], "agent_versions": ["1", "1"], "seed": 0, "budget": "9calls", '
    b'"start": "x"}\n'
)
BOMBS = {
    "empty lines": b"{}\n" * (MEGABYTE // 3),
    "tiny moments": b'{"hash":""}\n' * (MEGABYTE // 12),
    "empty lists": b'{"actions":["a"],"notes":{"0":[' + b"[]," * (MEGABYTE // 3) + b"0]}}\n",
    "zeros": bytes(MEGABYTE),
    "brackets": b"[" * MEGABYTE,
}
LIMITED = """
import resource, sys
from ludex.cli import main
status = main(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, status)
"""


@pytest.mark.parametrize("name", BOMBS)
def test_a_packed_record_never_fills_the_memory(name, tmp_path):
    path = tmp_path / "bomb.jsonl.gz"
    times = 110 if name == "empty lists" else 300  # below and above the largest file
    path.write_bytes(gzip.compress(HEADER) + times * gzip.compress(BOMBS[name]))
    assert path.stat().st_size < MEGABYTE
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "replay", str(path)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32)),
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    kilobytes, status = map(int, done.stdout.split())
    assert status == 1
    assert kilobytes < 800_000
    assert done.stderr.count("\n") == 1


def test_what_is_packed_in_many_pieces_is_read_and_bounded():
    content = gzip.compress(b"one ") + gzip.compress(b"two")
    assert unzipped(content, 100) == b"one two"
    with pytest.raises(TooLarge):
        unzipped(content, 6)
    with pytest.raises(TooLarge, match="pieces"):
        unzipped(gzip.compress(b"") * 20_000, 100)
    with pytest.raises(EOFError):
        unzipped(content[:-9], 100)


def array_file(path, header, data):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", header + data)


def test_arrays_that_claim_more_than_is_there_are_refused(tmp_path):
    path = tmp_path / "some.npz"
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        buffer, {"descr": "<f8", "fortran_order": False, "shape": (2**40,)}
    )
    array_file(path, buffer.getvalue(), b"12345678")
    with pytest.raises(ValueError, match="larger than what is there"):
        read_arrays(path, 2**29, LudexError, "model")
    array_file(path, bytes(2**24), b"")
    with pytest.raises(TooLarge):
        read_arrays(path, 2**20, LudexError, "model")
    np.savez(path, a=np.array([{"an": "object"}], dtype=object))
    with pytest.raises(ValueError, match="objects are not read"):
        read_arrays(path, 2**29, LudexError, "model")
    np.savez_compressed(path, a=np.arange(6).reshape(2, 3).T, b=np.array("words"))
    found = read_arrays(path, 2**29, LudexError, "model")
    assert found["a"].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert str(found["b"]) == "words"


def test_pipes_and_devices_are_not_read(tmp_path, capsys):
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    for name in (pipe, "/dev/zero", tmp_path):
        assert main(["replay", str(name)]) == 1
        assert main(["arena", "run", str(name)]) == 2
    assert capsys.readouterr().err.count("\n") == 6


# Marks of the byte order


def test_files_with_a_mark_of_the_byte_order_are_read(tmp_path):
    mark = b"\xef\xbb\xbf"
    record = play_match("nim", ["uniform", "uniform"], budget="5calls").record
    plain, packed = tmp_path / "game.jsonl", tmp_path / "game.jsonl.gz"
    plain.write_bytes(mark + record.text().encode())
    packed.write_bytes(gzip.compress(mark + record.text().encode()))
    assert read_record(plain) == read_record(packed) == record
    study, base = tmp_path / "study.toml", tmp_path / "base.toml"
    base.write_bytes(mark + b'agents = ["uniform"]\r\nworlds = ["vgdl/aliens"]\r\n')
    study.write_bytes(mark + b'like = "base.toml"\r\nbudgets = ["2calls"]\r\n')
    assert main(["arena", "run", str(study), "--check"]) == 0


def test_a_record_in_another_encoding_gets_a_sentence(tmp_path):
    file = tmp_path / "game.jsonl"
    file.write_bytes("hello".encode("utf-16"))
    with pytest.raises(BrokenRecord, match="it is not a text file in UTF-8"):
        read_record(file)


# Names


@pytest.mark.parametrize(
    "name",
    ["5", '""', '"  "', "[]", "nan", r'"\u001b[31mred"', r'"a\nb"', r'"\u202eabc"', r'"\u0000"'],
)
def test_a_study_with_an_impossible_name_is_refused_with_its_line(name, tmp_path, capsys):
    file = tmp_path / "study.toml"
    file.write_text(f'\nname = {name}\nagents = ["uniform"]\nworlds = ["pig"]\n')
    assert main(["arena", "run", str(file)]) == 2
    problems = capsys.readouterr().err.splitlines()
    assert f"ludex: {file}:2: name: " in problems[0]
    assert all(line.isprintable() for line in problems)


@pytest.mark.parametrize(
    "name",
    ["%DATA%", "%TITLE%%SCRIPT%%STYLE%", "<script>alert(1)</script>", "../x", "=1+2", "n" * 999],
)
def test_a_study_may_have_any_other_name(name, tmp_path, capsys):
    file = tmp_path / "study.toml"
    text = f'name = "{name}"\nagents = ["uniform", "one_step"]\nworlds = ["nim"]\n'
    file.write_text(text + 'budgets = ["2calls"]\n')
    for command in ("run", "show", "report"):
        assert main(["arena", command, str(file)]) == 0
    page = (tmp_path / "study.html").read_text()
    data = page.partition('id="data">')[2].partition("</script>")[0]
    assert json.loads(data)["study"] == name
    assert "<script>alert" not in page
    assert "<script>" not in (tmp_path / "study.md").read_text()
    assert sorted(one.suffix for one in tmp_path.iterdir()) == [".html", ".md", ".sqlite", ".toml"]


# Terminals, spreadsheets and pages


WORDS = EVIL + " <img src=x onerror=alert(1)> | =cmd()"


@pytest.fixture
def evil(tmp_path):
    """A study with an agent whose fault is full of commands for terminals and programs."""
    agent = tmp_path / "evil.py"
    agent.write_text(
        "class Evil:\n    def decide(self, model, view, budget, rng):\n"
        f"        raise ValueError({WORDS!r})\n"
    )
    file = tmp_path / "study.toml"
    file.write_text(
        f'about = "<b>bold</b> *x* # y"\nagents = ["uniform", {{name = "=evil()", agent = '
        f'"{agent}:Evil"}}]\nworlds = ["nim"]\nbudgets = ["2calls"]\n'
    )
    return file


def play_and_forge(file):
    """Play the study, and put what the referee has cleaned into the store all the same."""
    assert main(["arena", "run", str(file)]) == 0
    for table, column in (("faults", "message"), ("matches", "reason")):
        forge(file.with_suffix(".sqlite"), table, column, WORDS)


def assert_harmless(text):
    bad = [sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf") and sign != "\n"]
    assert not bad


@pytest.mark.parametrize("debugging", ["", "1"])
def test_nothing_that_agents_say_steers_a_terminal(evil, capsys, monkeypatch, debugging):
    monkeypatch.setenv("LUDEX_DEBUG", debugging)
    store = evil.with_suffix(".sqlite")
    record = evil.with_name("game.jsonl")
    agents = f"{evil.with_name('evil.py')}:Evil,uniform"
    for command in (
        ["arena", "run", evil],
        ["arena", "show", evil],
        ["arena", "show", evil, "--json"],
        ["arena", "verify", evil],
        ["replay", f"{store}#1", "--watch", "--delay", "0"],
        ["play", "nim", "--agents", agents, "--record", record],
        ["replay", record],
    ):
        status = main([str(word) for word in command])
        assert status == (1 if command[0] == "play" else 0)  # its agent breaks down
        captured = capsys.readouterr()
        assert_harmless(captured.out)
        assert_harmless(captured.err)


def test_nothing_in_a_record_or_store_steers_a_terminal(tmp_path, capsys):
    record = play_match("nim", ["uniform", "uniform"], budget="5calls").record
    file = tmp_path / "game.jsonl"
    odd = replace(record.outcome, reason=f"{EVIL}\nludex: verified")
    for changed in (
        replace(record, agents=[EVIL, "uniform"]),
        replace(record, world=EVIL),
        replace(record, start=EVIL),
        replace(record, outcome=odd),
        replace(record, package_version=EVIL, world_version=7),
    ):
        changed.write(file)
        main(["replay", str(file)])
        captured = capsys.readouterr()
        assert_harmless(captured.out + captured.err)
        assert "\nludex: verified" not in captured.out


def test_nothing_in_a_forged_store_steers_a_terminal(evil, capsys):
    play_and_forge(evil)
    for command, status in (("show", 0), ("verify", 1)):
        assert main(["arena", command, str(evil)]) == status
        captured = capsys.readouterr()
        assert_harmless(captured.out + captured.err)
    assert "owned" in captured.out


def test_cells_of_a_table_are_no_formulas(evil, tmp_path):
    out = tmp_path / "table.csv"
    play_and_forge(evil)
    for table in ("seats", "faults", "courses"):
        command = ["arena", "export", str(evil), "--out", str(out), "--table", table]
        assert main(command) == 0
        assert_harmless(out.read_text())
        for row in list(csv.reader(io.StringIO(out.read_text())))[1:]:
            for cell in row:
                assert cell[:1] not in ("=", "@", "\t", "\r")
                assert cell[:1] not in ("+", "-") or float(cell) < 0


def test_numbers_in_a_table_stay_numbers():
    text = as_csv(["a", "b"], [[-1.5, "-1.5"], [-7, "-1+1"], [True, "@x"], [1e-9, "\t=1"]])
    rows = list(csv.reader(io.StringIO(text.decode())))[1:]
    assert rows == [["-1.5", "-1.5"], ["-7", "'-1+1"], ["True", "'@x"], ["1e-09", "'\t=1"]]


def test_markdown_obeys_nothing_from_outside(evil):
    play_and_forge(evil)
    assert main(["arena", "report", str(evil)]) == 0
    text = evil.with_suffix(".md").read_text()
    assert_harmless(text)
    assert "&lt;img src=x onerror=alert(1)&gt; \\| =cmd()" in text
    assert "&lt;b&gt;bold&lt;/b&gt; \\*x\\* # y" in text
    for sign in ("<b>", "<img", "[red]"):
        assert sign not in text
    page = evil.with_suffix(".html").read_text()
    assert "<img" not in page
    assert "<b>bold" not in page


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("# heading", "\\# heading"),
        ("- list", "\\- list"),
        ("1. list", "1\\. list"),
        ("=== line", "\\=== line"),
        ("> quote", "&gt; quote"),
        ("![x](y)", "!\\[x\\](y)"),
        ("a\n\n# b", "a # b"),
        ("open_loop_mcts", "open_loop_mcts"),
        ("_em_ and __strong__", "\\_em\\_ and \\_\\_strong\\_\\_"),
        ("`code` ~~gone~~ \\", "\\`code\\` \\~\\~gone\\~\\~ \\\\"),
    ],
)
def test_a_paragraph_of_markdown_is_shown_as_it_is(text, written):
    assert paragraph(text) == written
    assert escaped("<&>") == "&lt;&amp;&gt;"
