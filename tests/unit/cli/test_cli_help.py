"""The help of every command."""

from __future__ import annotations

import re

import pytest
import typer

from ludex.cli.app import app


def commands(command, *words):
    """A command and all below it, each with the words that call it."""
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, *words, name)


EVERY = dict(commands(typer.main.get_command(app)))


def test_there_are_as_many_commands_as_the_docs_say():
    assert {"play", "list", "arena", "vgdl", "hearthstone", "model"} <= {
        words[0] for words in EVERY if words
    }
    assert ("arena", "verify") in EVERY


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_switches_are_shown_without_a_value(words, run):
    status, out, _ = run(*words, "--help")
    assert status == 0
    assert "--help" in out
    assert not re.search(r"<bool>|\bBOOL(EAN)?\b", out)


def test_options_with_a_value_say_what_it_is(run):
    _, out, _ = run("play", "--help")
    assert re.search(r"--games +N ", out)
    assert re.search(r"--rotate +Every", out)
