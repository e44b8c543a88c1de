"""The page of a learned model: what it foretells, where it errs, and what it holds to be true.

A model file holds what was learned, not how well that went. So the game is played anew: random
play that the model has not seen is foretold step by step, and a pupil with the same parameters
learns from nothing, to see how accuracy grew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludex.arena.match import package_version
from ludex.arena.report.sheet import sheet
from ludex.core.errors import BadParameter
from ludex.core.rng import Rng
from ludex.core.tiles import tiles_of
from ludex.core.whole_file import write_whole
from ludex.core.world import World
from ludex.models.learned.parts.accuracy import ANY, accuracy_of, calibration, forecasts
from ludex.models.learned.parts.diagnosis import (
    Frame,
    confusion,
    errors,
    learning_curve,
    movers,
    strip,
    telling_runs,
)
from ludex.models.learned.parts.files import load_any
from ludex.models.learned.parts.rules import Words
from ludex.models.learned.parts.tile_learner import TileLearner
from ludex.models.learned.parts.transitions import Transition, random_play
from ludex.models.learned.parts.vocabulary import Vocabulary

FRAMES = 8  # of a film strip, after the first
PATTERNS = 24  # wrong ones that are drawn
WIDEST = 2  # cells around a wrong one
HALVINGS = 6  # of what the pupil learns from: points of the learning curve
MOST_LESSONS = 10_000  # transitions that the pupil learns from
STAGES = ("playing", "foretelling", "learning anew", "reading")


def write_model_page(
    file: Path,
    world: World,
    out: Path,
    *,
    steps: int = 500,
    seed: int = 0,
    progress: Callable[[str], None] = lambda stage: None,
) -> dict[str, Any]:
    """Write the page of a model file; returns the document that it shows.

    Args:
        file: The model.
        world: Where it is put to the test.
        out: The page to write.
        steps: Random moves that are foretold.
        seed: Where their chance starts.
        progress: Told what is done next, one of STAGES.
    """
    learner = load_any(file)
    if not isinstance(learner, TileLearner):
        raise BadParameter(
            f"{str(file)!r} holds a model of another kind ({learner.name}), and the page shows "
            "models of grids of tiles; fit local, or ensemble"
        )
    document = {
        "file": file.name,
        "ludex": package_version(),
        "steps": steps,
        "seed": seed,
        **examined(learner, world, steps, seed, progress),
    }
    write_whole(out, sheet(f"{learner}: a model of {world}", "model.js", document).encode())
    return document


def examined(
    learner: TileLearner, world: World, steps: int, seed: int, progress: Callable[[str], None]
) -> dict[str, Any]:
    """All that the page shows, as plain values."""
    progress("playing")
    view = world.model.view(world.start(Rng(seed).fork("show", "start")), 0)
    learner.refuse(world.traits, view)
    fresh = played(learner, world, view, steps, Rng(seed).fork("show", "fresh"))
    if not fresh:
        raise BadParameter(
            f"{world} is over before it begins, so there is nothing to foretell; name another with "
            "--world"
        )
    progress("foretelling")
    model = learner.model(ANY)
    near = list(forecasts(model, fresh))
    met = errors(fresh, near, min(WIDEST, max(1, learner.margin)))
    said = verbs_of(world, fresh)
    chosen = telling_runs(fresh, near, FRAMES)
    document = {
        "model": str(learner),
        "world": str(world),
        "transitions": learner.seen_,
        "accuracy": accuracy_of(learner, fresh),
        "calibration": [asdict(one) for one in calibration(near)],
        "confusion": [[*pair, times] for pair, times in confusion(near).most_common()],
        "wrong_cells": met.total(),
        "errors": [
            {**asdict(one), "verb": said.get(one.verb, str(one.verb)), "times": times}
            for one, times in met.most_common(PATTERNS)
        ],
        "strips": [[framed(one, said) for one in strip(model, run)] for run in chosen],
    }
    progress("learning anew")
    lessons = min(learner.seen_, MOST_LESSONS)
    seen = played(learner, world, view, lessons, Rng(seed).fork("show", "curve"))
    sizes = sorted({max(1, len(seen) >> halving) for halving in range(HALVINGS)})
    document["curve"] = [
        {"transitions": size, **found}
        for size, found in learning_curve(learner, seen, fresh, sizes)
    ]
    progress("reading")
    words = Words(learner.vocabulary_, learner.verbs_, said)
    document["chapters"] = [asdict(one) for one in learner.chapters(words)]
    return {
        **document,
        "tiles": tiles_drawn(learner.vocabulary_, words),
        "kinds": learner.vocabulary_.kinds,
        "movers": sorted(movers(learner.vocabulary_, near)),
    }


def played(learner: TileLearner, world: World, view: Any, steps: int, rng: Rng) -> list[Transition]:
    return list(random_play(world.model, view, steps, rng, learner.restart))


def verbs_of(world: World, transitions: Sequence[Transition]) -> dict[int, str]:
    """Words for what is done; of an action done to one cell, what is done to whichever."""
    texts: dict[int, set[str]] = {}
    for moment in transitions[:1]:
        shown = tiles_of(moment.before.view)
        assert shown is not None
        for action, act in zip(shown.legal, shown.acts, strict=True):
            texts.setdefault(act.verb, set()).add(world.action_text(action))
    return {
        verb: found.copy().pop() if len(found) == 1 else min(found).split()[0]
        for verb, found in texts.items()
    }


def framed(frame: Frame, said: Mapping[int, str]) -> dict[str, Any]:
    verb = "" if frame.verb is None else said.get(frame.verb, str(frame.verb))
    grids = {name: getattr(frame, name).tolist() for name in ("came", "said", "imagined")}
    return {"verb": verb, **grids}


def tiles_drawn(vocabulary: Vocabulary, words: Words) -> list[dict[str, Any]]:
    """The name of each tile, and the kinds that are drawn in it, by number."""
    return [
        {"name": words.tile(number), "kinds": [vocabulary.kinds.index(kind) for kind in own]}
        for number, own in enumerate(words.kinds)
    ]
