"""The registry finds parts by their file names, and says what it does not find."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ludex.core import registry
from ludex.core.errors import BadParameter, LudexError, UnknownName
from ludex.worlds.nim import Nim


def test_a_world_is_found_by_its_folder():
    assert registry.load("worlds", "nim") is Nim


@pytest.mark.parametrize("group", registry.GROUPS)
def test_everything_listed_can_be_loaded(group):
    for name in registry.names(group):
        assert isinstance(registry.load(group, name), type)


def test_listing_imports_no_world():
    code = (
        "import sys; from ludex.core import registry; registry.names('worlds');"
        "print([name for name in sys.modules if name.startswith('ludex.worlds.')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(UnknownName, match="no world named 'nmi'; did you mean 'nim'"):
        registry.load("worlds", "nmi")


def test_a_name_unlike_all_others_says_where_the_names_are():
    with pytest.raises(UnknownName, match=r"no world named .*ludex list worlds"):
        registry.load("worlds", "zzzzzz")


def test_a_world_text_gives_its_options():
    assert registry.world("nim[heaps=1-2]") == Nim(heaps=(1, 2))


def test_an_unknown_option_is_named():
    with pytest.raises(BadParameter, match="Nim has no parameter 'heap'; did you mean 'heaps'"):
        registry.world("nim[heap=3]")


def test_a_part_that_cannot_be_imported_is_named_with_its_place(monkeypatch):
    places = {"ghost": "ludex.worlds.ghost:Ghost"}
    monkeypatch.setattr(registry, "places", lambda group: places)
    with pytest.raises(LudexError, match=r"'ghost' is registered as ludex\.worlds\.ghost:Ghost"):
        registry.load("worlds", "ghost")


def test_parts_of_other_packages_come_through_entry_points(monkeypatch):
    class Point:
        name = "their_world"
        value = "ludex.worlds.nim:Nim"

    monkeypatch.setattr(
        registry, "entry_points", lambda group: [Point] if group == "ludex.worlds" else []
    )
    registry.places.cache_clear()
    try:
        assert registry.load("worlds", "their_world") is Nim
    finally:
        registry.places.cache_clear()


@pytest.mark.parametrize("name", registry.names("agents"))
def test_whatever_is_listed_as_an_agent_is_one(name):
    cls = registry.load("agents", name)
    assert callable(getattr(cls, "start", None)), f"{cls} lies where agents are looked for"
