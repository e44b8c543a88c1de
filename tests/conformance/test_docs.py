"""Every example on a page is run: Python blocks as doctests, `$ ludex` lines as commands."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ludex.cli.shared.page import split_page

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|pycon|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FAULT = re.compile(r"^fault (?!.*: late x )", re.MULTILINE)
"""What `ludex play` says of an agent that broke down; one that is late may be on a busy machine."""
UNRUN = "<!-- not run -->"
"""Stands above a block that cannot be run in a test: it waits for a person or installs things."""


def blocks(page: Path, *kinds: str) -> list[tuple[int, str]]:
    text = page.read_text()
    return [
        (text.count("\n", 0, found.start()) + 1, found[2])
        for found in BLOCK.finditer(text)
        if found[1] in kinds and not text[: found.start()].rstrip().endswith(UNRUN)
    ]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_python_on_the_page_runs_and_prints_what_it_says(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for line, source in blocks(page, "python", "pycon"):
        if ">>>" not in source:
            exec(compile(source, f"{name(page)}:{line}", "exec"), names)
            continue
        test = parser.get_doctest(source, names, name(page), str(page), line)
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        names = test.globs
        assert not runner.failures, "".join(report)


@pytest.mark.timeout(600)  # a page of many commands takes minutes on a busy machine
@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_on_the_page_succeed(page, tmp_path):
    command = str(Path(sys.executable).with_name("ludex"))
    for line, source in blocks(page, "console"):
        for typed in re.findall(r"^\$ ludex (.*)$", source, re.MULTILINE):
            done = subprocess.run(
                [command, *shlex.split(typed, comments=True)],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=100,
                check=False,
            )
            said = f"{name(page)}:{line}: ludex {typed}\n{done.stderr}"
            assert done.returncode == 0, said
            assert not FAULT.search(done.stderr), said


RESULTS = sorted((ROOT / "docs" / "results").glob("*.md"))


@pytest.mark.parametrize("page", RESULTS, ids=name)
def test_commands_write_their_tables_into_the_page_that_names_them(page):
    text = page.read_text()
    assert set(re.findall(r"--page (\S+\.md)", text)) <= {name(page)}
    marks = re.findall(r"^<!-- (\S+ (?:tiny|small|full|claims)) -->$", text, re.MULTILINE)
    assert marks == re.findall(r"^<!-- end of (.*) -->$", text, re.MULTILINE)
    assert len(set(marks)) == len(marks)
    for mark in marks:
        head, tail = split_page(page, mark)
        assert len(head) + len(tail) < len(text), mark


EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_example_runs_without_a_warning(example, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", str(example)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), "an example ends in something to read"
