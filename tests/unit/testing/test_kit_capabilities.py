"""Checks of capabilities catch models that promise or have one and cannot do it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludex.core import registry
from ludex.core.capabilities import (
    HumanAgent,
    LearnedModel,
    ListsTwins,
    ObjectModel,
    Wrapper,
    able,
    innermost,
    is_human,
    libraries_of,
    version_of,
)
from ludex.core.rng import Meter, Rng
from ludex.models.parts.delegate import Delegate
from ludex.testing import MODEL_CHECKS, CheckFailed

NIM = registry.world("nim[heaps=1-2-3]")
SOKOBAN = registry.world("sokoban[limit=6]")
ALIENS = registry.world("vgdl/aliens")
PARLEY = registry.world("parley")
CHECKS = {check.__name__: check for check in MODEL_CHECKS}


class Promising(Delegate):
    """The rules of a world, with other traits."""

    def __init__(self, inner, **promised):
        super().__init__(inner)
        self.promised = promised

    @property
    def traits(self):
        return replace(self.inner.traits, **self.promised)


def failure(check, world, model):
    with pytest.raises(CheckFailed) as caught:
        CHECKS[check](world, model)
    return str(caught.value)


def test_objects_that_are_promised_without_their_methods_are_noticed():
    found = failure("check_objects_are_there", SOKOBAN, Promising(SOKOBAN.model, objects=True))
    assert (
        found == "traits.objects holds, but the model lacks grid, heading, distances, whereabouts"
    )


def test_avatars_that_are_promised_and_placed_nowhere_are_noticed():
    found = failure("check_avatars_are_placed", SOKOBAN, Promising(SOKOBAN.model, avatars=True))
    assert found == "traits.avatars holds, but the model lacks grid, avatars or distances"


def test_avatars_off_the_grid_are_noticed():
    class Astray(Delegate):
        def grid(self):
            return self.inner.grid()

        def avatars(self, state):
            return ((99, 0),)

        def distances(self, state, seat, kinds):
            return self.inner.distances(state, seat, kinds)

    assert "is at 99, 0 in" in failure("check_avatars_are_placed", ALIENS, Astray(ALIENS.model))


def test_a_world_that_promises_objects_it_lacks_is_noticed():
    class Boasting(type(SOKOBAN.model)):
        def __init__(self, limit):
            super().__init__(limit)
            self.traits = replace(self.traits, objects=True)

    found = failure("check_objects_are_there", SOKOBAN, Boasting(6))
    assert "lacks grid, heading" in found


def test_views_that_list_no_objects_are_noticed():
    class Blind(Delegate):
        def view(self, state, seat):
            return SOKOBAN.model.view(SOKOBAN.start(Rng(0)), 0)

    found = failure("check_objects_are_there", ALIENS, Blind(ALIENS.model))
    assert "does not list objects" in found


def test_objects_that_are_somewhere_else_are_noticed():
    class Lost(Delegate):
        def whereabouts(self, state, kind, number):
            return (-3, -3)

        def grid(self):
            return self.inner.grid()

        def heading(self, action):
            return self.inner.heading(action)

        def distances(self, state, seat, kinds):
            return self.inner.distances(state, seat, kinds)

    assert "whereabouts (-3, -3)" in failure("check_objects_are_there", ALIENS, Lost(ALIENS.model))


def test_learned_models_without_a_confidence_are_noticed():
    check = "check_learned_states_have_a_confidence"
    assert "no confidence" in failure(check, NIM, Promising(NIM.model, learned=True))

    class TooSure(Delegate):
        traits = replace(NIM.traits, learned=True)

        def confidence(self, state):
            return 2.0

    assert "is 2.0, not from 0 to 1" in failure(check, NIM, TooSure(NIM.model))


def test_alternatives_on_another_meter_are_noticed():
    class Costless(Delegate):
        def alternatives(self):
            return [self.inner, self.inner.metered(Meter())]

    found = failure("check_alternatives_share_states", NIM, Costless(NIM.model))
    assert "alternative 1 counts on another meter" in found


def test_models_that_take_any_name_of_a_policy_are_noticed():
    class Obliging(Delegate):
        def rollout(self, state, policy, *more, **named):
            return self.inner.rollout(state, "uniform", *more, **named)

    found = failure("check_unknown_policies_are_refused", NIM, Obliging(NIM.model))
    assert "must raise BadParameter" in found


def test_deals_that_do_not_sum_to_one_are_noticed():
    class Generous(Delegate):
        def deals(self, view):
            return [(deal, 2 * chance) for deal, chance in self.inner.deals(view)]

    found = failure("check_deals_are_a_distribution", PARLEY, Generous(PARLEY.model))
    assert "do not sum to 1" in found


def test_actions_that_are_not_behind_an_event_are_noticed():
    class Slanderous(Delegate):
        def actions_behind(self, event):
            return []

    found = failure("check_events_name_the_actions_behind_them", PARLEY, Slanderous(PARLEY.model))
    assert "is not among actions_behind" in found


def test_sokoban_promises_no_objects_and_passes():
    assert not SOKOBAN.traits.objects
    capabilities = [check for check in CHECKS.values() if "capabilities" in check.__module__]
    assert len(capabilities) > 5
    for check in capabilities:
        check(SOKOBAN, SOKOBAN.model)


# How capabilities are asked for


def test_what_the_inner_model_can_do_is_found_through_wrappers():
    wrapped = Delegate(Delegate(ALIENS.model.metered(Meter())))
    assert able(wrapped, ObjectModel) is not None
    assert able(wrapped, LearnedModel) is None
    assert able(NIM.model, ListsTwins) is None
    assert innermost(wrapped) is wrapped.inner.inner
    assert isinstance(wrapped, Wrapper)


def test_what_a_wrapper_does_itself_comes_first():
    class Sure(Delegate):
        def confidence(self, state):
            return 1.0

    sure = Sure(NIM.model)
    assert able(Delegate(sure), LearnedModel) is sure


def test_agents_say_what_they_are():
    from ludex.agents.compose import make_agent

    human, searcher = make_agent("human"), make_agent("mcts@believed")
    assert is_human(human)
    assert isinstance(human.seat_at(NIM), HumanAgent)
    assert is_human(human.seat_at(NIM))
    assert not is_human(searcher)
    assert version_of(searcher) is None
    assert libraries_of(human, searcher) == ()
