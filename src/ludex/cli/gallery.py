"""`ludex vgdl gallery`: a page with a picture for each of our own games, and one for all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludex.cli.figures import IDLE, RANDOM, TOGETHER, Figures, Played, Task, summary, tasks
from ludex.cli.options import Workers, counted, whole

if TYPE_CHECKING:
    from ludex.worlds.vgdl.world import Vgdl

FILMED = ("pacman", "boulderdash")
"""games whose wins are shown as films"""
AGENTS = "olets,open_loop_mcts"
"""the last is the search tree that GVGAI calls MCTS"""
KEPT = "figures.json"
HEADS = {IDLE: "doing nothing", RANDOM: "random", "open_loop_mcts": "MCTS", "olets": "OLETS"}
DUEL = (
    "A duel: somebody wins it however badly both play, so `random` wins many games against "
    "another `random` player. Doing nothing wins none."
)


def gallery(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the pages go.")],
    agents: Annotated[str, typer.Option(help="Whose scores to show beside random play.")] = AGENTS,
    only: Annotated[
        str | None, typer.Option("--game", help="One game alone; the page of all is left as it is.")
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            parser=whole("--games", 1, 1000), metavar="N", help="Games of each agent on each level."
        ),
    ] = 2,
    budget: Annotated[str, typer.Option(help="For each decision.")] = "900calls",
    cell: Annotated[
        int, typer.Option(parser=whole("--cell", 4, 100), metavar="PX", help="Pixels of a cell.")
    ] = 20,
    workers: Workers = 2,
) -> None:
    """Write a page with picture, rules, traits and agents' scores for each of our games.

    What agents reached is kept in a file beside the pages, and only what is missing is played.
    """
    from ludex.cli import screen, sheets
    from ludex.cli.figures import levels_of, play_missing, read_players
    from ludex.cli.options import read_choice
    from ludex.core.budget import Budget
    from ludex.core.errors import BadParameter
    from ludex.worlds.vgdl.world import games as our_games

    if not folder.is_dir():
        raise BadParameter(f"cannot write in {str(folder)!r}: there is no such folder")
    Budget.parse(budget)
    names = [name for name, _ in our_games()]
    if only is not None:
        names = [read_choice(only, names, "game")]
    playing = read_players(agents)
    if not playing:
        raise BadParameter(f"--agents names nobody; write --agents {AGENTS}")
    wanted = {
        name: [tasks(world, playing, games, budget) for world in levels_of(name)] for name in names
    }
    figures = Figures(folder / KEPT)
    every = [task for levels in wanted.values() for level in levels for task in level]
    play_missing(figures, every, workers, quiet=False)
    for name in names:
        sheets.page_picture(name, cell).save(folder / f"{name}.png", optimize=True)
        write_page(folder, name, wanted[name], figures)
    if only is None:
        figures.keep_only(every)
        write_index(folder, wanted, figures)
        sheets.contact_sheet(names).save(folder / "contact.png", optimize=True)
        sheets.glyph_sheet().save(folder / "glyphs.png", optimize=True)
        for name in FILMED:
            sheets.write_film(folder, name)
    screen.answers().print(f"wrote {counted(len(names), 'page')} in {folder}", soft_wrap=True)


def world_of(name: str, level: int = 0) -> Vgdl:
    from ludex.worlds.vgdl.world import Vgdl

    return Vgdl(game=name, level=level)


def traits_of(name: str) -> dict[str, str]:
    """What a player should know before the first move."""
    from ludex.worlds.vgdl.language.ontology import SPRITES
    from ludex.worlds.vgdl.tools.wins import wins

    world = world_of(name)
    game = world.definition
    leaves = [game.types[kind] for kind in game.order]
    hidden = [
        sprite.name
        for sprite in leaves
        if any(sprite.values.get("hidden") or ()) and any(sprite.values.get("invisible") or ())
    ]
    resources = [one.name for one in game.types if one.class_name in ("Resource", "ResourcePack")]
    avatars = {
        sprite.class_name
        for sprite in leaves
        if sprite.class_name and SPRITES[sprite.class_name].avatar
    }
    lengths = [len(win.inputs) for win in wins(name)]
    physics = {sprite.values.get("physicstype") for sprite in leaves}
    return {
        "players": str(game.players) + (" together" if name in TOGETHER else ""),
        "chance": "yes" if world.traits.sampled_chance else "none: the same keys, the same game",
        "physics": "continuous" if 1 in physics else "grid",
        "avatar": ", ".join(f"`{one}`" for one in sorted(avatars)),
        "hidden": ", ".join(hidden) or "nothing",
        "resources": ", ".join(dict.fromkeys(resources)) or "none",
        "ticks of a win": ", ".join(map(str, lengths)) or "unknown",
    }


def head(task: Task) -> str:
    """Who plays, and how often on each level."""
    return f"{HEADS.get(task.agent, f'`{task.agent}`')}, {counted(task.games, 'game')}"


def write_page(folder: Path, name: str, levels: Sequence[list[Task]], figures: Figures) -> None:
    """The page of a game: picture, rules, traits, and how agents fare on each level."""
    world = world_of(name)
    title, rules = world.description
    lines = [f"# {title}", "", f"![{title}]({name}.png)", "", rules, ""]
    lines += ["| | |", "|---|---|"]
    lines += [f"| {word} | {value} |" for word, value in traits_of(name).items()]
    people = ",".join(["human"] * world.traits.seats)
    lines += ["", f"Play it: `ludex play vgdl/{name} --agents {people}`", ""]
    if world.traits.seats > 1 and name not in TOGETHER:
        lines += [DUEL, ""]
    lines += [
        f"Games won and mean score on each level; agents may spend {levels[0][-1].budget} on a "
        "decision:",
        "",
        f"| level | {' | '.join(map(head, levels[0]))} |",
        f"|--:|{'--:|' * len(levels[0])}",
    ]
    for tasks_of_level in levels:
        cells = [summary(figures.of(task)) for task in tasks_of_level]
        lines.append(f"| {tasks_of_level[0].world.level} | {' | '.join(cells)} |")
    (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def together(figures: Figures, wanted: Sequence[Task]) -> list[Played]:
    return [game for task in wanted for game in figures.of(task)]


def write_index(folder: Path, wanted: dict[str, list[list[Task]]], figures: Figures) -> None:
    """The page of all games: pictures, a table of games, and one of levels."""
    first = next(iter(wanted.values()))
    _, random, *agents = first[0]
    budget, games = agents[0].budget, agents[0].games
    command = f"ludex vgdl gallery {folder} --games {games} --budget {budget}"
    shown = range(1, 2 + len(agents))
    heads = [HEADS.get(task.agent, f"`{task.agent}`") for task in (random, *agents)]
    lines = [
        "# Our own games",
        "",
        f"{len(wanted)} games, five levels each: `ludex play vgdl/NAME --agents human`. Made by "
        f"`{command}`.",
        "",
        "![All games](contact.png)",
        "",
        "How two of them are won:",
        "",
        *(f"![{name}]({name}.webp)" for name in FILMED),
        "",
        f"Wins and mean score over the five levels: `uniform` random play in {random.games} games "
        f"on each level; the agents `olets` and `open_loop_mcts` in {games}, {budget} for each "
        "decision. In the games for two the second player is `uniform`, but where both win "
        "together.",
        "",
        f"| game | | chance | {' | '.join(heads)} |",
        f"|---|---|---|{'--:|' * len(heads)}",
    ]
    for name, levels in wanted.items():
        world = world_of(name)
        title, rules = world.description
        sentence = re.split("[.?!]", rules)[0]
        chance = "yes" if world.traits.sampled_chance else "no"
        cells = [summary(together(figures, [level[at] for level in levels])) for at in shown]
        lines.append(f"| [{title}]({name}.md) | {sentence} | {chance} | {' | '.join(cells)} |")
    lines += ["", *hardness(wanted, figures, heads)]
    lines += ["", "```{toctree}", ":hidden:", ":glob:", "", "*", "```"]
    (folder / "index.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def hardness(
    wanted: dict[str, list[list[Task]]], figures: Figures, heads: Sequence[str]
) -> list[str]:
    """A table of what is won on each level, over all games."""
    depth = max(len(levels) for levels in wanted.values())
    lines = [
        "Levels get harder. Games won on each, all games together:",
        "",
        f"| level | {' | '.join(heads)} |",
        f"|--:|{'--:|' * len(heads)}",
    ]
    for level in range(depth):
        cells: list[str] = []
        for at in range(1, 1 + len(heads)):
            played = together(figures, [levels[level][at] for levels in wanted.values()])
            won = sum(one.won for one in played)
            cells.append(f"{won}/{len(played)} ({100 * won / max(1, len(played)):.0f} %)")
        lines.append(f"| {level} | {' | '.join(cells)} |")
    return lines
