"""The rules as a model that agents can name."""

from ludex.core import registry
from ludex.core.budget import DEFAULT_BUDGET
from ludex.core.rng import Rng
from ludex.models.true import True_


def test_the_rules_are_found_under_the_name_that_agents_write():
    assert registry.load("models", "true") is True_
    assert str(True_()) == "true"


def test_the_true_model_is_the_worlds_own():
    nim = registry.world("nim")
    view = nim.model.view(nim.start(Rng(0)), 0)
    assert True_().make(nim.model, view, DEFAULT_BUDGET, Rng(0)) is nim.model


def test_only_models_are_listed_as_models():
    assert {"true", "believed", "tabular"} <= set(registry.names("models"))
    for name in registry.names("models"):
        part = registry.load("models", name)()
        assert str(part) == name
        assert callable(part.make)
