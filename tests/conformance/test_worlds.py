"""Every registered world keeps the contract."""

from __future__ import annotations

import pytest

from ludex.core import registry
from ludex.testing import WORLD_CHECKS

OTHER_OPTIONS = ("nim[heaps=1-0-7,misere=true]",)


@pytest.mark.parametrize("name", [*registry.names("worlds"), *OTHER_OPTIONS])
@pytest.mark.parametrize("check", WORLD_CHECKS, ids=lambda check: check.__name__)
def test_world_keeps_the_contract(name, check):
    check(registry.world(name))


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_registered_name_is_the_name_of_the_world(name):
    world = registry.world(name)
    # A world that holds several games names the one it plays by default.
    assert (world.name, str(world).partition("/")[0]) == (name, name)
