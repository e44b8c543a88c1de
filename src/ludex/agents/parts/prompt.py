"""Where a person types: a prompt that edits, remembers and completes, or plain lines of a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ludex.agents.parts.wrapping import wrapped_to
from ludex.core.choices import folded, is_within
from ludex.core.paint import plain, safe_in_colour, takes_colours

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

MOST_WHOLE = 24
"""completions that are offered in full; of more, the next word alone"""


class Prompt(Protocol):
    """Asks for a line and shows text."""

    def ask(self, question: str, known: Sequence[str], foot: str) -> str:
        """Return one line; EOFError when there are no more, KeyboardInterrupt on Ctrl-C.

        Args:
            question: What stands before the line.
            known: What can be typed, for completion.
            foot: What is to be in sight meanwhile.
        """
        ...

    def show(self, text: str) -> None:
        """Show a picture, whose lines stay as they are."""
        ...

    def say(self, text: str) -> None:
        """Show sentences, broken at words where the screen ends."""
        ...

    def size(self) -> os.terminal_size | None:
        """Columns and rows of the screen; None where there is none."""
        ...


class PlainPrompt:
    """Reads lines from standard input and writes to the error stream, without colours."""

    def __init__(
        self, ask: Callable[[str], str] | None = None, show: Callable[[str], None] | None = None
    ) -> None:
        self.line = ask or ask_in_pipe
        self.write = show or show_in_pipe
        self.foot = ""
        """what was last shown to stay in sight"""

    def ask(self, question: str, known: Sequence[str], foot: str) -> str:
        if foot != self.foot:
            self.show(foot)
            self.foot = foot
        return self.line(question)

    def show(self, text: str) -> None:
        self.write(plain(text))

    def say(self, text: str) -> None:
        size = self.size()
        self.show(wrapped_to(text, size.columns) if size else text)

    def size(self) -> os.terminal_size | None:
        return screen_size() if self.write is show_in_pipe else None


class TerminalPrompt:
    """A prompt with line editing, history and completion, at the terminal of the error stream."""

    def __init__(self) -> None:
        self.session: PromptSession[str] | None = None

    def ask(self, question: str, known: Sequence[str], foot: str) -> str:
        from prompt_toolkit.formatted_text import ANSI

        self.session = self.session or make_session()
        return self.session.prompt(
            question,
            completer=make_completer(known),
            bottom_toolbar=ANSI(self.fitted(foot)) if foot else None,
        )

    def show(self, text: str) -> None:
        from rich.console import Console
        from rich.text import Text

        # Fits the colours to those that the terminal has.
        console = Console(stderr=True, highlight=False, soft_wrap=True)
        console.print(Text.from_ansi(self.fitted(text)))

    def say(self, text: str) -> None:
        size = self.size()
        self.show(wrapped_to(text, size.columns) if size else text)

    def size(self) -> os.terminal_size | None:
        return screen_size()

    def fitted(self, text: str) -> str:
        return safe_in_colour(text if takes_colours(sys.stderr) else plain(text))


def make_session() -> Any:
    """The prompt of this terminal; nothing is remembered after the program ends."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.output import create_output
    from prompt_toolkit.shortcuts import CompleteStyle
    from prompt_toolkit.styles import Style

    keys = KeyBindings()

    @keys.add("c-c")
    def _(event: Any) -> None:
        """Forget the line; on an empty one, ask to leave."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt, style="class:aborting")

    return PromptSession(
        history=InMemoryHistory(),
        output=create_output(stdout=sys.stderr),
        key_bindings=keys,
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,  # a menu would push the board off the screen
        style=Style.from_dict({"bottom-toolbar": "noreverse"}),
    )


def make_completer(known: Sequence[str]) -> Any:
    """Offers what can follow; it replaces the whole line, whose words may be beginnings."""
    from prompt_toolkit.completion import Completer, Completion

    class WholeLine(Completer):
        def get_completions(self, document: Any, complete_event: Any) -> Any:
            typed = document.text_before_cursor
            return (Completion(one, -len(typed)) for one in completions(typed, known))

    return WholeLine()


def completions(typed: str, known: Iterable[str]) -> list[str]:
    """What can stand where a person has typed the beginning; the next word where much can.

    Where nothing begins like that, words may be left out: a name is found behind its number.

    >>> completions("ta", ["take 1 from 0", "take 2 from 0", "pass"])
    ['take 1 from 0', 'take 2 from 0']
    >>> completions("ta", [f"take {n} from 0" for n in range(99)])
    ['take']
    >>> completions("play fire", ["play 1 Fireball > foe", "end turn"])
    ['play 1 Fireball > foe']
    """
    known = list(dict.fromkeys(known))
    begun = " ".join(typed.lower().split()) + " " * (typed[-1:].isspace())
    fitting = [one for one in known if folded(one).startswith(begun)]
    if not fitting:
        return [one for one in known if is_within(begun, folded(one))][:MOST_WHOLE]
    if len(fitting) <= MOST_WHOLE:
        return fitting
    words = begun.count(" ") + 1
    return list(dict.fromkeys(" ".join(one.split()[:words]) for one in fitting))


def usual_prompt() -> Prompt:
    """The prompt for whoever is at the other end of the standard streams."""
    is_terminal = sys.stdin.isatty() and sys.stderr.isatty()
    is_terminal &= os.environ.get("TERM", "dumb") != "dumb"  # as in an editor's shell
    return TerminalPrompt() if is_terminal else PlainPrompt()


def screen_size() -> os.terminal_size | None:
    """The size of the terminal of the error stream; None when it is none, or does not tell."""
    try:
        size = os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):
        return None
    return size if size.columns > 0 and size.lines > 0 else None


def ask_in_pipe(question: str) -> str:
    """Ask on the error stream, so that standard output stays free for results."""
    print(question, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def show_in_pipe(text: str) -> None:
    print(safe_in_colour(text), file=sys.stderr)
