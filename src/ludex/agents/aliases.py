"""Agents by the names of the GVGAI framework: its controllers with the settings they have there.

`sampleMCTS`, `samplemcts` and `tracks.singlePlayer.advanced.sampleMCTS.Agent` are one name. An
agent named so is the agent of the table from then on: its text, in records too, is the full one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ludex.core.errors import UnknownName, did_you_mean
from ludex.core.names import Named, read_agent

PACKAGE = re.compile(r"^(tracks|controllers)\.(\w+\.)*?(?=\w+(\.Agent)?$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Alias:
    """A controller of the Java framework, and the agent here that equals it."""

    name: str
    agent: str
    """its text here"""
    meaning: str
    """what it is, and what differs"""


@dataclass(frozen=True, slots=True)
class Missing:
    """A controller that has no equal here."""

    name: str
    nearest: str
    meaning: str


SAMPLE_MCTS = "open_loop_mcts(rollout_depth=10,depth_from=root,value=score)"
RELEASED_OLETS = (
    "olets(exploration=1.4142135623730951,epsilon=0.05,taboo_penalty=0.5,value=released)"
)
GREEDY_TREE = "flat_monte_carlo(exploration=0,rollout_depth=9,value=score)"
ONE_STEP = "one_step(samples=1,value=score)"

ALIASES = (
    Alias("doNothing", "do_nothing", "NIL in every tick"),
    Alias("sampleRandom", "uniform", "any legal action"),
    Alias("simpleRandom", "uniform", "the same, by another of its names"),
    Alias(
        "sampleonesteplookahead",
        ONE_STEP,
        "each action tried once; values the score and the end, not NPCs and portals",
    ),
    Alias(
        "sampleFlatMCTS",
        GREEDY_TREE,
        "greedy choice, random play to depth 10; statistics of the first actions only",
    ),
    Alias("greedyTreeSearch", GREEDY_TREE, "the same; its name in release 2.3"),
    Alias(
        "sampleMCTS",
        SAMPLE_MCTS,
        "open loop, depth 10 from the root, exploration sqrt 2, most visited action",
    ),
    Alias("sampleOLMCTS", SAMPLE_MCTS, "the same; its name in older releases"),
    Alias("sampleRS", "random_search(length=10,value=score)", "random sequences of 10 actions"),
    Alias(
        "sampleRHEA",
        "rhea(population=10,length=10,value=score)",
        "population 10, length 10, elite 1, tournament 2, uniform crossover, one mutated gene",
    ),
    Alias("OLETS", RELEASED_OLETS, "as released; `olets` in small letters is ours"),
    Alias("sampleOLETS", RELEASED_OLETS, "the same; its name in the two-player track"),
    Alias("adrienctx", RELEASED_OLETS, "the same; its name in the competitions"),
    Alias("YOLOBOT", "yolobot", "winner of three competitions from 2015 to 2017, written anew"),
    Alias("ToVo2", "tovo2", "winner of two two-player competitions, written anew"),
    Alias("human", "human", "you, at the keyboard"),
)
"""one row for each controller that has an equal here"""

MISSING = (
    Missing("sampleGA", "sampleRHEA", "it evolves action sequences, too"),
    Missing("repeatOLETS", "OLETS", "without the repeated actions that imitate human play"),
    Missing("Return42", "portfolio", "it also chooses among searches by the kind of game"),
    Missing("asd592", "portfolio", "it also chooses among searches by the kind of game"),
    Missing("YBCriber", "iterated_width", "the search that it is built on"),
    Missing("NovTea", "iterated_width", "the search that it is built on"),
    Missing("MaastCTS2", "sampleMCTS", "without its enhancements"),
    Missing("boostedMCTS", "sampleMCTS", "without its enhancements"),
)
"""what else is known from the framework and its competitions, with what is nearest"""


def key_of(name: str) -> str:
    """What all spellings of a name have in common.

    >>> key_of("tracks.singlePlayer.advanced.sampleMCTS.Agent"), key_of("sample_mcts")
    ('samplemcts', 'samplemcts')
    """
    short = PACKAGE.sub("", name)
    if short.lower().endswith(".agent"):
        short = short[: -len(".agent")]
    return short.replace("_", "").replace("-", "").lower()


BY_KEY = {key_of(alias.name): alias for alias in ALIASES}
MISSING_BY_KEY = {key_of(missing.name): missing for missing in MISSING}


def alias_names() -> list[str]:
    return [alias.name for alias in ALIASES]


def resolved(named: Named) -> Named | None:
    """The agent that a name of GVGAI stands for; arguments replace those of the table.

    >>> resolved(Named("samplers", {"length": "20"}))
    Named(name='random_search', arguments={'length': '20', 'value': 'score'})
    """
    alias = BY_KEY.get(key_of(named.name))
    if alias is None:
        return None
    agent, _ = read_agent(alias.agent)
    return Named(agent.name, {**agent.arguments, **named.arguments})


def unknown_agent(name: str, known: list[str]) -> UnknownName:
    """Make the error of a name that no agent has; it suggests at most five."""
    if (missing := MISSING_BY_KEY.get(key_of(name))) is not None:
        return UnknownName(
            f"there is no equal of GVGAI's {missing.name} here; nearest is {missing.nearest!r}: "
            f"{missing.meaning}"
        )
    hint = did_you_mean(name, [*known, *alias_names()], most=5)
    return UnknownName(
        f"no agent named {name!r}{hint} (ludex list agents; an agent of your own is named "
        "file.py:Class)"
    )
