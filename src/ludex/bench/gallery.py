"""A page with picture, rules and figures for each of our own games, and one for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from ludex.arena.pictures.writing import write_frames
from ludex.bench.levels import (
    IDLE,
    RANDOM,
    TOGETHER,
    LevelFigures,
    LevelGame,
    LevelTask,
    check_players,
    levels_of,
    play_missing,
    summary,
    tasks,
)
from ludex.core.budget import Budget
from ludex.worlds.vgdl.language.ontology import SPRITES
from ludex.worlds.vgdl.tools import sheets
from ludex.worlds.vgdl.tools.wins import played, wins
from ludex.worlds.vgdl.world import Vgdl
from ludex.worlds.vgdl.world import games as our_games

FILMED = ("pacman", "boulderdash")
"""games whose wins are shown as films"""
AGENTS = ("olets", "open_loop_mcts")
"""the last is the search tree that GVGAI calls MCTS"""
KEPT = "figures.json"
FILM_CELL, FILM_FPS = 14, 20
HEADS = {IDLE: "doing nothing", RANDOM: "random", "open_loop_mcts": "MCTS", "olets": "OLETS"}
DUEL = (
    "A duel: somebody wins it however badly both play, so `random` wins many games against "
    "another `random` player. Doing nothing wins none."
)


def write_gallery(
    folder: Path,
    agents: Sequence[str] = AGENTS,
    *,
    only: str | None = None,
    games: int = 2,
    budget: str = "900calls",
    cell: int = 20,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[str]:
    """Write a page with picture, rules, traits and agents' scores for each of our games.

    What agents reached is kept in a file beside the pages, and only what is missing is played.

    Args:
        folder: Where the pages go.
        agents: Whose scores stand beside those of random play.
        only: One game alone; the page of all is left as it is.
        games: Games of each agent on each level.
        budget: For each decision.
        cell: Pixels of a cell of the pictures.
        workers: Processes that play.
        progress: Called with how many tasks are done, of how many.

    Returns:
        The names of the games that have a new page.
    """
    Budget.parse(budget)
    check_players(agents)
    names = [name for name, _ in our_games() if only in (None, name)]
    wanted = {
        name: [tasks(world, agents, games, budget) for world in levels_of(name)] for name in names
    }
    figures = LevelFigures(folder / KEPT)
    every = [task for levels in wanted.values() for level in levels for task in level]
    play_missing(figures, every, workers, progress)
    for name in names:
        sheets.page_picture(name, cell).save(folder / f"{name}.png", optimize=True)
        write_page(folder, name, wanted[name], figures)
    if only is None:
        figures.keep_only(every)
        write_index(folder, wanted, figures)
        write_sheets(folder, names)
    return names


def write_sheets(folder: Path, names: Sequence[str]) -> None:
    """Pictures of all games and all glyphs, and films of wins."""
    sheets.contact_sheet(names).save(folder / "contact.png", optimize=True)
    sheets.glyph_sheet().save(folder / "glyphs.png", optimize=True)
    for name in FILMED:
        write_film(folder, name)


def write_film(folder: Path, name: str) -> None:
    """A film of the win of the middle level."""
    kept = wins(name)
    win = kept[len(kept) // 2]
    world = Vgdl(game=name, level=win.level)
    write_frames(folder / f"{name}.webp", world, list(played(world, win)), FILM_CELL, FILM_FPS)


def traits_of(name: str) -> dict[str, str]:
    """What a player should know before the first move."""
    world = Vgdl(game=name)
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


def head(task: LevelTask) -> str:
    """Who plays, and how often on each level."""
    games = "1 game" if task.games == 1 else f"{task.games} games"
    return f"{HEADS.get(task.agent, f'`{task.agent}`')}, {games}"


def write_page(
    folder: Path, name: str, levels: Sequence[list[LevelTask]], figures: LevelFigures
) -> None:
    """The page of a game: picture, rules, traits, and how agents fare on each level."""
    world = Vgdl(game=name)
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


def together(figures: LevelFigures, wanted: Sequence[LevelTask]) -> list[LevelGame]:
    return [game for task in wanted for game in figures.of(task)]


def write_index(
    folder: Path, wanted: dict[str, list[list[LevelTask]]], figures: LevelFigures
) -> None:
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
        world = Vgdl(game=name)
        title, rules = world.description
        sentence = re.split("[.?!]", rules)[0]
        chance = "yes" if world.traits.sampled_chance else "no"
        cells = [summary(together(figures, [level[at] for level in levels])) for at in shown]
        lines.append(f"| [{title}]({name}.md) | {sentence} | {chance} | {' | '.join(cells)} |")
    lines += ["", *hardness(wanted, figures, heads)]
    lines += ["", "```{toctree}", ":hidden:", ":glob:", "", "*", "```"]
    (folder / "index.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def hardness(
    wanted: dict[str, list[list[LevelTask]]], figures: LevelFigures, heads: Sequence[str]
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
