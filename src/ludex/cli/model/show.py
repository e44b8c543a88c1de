"""`ludex model show`: look inside a fitted model, on a page of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludex.cli.shared.options import Json, check_writable, read_world, whole

if TYPE_CHECKING:
    from ludex.core.world import World


def show(
    file: Annotated[Path, typer.Argument(metavar="MODEL", help="As `ludex model fit` keeps it.")],
    world: Annotated[
        str | None,
        typer.Option(metavar="WORLD", help="Where it is tested; if not given, where it learned."),
    ] = None,
    steps: Annotated[
        int,
        typer.Option(
            parser=whole("--steps", 1, 100_000), metavar="N", help="Random moves to predict."
        ),
    ] = 500,
    seed: Annotated[int, typer.Option(help="Where their chance starts.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="PAGE", help="The page to write; if not given, beside the model."),
    ] = None,
    json: Json = False,
) -> None:
    """Put a model to the test and write a page about it: accuracy, errors, rules, a film strip."""
    from ludex.arena.report.model_page import STAGES, write_model_page
    from ludex.cli.shared import screen

    tested = world_of(file, world)
    page = out or file.with_name(f"{file.name}.html")
    check_writable(page)
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task(STAGES[0], total=len(STAGES))

        def tell(stage: str) -> None:
            bar.update(task, description=stage, completed=STAGES.index(stage))

        document = write_model_page(file, tested, page, steps=steps, seed=seed, progress=tell)
    if json:
        screen.print_json({"page": str(page), **document})
        return
    accuracy, nouns = document["accuracy"], f"{document['noun']}s"
    whole_ones = "grids" if "grids" in accuracy else "states"
    parts = "objects" if nouns == "things" else nouns
    screen.answers().print(
        f"{document['model']} predicts {accuracy[f'changed_{nouns}']:.1%} of {parts} that change "
        f"and {accuracy[whole_ones]:.1%} of whole {whole_ones} of {document['world']}; the page is "
        f"{page}",
        soft_wrap=True,
    )


def world_of(file: Path, name: str | None) -> World:
    """The world that was named, or the first one that the model learned from."""
    from ludex.arena.match.replay import refuse_python
    from ludex.core.errors import BadParameter
    from ludex.models.learned.training.files import worlds_of

    known = worlds_of(file)  # a damaged file is refused first
    if name is None and not known:
        raise BadParameter(
            f"{str(file)!r} does not say which world its model learned from; name one with --world"
        )
    if name is None:
        refuse_python(known[0], f"the model in {str(file)!r}")
    return read_world(name or known[0])
