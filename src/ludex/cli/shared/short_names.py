"""Agents by the names of GVGAI: shown as they were typed, and explained once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludex.core.planner import Agent


def short_names(texts: str, agents: Sequence[Agent]) -> dict[str, str]:
    """The names that were typed, by the full texts of the agents they stand for."""
    from ludex.agents.aliases import BY_KEY, key_of
    from ludex.core import registry
    from ludex.core.names import read_agent, split_outside

    known = {*registry.names("planners"), *registry.names("agents")}
    found: dict[str, str] = {}
    for text, agent in zip(split_outside(texts, ","), agents, strict=True):
        name = read_agent(text)[0].name
        alias = BY_KEY.get(key_of(name))
        if alias is not None and name not in known:
            short = alias.name if "." in name else name
            found.setdefault(str(agent), text.strip().replace(name, short, 1))
    return found


def explain_names(short: Mapping[str, str]) -> None:
    """Say what each short name stands for."""
    from ludex.cli.shared import screen

    for full, name in short.items():
        told = screen.line((name, "bold"), (f" stands for {full}", "dim"))
        screen.answers().print(told, soft_wrap=True)
