"""One part in full: what it is, what each parameter means and takes, and its page."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any

from ludex.cli.list.catalogue import ALIASES, EXPERIMENTS, KINDS, WORDS, describe, names_in

SINGULAR = {"studies": "experiment", "experiments": "experiment", "aliases": "name of GVGAI"}
EXAMPLE_WORLDS = ("vgdl/aliens", "connect_four", "kuhn_poker", "sokoban")
"""one of these suits any planner"""
NORA = ("hearthstone/nora", "hearthstone/apprentice", "hearthstone/fitted_q")


@dataclass(frozen=True, slots=True)
class ParameterDetails:
    """A parameter of a part, all as text."""

    name: str
    default: str
    """empty: it must be given"""
    takes: str
    """what values it can have, with their limits"""
    meaning: str


@dataclass(frozen=True, slots=True)
class PartDetails:
    """All that is shown of one part."""

    kind: str
    name: str
    status: str
    about: str
    """its description, in paragraphs"""
    parameters: tuple[ParameterDetails, ...] = ()
    page: str = ""
    """its page in the documentation; empty for parts of others"""
    facts: Mapping[str, str] = field(default_factory=dict)
    """further short facts by what they are"""
    example: str = ""
    """a command to type"""


def details_of(kind: str, name: str) -> PartDetails:
    """Describe one part; UnknownName with the nearest names when there is none."""
    if kind == "games":
        return game_details(found_name(kind, name))
    if kind in EXPERIMENTS:
        return experiment_details(name)
    if kind == ALIASES:
        return alias_details(name)
    if kind in ("agents", "planners") and name not in names_in(kind):
        # A planner is an agent by itself, and so is what a name of GVGAI stands for.
        if name in names_in("planners"):
            return registered_details("planners", name)
        if is_alias(name):
            return alias_details(name)
    return registered_details(kind, found_name(kind, name))


def kind_of(name: str) -> str:
    """The kind of a part that is named alone; UnknownName where no part has this name."""
    from ludex.core.errors import UnknownName, did_you_mean

    known = {kind: names_in(kind) for kind in KINDS}
    for kind, names in known.items():
        if name in names:
            return kind
    if is_alias(name):
        return ALIASES
    hint = did_you_mean(name, [*WORDS, *(one for names in known.values() for one in names)], most=5)
    listed = hint or f"; kinds are {', '.join(WORDS)}"
    raise UnknownName(f"no part and no kind of part is named {name!r}{listed} (ludex list)")


def is_alias(name: str) -> bool:
    from ludex.agents.aliases import BY_KEY, key_of

    return key_of(name) in BY_KEY


def found_name(kind: str, name: str) -> str:
    """The name as it is registered: a game may be named without its world."""
    from ludex.agents.aliases import unknown_agent
    from ludex.core.errors import UnknownName, did_you_mean

    known = names_in(kind)
    if name in known:
        return name
    inner = [one for one in known if one.rpartition("/")[2] == name]
    if len(inner) == 1:
        return inner[0]
    if kind == "agents":
        raise unknown_agent(name, [*known, *names_in("planners")])
    singular = SINGULAR.get(kind, kind.removesuffix("s"))
    hint = did_you_mean(name, known, most=5)
    raise UnknownName(f"no {singular} named {name!r}{hint} (ludex list {kind})")


def registered_details(kind: str, name: str) -> PartDetails:
    """A world, planner, agent or model."""
    from ludex.core import registry
    from ludex.core.errors import LudexError

    described = describe(kind, name)
    if described["status"] == "broken":
        raise LudexError(f"the {kind.removesuffix('s')} {name!r} is broken: {described['summary']}")
    group: Any = kind
    part = registry.load(group, name)
    facts: dict[str, str] = {}
    if kind == "worlds":
        low, high = described["players"]
        facts["players"] = str(low) if low == high else f"{low} to {high}"
        facts["version"] = str(described["version"])
        if experts := [one for one in names_in("agents") if one.startswith(f"{name}/")]:
            facts["experts"] = ", ".join(experts)
    elif aliases := aliases_of(name):
        facts["in GVGAI"] = ", ".join(aliases)
    return PartDetails(
        kind,
        name,
        described["status"],
        inspect.getdoc(part) or "",
        tuple(parameters_in(part)),
        page_of(kind, name),
        facts,
        example_of(kind, name, part),
    )


def parameters_in(part: Any) -> list[ParameterDetails]:
    """The parameters of a class, with what its source and its limits say about each."""
    from ludex.core.meanings import meanings_of
    from ludex.core.parameters import hints_of, in_reading_order, in_words, write_value

    if not is_dataclass(part):
        return []
    assert isinstance(part, type)
    meanings, hints = meanings_of(part), hints_of(part)
    limits = getattr(part, "LIMITS", {})
    found: list[ParameterDetails] = []
    for item in in_reading_order(part):
        if not item.init:
            continue
        default = "" if item.default is MISSING else write_value(item.default)
        limit = f" {limits[item.name]}" if item.name in limits else ""
        takes = in_words(hints[item.name]) + limit
        found.append(ParameterDetails(item.name, default, takes, meanings.get(item.name, "")))
    return found


def aliases_of(planner: str) -> list[str]:
    from ludex.agents.aliases import ALIASES as ALL

    return [one.name for one in ALL if one.agent.partition("(")[0] == planner != one.name]


def page_of(kind: str, name: str) -> str:
    """The page of one of our parts, from the root of the repository; empty where it has none.

    >>> page_of("planners", "mcts"), page_of("agents", "pig/optimal"), page_of("worlds", "vgdl")
    ('docs/planners/mcts.md', 'docs/worlds/pig.md', 'docs/vgdl.md')
    """
    if kind in EXPERIMENTS:
        return "docs/reproduce.md"
    if kind == ALIASES:
        return "docs/from_gvgai.md"
    if kind == "games" and name.startswith("vgdl/"):
        return f"docs/games/{name.partition('/')[2]}.md"
    if not is_ours(kind, name):
        return ""
    if name == "vgdl":
        return "docs/vgdl.md"
    if name == "human":
        return "docs/cli.md"
    if kind == "agents":
        world = "hearthstone_nora" if name in NORA else name.partition("/")[0]
        return f"docs/worlds/{world}.md"
    return f"docs/{'worlds' if kind == 'games' else kind}/{name}.md"


def is_ours(kind: str, name: str) -> bool:
    """Whether a part comes with ludex, and not with another package."""
    from ludex.core import registry

    group: Any = "worlds" if kind == "games" else kind
    return registry.places(group).get(name, "").startswith("ludex.")


def example_of(kind: str, name: str, part: Any) -> str:
    """A command that uses a part; empty where it takes more than a line, such as a model file."""
    from ludex.core import registry

    if kind == "planners":
        worlds = map(registry.world, EXAMPLE_WORLDS)
        suited = [one for one in worlds if part().refusal(one.traits) is None]
        return seated(suited[0], name, "--watch") if suited else ""
    if kind == "models":
        return (
            f"ludex play nim --agents mcts@{name},uniform" if name in ("true", "believed") else ""
        )
    if name == "human":
        return "ludex play vgdl/aliens --agents human"
    world = name.partition("/")[0]
    needs_file = any(item.name == "file" for item in fields(part))
    if needs_file or world not in registry.names("worlds") or world == "vgdl":
        return ""
    return seated(registry.world(world), name if kind == "agents" else "uniform")


def seated(world: Any, first: str, *options: str) -> str:
    """The command that plays a world with an agent at its first seat, and others at random."""
    agents = [first, *["uniform"] * (world.traits.seats - 1)]
    return " ".join(["ludex play", str(world), "--agents", ",".join(agents), *options])


def game_details(name: str) -> PartDetails:
    """A game of a world that holds several, or a world that is one game."""
    from ludex.core import registry
    from ludex.worlds.vgdl.world import Vgdl

    if "/" not in name:
        return registered_details("worlds", name)
    world = registry.world(name)
    title, rules = world.description if isinstance(world, Vgdl) else (name, "")
    facts = {"players": str(world.traits.seats)}
    if isinstance(world, Vgdl):
        levels = len(list(world.paths[0].parent.glob("level*.txt")))
        facts["levels"] = f"0 to {levels - 1}"
        facts["ends when"] = "; ".join(world.model.reasons)
        facts["options"] = "those of ludex list worlds vgdl"
    return PartDetails(
        "games",
        name,
        type(world).status,
        f"{title}. {rules}",
        page=page_of("games", name),
        facts=facts,
        example=seated(world, "human"),
    )


def experiment_details(name: str) -> PartDetails:
    from ludex.experiments.catalogue import experiments, surveys

    known: dict[str, Any] = {**experiments(), **surveys()}
    name = next((one for one in known if one.casefold() == name.casefold()), name)
    one = known[found_name("studies", name)]
    return PartDetails(
        "studies",
        name,
        "ready",
        f"{one.title}\n\n{inspect.getdoc(one) or ''}",
        page=page_of("studies", name),
        facts={"source": one.source},
        example=f"ludex reproduce {name} --scale tiny",
    )


def alias_details(name: str) -> PartDetails:
    """A controller of GVGAI, and the agent it stands for with its settings."""
    from ludex.agents.aliases import BY_KEY, key_of, unknown_agent
    from ludex.core.names import read_agent

    alias = BY_KEY.get(key_of(name))
    if alias is None:
        raise unknown_agent(name, [])
    named, _ = read_agent(alias.agent)
    inner = details_of("agents", named.name)
    given = dict(named.arguments)
    return PartDetails(
        ALIASES,
        alias.name,
        inner.status,
        f"{alias.meaning}.\n\n{inner.about}",
        tuple(
            ParameterDetails(one.name, given.get(one.name, one.default), one.takes, one.meaning)
            for one in inner.parameters
        ),
        page_of(ALIASES, alias.name),
        {"stands for": alias.agent, "its page": inner.page},
        f"ludex play vgdl/aliens --agents {alias.name} --watch",
    )
