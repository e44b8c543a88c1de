"""Versions of the agents and worlds of a store, and what has changed since."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.agents.compose import named_agent
from ludex.core import capabilities
from ludex.core.contents import Contents, changes, files_named_in
from ludex.core.record import Record
from ludex.core.version import package_version

MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class Change:
    """What is not as it was."""

    what: str
    """as in `the agent 'search'`"""
    how: str

    def __str__(self) -> str:
        return f"{self.what}: {self.how}"


@dataclass(frozen=True, slots=True)
class Part:
    """An agent or a world, as it was when its store was begun."""

    what: str
    """as in `the agent 'search'`"""
    version: str
    contents: Contents | None = None
    """hashes of its files; None: not known, of a store of an earlier ludex"""

    def changes(self, version: str, contents: Contents | None) -> Iterator[Change]:
        """What is different now."""
        if self.version != version:
            yield Change(self.what, f"was {self.version}, is {version}")
        if self.contents is not None and contents is not None:
            for change in changes(self.contents, contents):
                yield Change(self.what, change)


def agent_part(label: str, version: str, contents: str | None) -> Part:
    return Part(f"the agent {label!r}", version, read_contents(contents))


def world_part(text: str, version: int, contents: str | None) -> Part:
    return Part(f"the world {text!r}", str(version), read_contents(contents))


def package_changes(before: str) -> Iterator[Change]:
    yield from Part("ludex", before).changes(package_version(), None)


def agent_changes(
    part: Part, version: str, contents: Contents, packages: tuple[str, str]
) -> Iterator[Change]:
    """What is different of an agent; one of ludex itself changes with its package alone."""
    yield from part.changes(
        part.version if (part.version, version) == packages else version, contents
    )


def changes_here(part: Part, agent: str, package: str) -> Iterator[Change]:
    """What is different here of an agent, named by its text."""
    yield from agent_changes(
        part, version_of(agent), files_named_in(agent), (package, package_version())
    )


def match_changes(
    record: Record, package: str, world: Part, agents: Sequence[Part]
) -> Iterator[Change]:
    """What a match was played with that is not as its store was begun with."""
    known: Mapping[str, Contents] = record.contents or {}
    yield from Part("ludex", package).changes(record.package_version, None)
    yield from world.changes(str(record.world_version), known.get("world", {}))
    told: set[Change] = set()
    for seat, part in enumerate(agents):
        version, contents = record.agent_versions[seat], known.get(str(seat), {})
        packages = (package, record.package_version)
        for change in agent_changes(part, version, contents, packages):
            if change not in told:
                told.add(change)
                yield change


def listed(found: Sequence[object], between: str = "; ") -> str:
    """Some things in a sentence, without the end of a long list."""
    more = len(found) - MOST_NAMED
    last = f"{between}and {more} more" if more > 0 else ""
    return between.join(str(one) for one in found[:MOST_NAMED]) + last


def version_of(agent: str) -> str:
    return capabilities.version_of(named_agent(agent)) or package_version()


def contents_text(contents: Contents) -> str:
    return json.dumps(dict(contents), sort_keys=True)


def agent_contents(agent: str) -> str:
    return contents_text(files_named_in(agent))


def read_contents(text: str | None) -> dict[str, str] | None:
    """Contents as a store keeps them; ValueError when they are damaged."""
    if text is None:
        return None
    found: Any = json.loads(text)
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        raise ValueError("contents are not hashes by name")
    return found
