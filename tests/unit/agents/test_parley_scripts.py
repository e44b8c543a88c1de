"""The scripts that know parley, on tables laid by hand."""

import pytest

from ludex.agents.compose import make_agent
from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.errors import Unsupported
from ludex.core.rng import Meter, Rng
from ludex.worlds.parley.values import LETTERS

WORLD = registry.world("parley")
ONE = Budget(iterations=1)


def choices(script, hands, pledged="-/-/-", then="turn 0 plays 2 talks 1 move", seat=0):
    """Everything that a script plays in one state, over many streams."""
    pile = "".join(letter * (4 - (hands + pledged).count(letter)) for letter in LETTERS)
    state = WORLD.parse(f"hands {hands} pledged {pledged} pile {pile} {then}")
    view = WORLD.model.view(state, seat)
    mind = make_agent(script).start(WORLD.model.metered(Meter()), view, ONE, Rng(0))
    return {str(mind.decide(view, ONE, Rng(seed)).action) for seed in range(60)}


def test_the_pledger_pledges_any_card_and_then_rolls():
    assert choices("parley/pledger", "gs/i/w", "g/-/-") == {"pledge grain", "pledge salt"}
    assert choices("parley/pledger", "gs/i/w", then="turn 0 plays 0 talks 1 move") == {"roll"}


def test_the_pledger_proposes_no_treaty_and_answers_at_random():
    assert choices("parley/pledger", "-/-/-", "gis/tw/-") == {"roll"}
    signing = "turn 0 plays 1 talks 1 consent 1"
    answers = choices("parley/pledger", "-/-/-", "gis/tw/-", signing, seat=1)
    assert answers == {"accept", "reject"}


def test_the_statesman_pledges_only_goods_that_it_does_not_show():
    assert choices("parley/statesman", "gs/i/w", "g/-/-") == {"pledge salt"}
    assert choices("parley/statesman", "g/i/w", "g/-/-") == {"roll"}


def test_the_statesman_signs_every_treaty():
    assert choices("parley/statesman", "s/-/-", "gis/tw/-") == {"treaty 1"}
    signing = "turn 0 plays 1 talks 1 consent 1"
    assert choices("parley/statesman", "-/-/-", "gis/tw/-", signing, seat=1) == {"accept"}


def test_the_scripts_refuse_other_worlds():
    nim = registry.world("nim")
    view = nim.model.view(nim.start(Rng(0)), 0)
    for script in ("parley/pledger", "parley/statesman"):
        with pytest.raises(Unsupported, match="knows the rules of parley alone"):
            make_agent(script).start(nim.model, view, ONE, Rng(0))
