"""Registry of experiments and surveys: every class with an `id` in this package."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from ludex.core.errors import UnknownName, did_you_mean
from ludex.experiments.experiment import Experiment
from ludex.experiments.survey import Survey


@cache
def experiments() -> dict[str, type[Experiment]]:
    """Every experiment, by its id."""
    return classes(Experiment)


@cache
def surveys() -> dict[str, type[Survey]]:
    """Every survey, by its id."""
    return classes(Survey)


def classes(base: type[Any]) -> dict[str, Any]:
    """The classes of a kind that the modules of this package define, by their ids."""
    found: dict[str, Any] = {}
    package = importlib.import_module("ludex.experiments")
    for source in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if not source.ispkg:
            continue
        folder = importlib.import_module(source.name)
        for info in pkgutil.iter_modules(folder.__path__, f"{source.name}."):
            module = importlib.import_module(info.name)
            for value in vars(module).values():
                is_class = isinstance(value, type) and issubclass(value, base)
                is_own = is_class and value.__module__ == module.__name__
                if is_own and hasattr(value, "id"):  # shared base classes have none
                    found[value.id] = value
    return dict(sorted(found.items(), key=lambda item: natural(item[0])))


def natural(text: str) -> tuple[str, int]:
    """Put EXP-10 after EXP-9.

    >>> sorted(["EXP-10", "EXP-9"], key=natural)
    ['EXP-9', 'EXP-10']
    """
    head = text.rstrip("0123456789")
    return head, int(text[len(head) :] or 0)


def survey(name: str) -> Survey | None:
    """Make the survey of an id; None when there is no such survey."""
    for known, made in surveys().items():
        if known.casefold() == name.casefold():
            return made()
    return None


def experiment(name: str) -> Experiment:
    """Make the experiment of an id; upper and lower case are the same."""
    for known, made in experiments().items():
        if known.casefold() == name.casefold():
            return made()
    found = [*experiments(), *surveys()]
    hint = did_you_mean(name.upper(), found) or f"; known: {', '.join(found)}"
    raise UnknownName(f"no experiment {name!r}{hint} (ludex list studies)")
