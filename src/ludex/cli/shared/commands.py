"""Groups of commands whose help shows switches without a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


def without_values(parameters: list[Any]) -> list[Any]:
    """Let the help of switches show no `<bool>` behind them, for nobody can give one."""
    for one in parameters:
        if getattr(one, "is_flag", False):
            one.metavar = ""
    return parameters


class Command(TyperCommand):
    """One command."""

    def get_params(self, ctx: Any) -> list[Any]:
        return without_values(super().get_params(ctx))


class Group(TyperGroup):
    """Several commands under one name."""

    def get_params(self, ctx: Any) -> list[Any]:
        return without_values(super().get_params(ctx))


class Commands(typer.Typer):
    """Where commands are registered; help is shown where none is named."""

    def __init__(self, **options: Any) -> None:
        super().__init__(cls=Group, no_args_is_help=True, **options)

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        return super().command(name, cls=Command, **options)
