"""Runs checks one after the other and keeps what each found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.core.errors import LudexError


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found."""

    check: str
    passed: bool
    message: str
    """empty when it passed, else one sentence"""
    seconds: float


def run_checks(checks: Sequence[Callable[..., None]], *subject: Any) -> Iterator[CheckResult]:
    """Run each check on the subject; a check that fails or crashes does not stop the rest.

    >>> from ludex.core import registry
    >>> from ludex.testing import WORLD_CHECKS
    >>> all(result.passed for result in run_checks(WORLD_CHECKS[:3], registry.world("nim")))
    True
    """
    for check in checks:
        began = time.perf_counter()
        message = ""
        try:
            check(*subject)
        except (AssertionError, LudexError) as error:
            message = str(error)
        except Exception as error:
            message = f"{check.__name__} stopped with {type(error).__name__}: {error}"
        yield CheckResult(check.__name__, not message, message, time.perf_counter() - began)
