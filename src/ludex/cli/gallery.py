"""`ludex vgdl gallery`: a page with a picture for each of our own games, and one for all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.options import Workers, counted, whole

if TYPE_CHECKING:
    from PIL.Image import Image

    from ludex.worlds.vgdl.world import Vgdl

LEVELS = 5
SHEET_CELL = 12
SHEET_COLUMNS = 4
SHEET_GAP = 10
PAPER, INK = (236, 236, 230), (60, 62, 70)
ALL_SIDES = 15
FILMED = ("pacman", "boulderdash")
"""games whose wins are shown as films"""
FILM_CELL, FILM_FPS = 14, 20
COLOURS = 96  # of a picture on a page, which keeps its file small
PREFERRED = ("uniform", "olets", "open_loop_mcts")
"""the last is the search tree that GVGAI calls MCTS"""
TOGETHER = ("fire_brigade", "two_thieves")
"""games whose players win together; in the others the second player is uniform"""


@dataclass(frozen=True, slots=True)
class Showing:
    """How an agent did in a game."""

    agent: str
    wins: int
    games: int
    score: float
    ticks: float

    @property
    def text(self) -> str:
        return f"{self.wins}/{self.games}, {self.score:.1f}"


def gallery(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the pages go.")],
    agents: Annotated[
        str | None,
        typer.Option(help="Whose scores to show; else uniform, olets and mcts as far as known."),
    ] = None,
    only: Annotated[
        str | None, typer.Option("--game", help="One game alone; the page of all is left as it is.")
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            parser=whole("--games", 1, 1000), metavar="N", help="Games of each agent on each level."
        ),
    ] = 2,
    budget: Annotated[str, typer.Option(help="For each decision.")] = "300calls",
    cell: Annotated[
        int, typer.Option(parser=whole("--cell", 4, 100), metavar="PX", help="Pixels of a cell.")
    ] = 20,
    workers: Workers = 2,
) -> None:
    """Write a page with picture, rules, traits and agents' scores for each of our games."""
    from ludex.cli import screen
    from ludex.cli.options import read_choice
    from ludex.core.errors import BadParameter
    from ludex.worlds.vgdl.parallel import in_processes
    from ludex.worlds.vgdl.world import games as our_games

    if not folder.is_dir():
        raise BadParameter(f"cannot write in {str(folder)!r}: there is no such folder")
    names = [name for name, _ in our_games()]
    if only is not None:
        names = [read_choice(only, names, "game")]
    playing = agents.split(",") if agents is not None else known_agents()
    shown: dict[str, list[Showing]] = {name: [] for name in names}
    jobs = [Job(name, agent, games, budget) for name in names for agent in playing]
    with screen.progress(screen.messages()) as progress:
        task = progress.add_task("playing", total=len(jobs))
        for job, result in zip(jobs, in_processes(showing, jobs, workers), strict=True):
            shown[job.game].append(result)
            progress.advance(task)
            if len(shown[job.game]) == len(playing):
                write_page(folder, job.game, shown[job.game], budget, cell)
    if only is None:
        write_index(folder, shown, budget, games)
        contact_sheet(names).save(folder / "contact.png", optimize=True)
        glyph_sheet().save(folder / "glyphs.png", optimize=True)
        for name in FILMED:
            write_film(folder, name)
    console = screen.answers()
    console.print(f"wrote {counted(len(names), 'page')} in {folder}", soft_wrap=True)


def known_agents() -> list[str]:
    from ludex.core import registry

    known = registry.names("planners")
    return [name for name in PREFERRED if name in known]


def world_of(name: str, level: int = 0) -> Vgdl:
    from ludex.worlds.vgdl.world import Vgdl

    return Vgdl(game=name, level=level)


@dataclass(frozen=True, slots=True)
class Job:
    """What one process plays."""

    game: str
    agent: str
    games: int
    budget: str


def showing(job: Job) -> Showing:
    """Let an agent play every level, always with the same seeds."""
    from ludex.arena.tournament import play_many

    results: list[Any] = []
    for level in range(LEVELS):
        world = world_of(job.game, level)
        others = world.traits.seats - 1
        seated = [job.agent, *([job.agent if job.game in TOGETHER else "uniform"] * others)]
        results += play_many(world, seated, games=job.games, seed=level, budget=job.budget)
    return Showing(
        job.agent,
        sum(0 in result.winners for result in results),
        len(results),
        fmean(result.scores[0] for result in results),
        fmean(result.ticks for result in results),
    )


# Pictures


def moment(name: str) -> tuple[Vgdl, Any]:
    """A state worth looking at: in the middle of the win of the middle level."""
    from ludex.core.rng import Rng
    from ludex.worlds.vgdl.wins import played, wins

    kept = wins(name)
    if not kept:
        world = world_of(name)
        return world, world.start(Rng(0))
    win = kept[len(kept) // 2]
    world = world_of(name, win.level)
    states = list(played(world, win))
    return world, states[min(len(states) // 2, 150)]


def picture(name: str, cell: int) -> Image:
    from PIL import Image

    world, state = moment(name)
    return Image.fromarray(world.pixels(state, cell))


def contact_sheet(names: Sequence[str]) -> Image:
    """All games in one picture."""
    from PIL import Image

    from ludex.worlds.vgdl.picture import BACK

    pictures = [picture(name, SHEET_CELL) for name in names]
    width = max(one.width for one in pictures) + SHEET_GAP
    rows = [pictures[at : at + SHEET_COLUMNS] for at in range(0, len(pictures), SHEET_COLUMNS)]
    heights = [max(one.height for one in row) + SHEET_GAP for row in rows]
    sheet = Image.new("RGB", (SHEET_COLUMNS * width + SHEET_GAP, sum(heights) + SHEET_GAP), BACK)
    top = SHEET_GAP
    for row, height in zip(rows, heights, strict=True):
        for column, one in enumerate(row):
            left = SHEET_GAP + column * width + (width - SHEET_GAP - one.width) // 2
            sheet.paste(one, (left, top + (height - SHEET_GAP - one.height) // 2))
        top += height
    return sheet.quantize(COLOURS * 2)


def write_film(folder: Path, name: str) -> None:
    """A film of the win of the middle level."""
    from ludex.arena.film import write_frames
    from ludex.worlds.vgdl.wins import played, wins

    kept = wins(name)
    win = kept[len(kept) // 2]
    world = world_of(name, win.level)
    write_frames(folder / f"{name}.webp", world, list(played(world, win)), FILM_CELL, FILM_FPS)


def glyph_sheet() -> Image:
    """All glyphs with their names."""
    from PIL import Image, ImageDraw, ImageFont

    from ludex.worlds.vgdl.glyphs import glyphs
    from ludex.worlds.vgdl.looks import Look
    from ludex.worlds.vgdl.picture import painted
    from ludex.worlds.vgdl.scene import SHADES

    side, step, columns = 44, 72, 13
    rows = -(-len(glyphs()) // columns)
    sheet = Image.new("RGB", (columns * step, rows * step), PAPER)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(10)
    shades = [shade for name, shade in SHADES.items() if name not in ("BLACK", "WHITE")]
    for number, glyph in enumerate(glyphs().values()):
        left, top = number % columns * step, number // columns * step
        mask = ALL_SIDES if glyph.joins else 0
        look = Look(glyph, shades[number % len(shades)])
        drawn = painted(look, side, side, 0.0, False, mask)
        sheet.paste(drawn, (left + (step - side) // 2, top + 6), drawn)
        pen.text((left + step / 2, top + side + 16), glyph.name, INK, font, anchor="mm")
    return sheet.quantize(COLOURS * 2)


# Pages


def traits_of(name: str) -> dict[str, str]:
    """What a player should know before the first move."""
    from ludex.worlds.vgdl.ontology import SPRITES
    from ludex.worlds.vgdl.wins import wins

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


def write_page(folder: Path, name: str, shown: Sequence[Showing], budget: str, cell: int) -> None:
    title, rules = world_of(name).description
    picture(name, cell).quantize(COLOURS).save(folder / f"{name}.png", optimize=True)
    lines = [f"# {title}", "", f"![{title}]({name}.png)", "", rules, ""]
    lines += ["| | |", "|---|---|"]
    lines += [f"| {word} | {value} |" for word, value in traits_of(name).items()]
    people = ",".join(["human"] * world_of(name).traits.seats)
    lines += ["", f"Play it: `ludex play vgdl/{name} --agents {people}`", ""]
    if shown:
        lines += [
            f"{counted(shown[0].games, 'game')} of each agent over the five levels, {budget} for "
            "each decision:",
            "",
            "| agent | wins | mean score | mean ticks |",
            "|---|--:|--:|--:|",
        ]
        lines += [
            f"| `{one.agent}` | {one.wins}/{one.games} | {one.score:.1f} | {one.ticks:.0f} |"
            for one in shown
        ]
    (folder / f"{name}.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def write_index(folder: Path, shown: dict[str, list[Showing]], budget: str, games: int) -> None:
    agents = [one.agent for one in next(iter(shown.values()))]
    command = f"ludex vgdl gallery {folder} --agents {','.join(agents)} --games {games}"
    if budget != "300calls":
        command += f" --budget {budget}"
    lines = [
        "# Our own games",
        "",
        f"{len(shown)} games, five levels each. Wins and mean score of each agent over "
        f"{counted(LEVELS * games, 'game')}, {budget} for each decision; in the games for two "
        "the second player is `uniform`, but where both win together. Made by "
        f"`{command}`.",
        "",
        "![All games](contact.png)",
        "",
        "How two of them are won:",
        "",
        *(f"![{name}]({name}.webp)" for name in FILMED),
        "",
        f"| game | | chance | {' | '.join(f'`{agent}`' for agent in agents)} |",
        f"|---|---|---|{'--:|' * len(agents)}",
    ]
    for name, showings in shown.items():
        world = world_of(name)
        title, rules = world.description
        first = re.split("[.?!]", rules)[0]
        chance = "yes" if world.traits.sampled_chance else "no"
        scores = " | ".join(one.text for one in showings)
        lines.append(f"| [{title}]({name}.md) | {first} | {chance} | {scores} |")
    lines += ["", "```{toctree}", ":hidden:", ":glob:", "", "*", "```"]
    (folder / "index.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
