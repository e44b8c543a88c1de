"""Report page of a learned model: accuracy, calibration, errors, learning curve, rules.

A model file holds what was learned, not its accuracy. So new random games are played and predicted
step by step, and a fresh learner with the same parameters is trained for the learning curve.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludex.arena.report.model_exams import Exam, ObjectExam, TileExam, action_words
from ludex.arena.report.sheet import sheet
from ludex.core.errors import BadParameter
from ludex.core.rng import Rng
from ludex.core.version import package_version
from ludex.core.whole_file import write_whole
from ludex.core.world import World
from ludex.models.learned.explain.accuracy import calibration
from ludex.models.learned.explain.diagnosis import StripFrame, learning_curve, strip, telling_runs
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.training.files import load_any
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import Transition, random_play

FRAMES = 8  # of a film strip, after the first
HALVINGS = 6  # of the training data: points of the learning curve
MOST_LESSONS = 10_000  # the most transitions for the learning curve
STAGES = ("playing", "predicting", "learning curve", "rules")


def write_model_page(
    file: Path,
    world: World,
    out: Path,
    *,
    steps: int = 500,
    seed: int = 0,
    progress: Callable[[str], None] = lambda stage: None,
) -> dict[str, Any]:
    """Write the report page of a model file; return its data.

    Args:
        file: The model.
        world: The world to evaluate it in.
        out: The page to write.
        steps: Random moves to predict.
        seed: The random seed.
        progress: Called with the next stage, one of STAGES.
    """
    learner = load_any(file)
    document = {
        "file": file.name,
        "ludex": package_version(),
        "steps": steps,
        "seed": seed,
        **evaluated(learner, world, steps, seed, progress),
    }
    write_whole(out, sheet(f"{learner}: a model of {world}", "model.js", document).encode())
    return document


def evaluated(
    learner: GameLearner, world: World, steps: int, seed: int, progress: Callable[[str], None]
) -> dict[str, Any]:
    """The data of the page as plain values."""
    progress("playing")
    view = world.model.view(world.start(Rng(seed).fork("show", "start")), 0)
    learner.refuse(world.traits, view)
    fresh = played(learner, world, view, steps, Rng(seed).fork("show", "fresh"))
    if not fresh:
        raise BadParameter(
            f"{world} is over before it begins, so there is nothing to predict; name another with "
            "--world"
        )
    progress("predicting")
    exam = exam_of(learner, world, fresh)
    document = {
        "model": str(learner),
        "world": str(world),
        "transitions": learner.seen_,
        "told": learner.told(),
        "noun": exam.noun,
        "accuracy": learner.accuracy(fresh),
        "calibration": [asdict(one) for one in calibration(exam.predictions)],
        "confusions": exam.confusions(),
        "errors": exam.errors(),
        "wrong": exam.wrong,
        "strips": [
            [framed(one, world) for one in strip(exam.model, run, exam.look)]
            for run in telling_runs(fresh, exam.predictions, FRAMES)
        ],
    }
    progress("learning curve")
    lessons = min(learner.seen_, MOST_LESSONS)
    seen = played(learner, world, view, lessons, Rng(seed).fork("show", "curve"))
    sizes = sorted({max(1, len(seen) >> halving) for halving in range(HALVINGS)})
    document["curve"] = [
        {"transitions": size, **found}
        for size, found in learning_curve(learner, seen, fresh, sizes)
    ]
    progress("rules")
    chapters = [asdict(one) for one in exam.chapters()]
    return {**document, "chapters": chapters, **exam.tiles()}


def exam_of(learner: Any, world: World, fresh: list[Transition]) -> Exam:
    kind = ObjectExam if isinstance(learner, ObjectBased) else TileExam
    return kind(learner, world, fresh)


def framed(frame: StripFrame, world: World) -> dict[str, Any]:
    verb = "" if frame.action is None else action_words(world, frame.action)
    grids = {name: getattr(frame, name).tolist() for name in ("came", "said", "imagined")}
    return {"verb": verb, **grids}


def played(learner: GameLearner, world: World, view: Any, steps: int, rng: Rng) -> list[Transition]:
    played = random_play(world.model, view, steps, rng, learner.restart)
    return [learner.as_joint(one) for one in played]
