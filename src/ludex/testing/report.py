"""Runs checks one after the other and keeps what each found."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.core.crash_site import crash_site
from ludex.core.errors import LudexError, in_a_line
from ludex.core.planner import Agent
from ludex.core.world import World
from ludex.testing.checks.planners import ALSO_WHERE_REFUSED, refusal_in


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found."""

    check: str
    passed: bool
    message: str
    """empty when it passed, else one sentence"""
    seconds: float
    trace: str = ""
    """the traceback, where the planner's, model's or world's own code failed"""
    refused: str = ""
    """why there was nothing to check: the planner refuses the world"""


def run_checks(checks: Sequence[Callable[..., None]], *subject: Any) -> Iterator[CheckResult]:
    """Run each check on the subject; a check that fails or crashes does not stop the rest.

    >>> from ludex.core import registry
    >>> from ludex.testing import WORLD_CHECKS
    >>> all(result.passed for result in run_checks(WORLD_CHECKS[:3], registry.world("nim")))
    True
    """
    for check in checks:
        began = time.perf_counter()
        message = trace = ""
        try:
            check(*subject)
        except Exception as error:
            message, trace = told(check.__name__, error)
        seconds = time.perf_counter() - began
        yield CheckResult(check.__name__, not message, message, seconds, trace)


def run_planner_checks(
    checks: Sequence[Callable[[Agent, World], None]], planner: Agent, world: World
) -> Iterator[CheckResult]:
    """Run checks of a planner; where it refuses the world, those that need a game are not run.

    >>> from ludex.core import registry
    >>> from ludex.planners.minimax import Minimax
    >>> from ludex.testing import PLANNER_CHECKS
    >>> poker = registry.world("kuhn_poker")
    >>> found = list(run_planner_checks(PLANNER_CHECKS[2:3], Minimax(), poker))
    >>> found[0].passed, bool(found[0].refused)
    (True, True)
    """
    try:
        reason = refusal_in(planner, world)
    except Exception:  # the first check tells what is wrong
        reason = ""
    for check in checks:
        if reason and check not in ALSO_WHERE_REFUSED:
            yield CheckResult(check.__name__, True, "", 0.0, refused=reason)
        else:
            yield from run_checks([check], planner, world)


def told(check: str, error: Exception) -> tuple[str, str]:
    """What went wrong in a sentence, with the line of the user's own file; and the traceback."""
    where = crash_site(error)
    is_verdict = isinstance(error, (AssertionError, LudexError)) and str(error)
    message = str(error) if is_verdict else f"{check} stopped with {in_a_line(error)}"
    if is_verdict and where is None:
        return message, ""
    trace = "".join(traceback.format_exception(error))
    return message if where is None else f"{message}, at {where}", trace
