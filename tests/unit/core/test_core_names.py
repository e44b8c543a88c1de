"""The strings that name worlds and agents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.core.errors import LudexError, UnknownName, did_you_mean
from ludex.core.names import Named, read_agent, read_world, split_outside, write_named


def test_a_world_is_a_name_with_options():
    assert read_world("nim[heaps=3-4-5, misere=true]") == Named(
        "nim", {"heaps": "3-4-5", "misere": "true"}
    )


def test_an_agent_is_a_planner_and_a_model():
    assert read_agent("mcts(exploration=1.4)@believed(belief=particles(n=5))") == (
        Named("mcts", {"exploration": "1.4"}),
        Named("believed", {"belief": "particles(n=5)"}),
    )


def test_an_agent_without_a_model_has_none():
    assert read_agent("uniform") == (Named("uniform"), None)


def test_lists_are_split_outside_brackets_only():
    text = "mcts(a=1,b=2), nim[x=1,2],uniform"
    assert split_outside(text, ",") == ["mcts(a=1,b=2)", "nim[x=1,2]", "uniform"]


@pytest.mark.parametrize(
    "text",
    ["", " ", "nim[", "nim[heaps]", "nim[heaps=]", "nim[=3]", "nim]heaps=3[", "nim[a=1,a=2]"],
)
def test_malformed_worlds_are_refused(text):
    with pytest.raises(UnknownName):
        read_world(text)


@pytest.mark.parametrize(
    "text",
    ["ni m", "nim(heaps=3)", "x" * 20_000, "nim[heaps=3]]x"],
)
def test_malformed_worlds_are_refused_with_a_short_sentence(text):
    with pytest.raises(UnknownName) as caught:
        read_world(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["a@b@c", "@b", "a@", "mcts(exploration", "mcts[x=1]"])
def test_malformed_agents_are_refused(text):
    with pytest.raises(UnknownName):
        read_agent(text)


words = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)


@given(words, st.dictionaries(words, st.from_regex(r"[a-z0-9.\-]{1,8}", fullmatch=True)))
def test_names_read_back_as_they_were_written(name, arguments):
    assert read_world(write_named(name, arguments, "[]")) == Named(name, arguments)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_never_worse(text):
    for read in (read_world, read_agent):
        message = ""
        try:
            read(text)
        except LudexError as error:
            message = str(error)
        assert "\n" not in message


def test_near_names_are_suggested_and_far_ones_are_not():
    assert did_you_mean("rhaea", ["mcts", "rhea"]) == "; did you mean 'rhea'?"
    assert did_you_mean("zzz", ["mcts", "rhea"]) == ""
