"""Rates and short times as a reader grasps them."""

from __future__ import annotations


def large(rate: float) -> str:
    """Write a rate with its size in words a reader grasps.

    >>> large(5_123_456.0), large(81_234.0), large(912.0)
    ('5.12 M', '81.2 k', '912')
    """
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g} {letter}"
    return f"{rate:.3g}"


def short_time(seconds: float) -> str:
    """Write a short time.

    >>> short_time(2.5e-8), short_time(0.0021)
    ('25 ns', '2.1 ms')
    """
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
