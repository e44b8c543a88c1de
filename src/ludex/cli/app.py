"""The `ludex` command: its commands, and the one place where errors become sentences.

Commands import what they need when they run, so that `ludex --help` answers at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from ludex.cli import arena, hearthstone, model, vgdl
from ludex.cli.bench.command import bench
from ludex.cli.check import check
from ludex.cli.conform import conform
from ludex.cli.draw import draw
from ludex.cli.help import show_help
from ludex.cli.list.command import list_parts
from ludex.cli.new import new
from ludex.cli.play.command import play
from ludex.cli.profile import profile
from ludex.cli.replay import replay
from ludex.cli.reproduce import reproduce
from ludex.cli.shared.commands import Commands
from ludex.cli.shared.debugging import is_debugging
from ludex.cli.showcase.command import showcase
from ludex.cli.signature import signature

FAILED, MISUSED, INTERRUPTED = 1, 2, 130
PROGRAM = "ludex"
LONGEST = 800  # a sentence that quotes more than this hides its point

app = Commands(
    name=PROGRAM,
    help="Play, learn, judge and make games by looking ahead.",
    epilog="Start with: ludex showcase. One command: ludex help play",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("help")(show_help)
app.command("list")(list_parts)
app.command("play")(play)
app.command("replay")(replay)
app.command("draw")(draw)
app.command("bench")(bench)
app.command("profile")(profile)
app.command("check")(check)
app.command("conform")(conform)
app.command("signature")(signature)
app.command("new")(new)
app.command("reproduce")(reproduce)
app.command("showcase")(showcase)
app.add_typer(vgdl.commands, name="vgdl")
app.add_typer(hearthstone.commands, name="hearthstone")
app.add_typer(arena.commands, name="arena")
app.add_typer(model.commands, name="model")


def print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"{PROGRAM} {version(PROGRAM)}")
        raise typer.Exit


@app.callback()
def start(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    """Play, learn, judge and make games by looking ahead."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, 1 failed, 2 misused, 130 interrupted."""
    try:
        with one_interrupt():
            status = app(args=arguments, prog_name=PROGRAM, standalone_mode=False)
            sys.stdout.flush()
    except KeyboardInterrupt:
        return complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has left; point stdout elsewhere so that exit stays silent.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if is_debugging():
            raise
        if type(error).__name__ == "NoArgsIsHelpError":  # its help has been shown
            return 0
        return complain(*explained(error))
    return status if isinstance(status, int) else 0


@contextlib.contextmanager
def one_interrupt() -> Iterator[None]:
    """Let the first Ctrl-C end the command, and no other one cut its last words short."""

    def interrupt(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    # A caller with plans of its own for Ctrl-C keeps them, and so does any thread but the first.
    is_first = threading.current_thread() is threading.main_thread()
    if is_first and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        if is_first and signal.getsignal(signal.SIGINT) is interrupt:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def complain(message: str, status: int) -> int:
    """Print one sentence on standard error, without the middle of a very long one."""
    from ludex.core.printable import in_one_line

    line = in_one_line(message)
    if len(line) > LONGEST:
        line = f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"
    print(f"{PROGRAM}: {line}", file=sys.stderr)
    return status


def explained(error: Any) -> tuple[str, int]:
    """Turn an error into a sentence and an exit status."""
    from ludex.core import errors

    if isinstance(error, errors.LudexError):
        is_misuse = isinstance(error, misuses()) and not isinstance(error, errors.BrokenAgent)
        return str(error), MISUSED if is_misuse else FAILED
    if hasattr(error, "format_message"):  # of typer, or of the click below older versions of it
        return explained_misuse(error), getattr(error, "exit_code", MISUSED)
    if isinstance(error, typer.Abort):
        return "stopped", FAILED
    if isinstance(error, OSError) and error.filename is not None:
        return f"cannot use {str(error.filename)!r}: {error.strerror}", FAILED
    kind = type(error).__name__
    return f"unexpected {kind}: {error} (LUDEX_DEBUG=1 shows where it happened)", FAILED


def misuses() -> tuple[type[Exception], ...]:
    """The errors that another command line would have avoided."""
    from ludex.core import errors

    return (
        errors.UnknownName,
        errors.BadParameter,
        errors.BadAgent,
        errors.InvalidAction,
        errors.IllegalAction,
        errors.AmbiguousAction,
        errors.InvalidState,
        errors.GameOver,
        errors.Unsupported,
        errors.WrongSeats,
    )


def explained_misuse(error: Any) -> str:
    """Say what is wrong with the words of a command, and which command to ask for help."""
    message = error.format_message().strip().rstrip(".")
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else PROGRAM
    return f"{message[:1].lower()}{message[1:]} (see {where} --help)" if message else where
