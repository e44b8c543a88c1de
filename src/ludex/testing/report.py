"""Runs checks one after the other and keeps what each found."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.core.crash_site import crash_site
from ludex.core.errors import LudexError, in_a_line


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


def told(check: str, error: Exception) -> tuple[str, str]:
    """What went wrong in a sentence, with the line of the user's own file; and the traceback."""
    where = crash_site(error)
    is_verdict = isinstance(error, (AssertionError, LudexError)) and str(error)
    message = str(error) if is_verdict else f"{check} stopped with {in_a_line(error)}"
    if is_verdict and where is None:
        return message, ""
    trace = "".join(traceback.format_exception(error))
    return message if where is None else f"{message}, at {where}", trace
