"""Studies in files: TOML, with every problem named by its line and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from ludex.arena.match.rules import MatchRules
from ludex.arena.study.editions import REPETITIONS, ROLES, Edition
from ludex.arena.study.problems import BadStudy, Problem
from ludex.arena.study.study import Entrant, Game, Study
from ludex.arena.study.toml_lines import Where, lines_of
from ludex.core import bounded_file, registry
from ludex.core.errors import BadParameter, did_you_mean
from ludex.core.own_part import python_files_in
from ludex.core.user_file import is_file_name

LARGEST_FILE = 2**22
MOST_LEVELS = 10_000
VGDL = "vgdl/"  # before the names of the games that Ludex has
SPAN = re.compile(r"(\d{1,5})(?:\s*-\s*(\d{1,5}))?")
TEXTS = ("name", "about", "like", "pairing", "isolate", "role")
NUMBERS = ("repetitions", "seed", "rounds", "edition")
LISTS = ("agents", "opponents", "worlds", "levels", "budgets", "seeds")
KNOWN = (*TEXTS, *NUMBERS, *LISTS, "rules", "sets")
INSTEAD_OF = {
    "worlds": ("sets", "role", "edition"),
    "sets": ("worlds",),
    "seeds": ("repetitions",),
    "repetitions": ("seeds",),
}
"""what a key of a study leaves out of the study that it is like"""
LONGEST_LINE = 8  # of studies that are like one another
RULES = {item.name: str(item.type) for item in fields(MatchRules)}


def read_study(path: Path, collection: Mapping[str, str] | None = None) -> Study:
    """Read a study file; BadStudy lists all its problems, with lines and keys.

    A collection gives worlds by name, to be played instead of each `vgdl/NAME` of the file.
    """
    return parse_study(read_text(path), path, collection)


def read_text(path: Path) -> str:
    """The text of a study file."""
    if not path.exists():
        raise BadStudy(f"there is no study file {str(path)!r}")
    return bounded_file.read_text(path, LARGEST_FILE, BadStudy, "study file")


def parse_study(text: str, path: Path, collection: Mapping[str, str] | None = None) -> Study:
    """Read the text of a study file; its path names it, and files in it are found from there."""
    reader = Reader(completed(document_of(text, path), path), path, collection)
    study: Study | None = None
    try:
        study = reader.study()
        problems = reader.problems
    except BadStudy as error:
        problems = [*reader.problems, *(reader.in_file(one) for one in error.problems)]
    if problems or study is None:
        raise with_lines(path, text, problems)
    return study


def document_of(text: str, path: Path) -> dict[str, Any]:
    """The keys and values of a study file."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line = where[1] if where else len(text.splitlines()) or 1  # else at the end
        place = f"{path}:{line}"
        reason = re.sub(r" \(at .*\)", "", str(error))
        problem = Problem((), f"{place}: this is not TOML: {reason[:1].lower()}{reason[1:]}")
        raise BadStudy(str(problem), [problem]) from None
    except RecursionError:
        raise BadStudy(f"{path}: this is nested too deeply to be a study") from None


def completed(document: dict[str, Any], path: Path, before: int = 0) -> dict[str, Any]:
    """A study that is like another one, with all that it does not say itself."""
    if "like" not in document:
        return document
    own = dict(document)
    like = own.pop("like")
    if not isinstance(like, str) or not like.endswith(".toml") or Path(like).name != like:
        raise BadStudy(
            f"{path}: 'like' is the name of a study file in the same folder, such as "
            f'"first.toml", got {shown(like)}'
        )
    if before >= LONGEST_LINE:
        raise BadStudy(f"{path}: {before} studies are like one another in turn; is one twice?")
    other = path.with_name(like)
    base = completed(document_of(read_text(other), other), other, before + 1)
    left_out = {"name", *(gone for key in own for gone in INSTEAD_OF.get(key, ()))}
    return {**{key: value for key, value in base.items() if key not in left_out}, **own}


def with_lines(path: Path, text: str, problems: list[Problem]) -> BadStudy:
    """Say of each problem in which line it is, in the order of the file."""
    lines = lines_of(text)
    placed: list[tuple[int, Problem]] = []
    for problem in problems:
        where, line = problem.where, 0
        while where and not line:
            line = lines.get(where, 0)
            where = where[:-1]
        place = f"{path}:{line}" if line else str(path)
        placed.append((line, Problem((), f"{place}: {problem}")))
    ordered = [problem for _, problem in sorted(placed, key=lambda pair: pair[0])]
    unique = list(dict.fromkeys(ordered))
    more = f" (and {len(unique) - 1} more)" if len(unique) > 1 else ""
    return BadStudy(f"{unique[0]}{more}", unique)


class Reader:
    """Reads a document, and goes on after each problem."""

    def __init__(
        self, document: dict[str, Any], path: Path, collection: Mapping[str, str] | None
    ) -> None:
        self.document = document
        self.collection = collection
        self.folder = path.parent
        self.default_name = path.stem
        self.problems: list[Problem] = []
        self.places: dict[str, list[Where]] = {"agents": [], "opponents": [], "worlds": []}
        """where the entries of the study stand in the file"""

    def study(self) -> Study:
        document = self.document
        for key in document:
            if key not in KNOWN:
                hint = did_you_mean(key, KNOWN) or f"; known: {', '.join(KNOWN)}"
                self.note((key,), f"there is no such key{hint}")
        values: dict[str, Any] = {}
        for key in ("name", "about", "pairing", "isolate"):
            if key in document:
                values[key] = self.text((key,), document[key])
        for key in ("repetitions", "seed", "rounds"):
            if key in document:
                values[key] = self.number((key,), document[key])
        if values.get("name") is None:  # also one that is noted as a problem
            values["name"] = self.default_name
        if "seeds" in document and "repetitions" in document:
            self.note(("repetitions",), "'seeds' says how many there are, too; give one of both")
        values["agents"] = self.entrants("agents")
        values["opponents"] = self.entrants("opponents")
        values["games"] = self.games()
        if "repetitions" not in document and "role" in document and "seeds" not in document:
            values["repetitions"] = REPETITIONS.get(document["role"], 1)
        budgets = document.get("budgets", ["40ms"])
        if isinstance(budgets, str):
            budgets = [budgets]
        values["budgets"] = self.list_of("budgets", budgets, str)
        values["seeds"] = self.list_of("seeds", document.get("seeds", []), int)
        values["rules"] = self.rules()
        return Study(**{key: value for key, value in values.items() if value is not None})

    def in_file(self, problem: Problem) -> Problem:
        """Say where a problem of the study stands in the file: it may lack broken entries."""
        where = problem.where
        if len(where) > 1 and where[0] in self.places:
            return replace(problem, where=self.places[str(where[0])][int(where[1])] + where[2:])
        if len(where) == 1 and where[0] == "worlds" and "sets" in self.document:
            return replace(problem, where=("sets",))
        return problem

    def note(self, where: Where, message: str) -> None:
        self.problems.append(Problem(where, message))

    def text(self, where: Where, value: Any) -> str | None:
        if isinstance(value, str) and value.strip():
            return value
        self.note(where, f"it is a text that is not empty, got {shown(value)}")
        return None

    def number(self, where: Where, value: Any) -> int | None:
        if type(value) is int:
            return value
        self.note(where, f"it is a whole number, got {shown(value)}")
        return None

    def list_of(self, key: str, values: Any, kind: type) -> tuple[Any, ...]:
        if not isinstance(values, list):
            self.note((key,), f"it is a list, got {shown(values)}")
            return ("1calls",) if key == "budgets" else ()
        word = "a text" if kind is str else "a whole number"
        kept: list[Any] = []
        self.places[key] = []
        for index, value in enumerate(values):
            if type(value) is kind:
                kept.append(value)
                self.places[key].append((key, index))
            else:
                self.note((key, index), f"it is {word}, got {shown(value)}")
        return tuple(kept)

    def entrants(self, key: str) -> tuple[Entrant, ...]:
        found = self.named((key,), self.document.get(key, []), "agent", ())
        self.places[key] = [entry["where"] for _, _, entry in found]
        return tuple(Entrant(label, self.file_in(text)) for label, text, _ in found)

    def games(self) -> tuple[Game, ...]:
        if "sets" not in self.document:
            for key in ("edition", "role"):
                if key in self.document:
                    self.note((key,), "it chooses among [sets], and there are none")
            return self.games_in(("worlds",), self.document.get("worlds", []))
        if "worlds" in self.document:
            self.note(("worlds",), "the games come from [sets]; leave one of both out")
        sets = self.document["sets"]
        if not isinstance(sets, dict):
            self.note(("sets",), f"it is a table of lists of worlds, got {shown(sets)}")
            return ()
        role = self.document.get("role")
        if role not in ROLES:
            hint = f"it is one of {', '.join(ROLES)}"
            self.note(("role",) if role else ("sets",), f"role: {hint}, got {shown(role)}")
            return ()
        try:
            edition = Edition.of(list(sets), self.document.get("edition", 1))
        except (BadParameter, TypeError) as error:
            self.note(("edition",) if "edition" in self.document else ("sets",), str(error))
            return ()
        return tuple(
            game
            for name in edition.sets(role)
            for game in self.games_in(("sets", name), sets[name])
        )

    def games_in(self, where: Where, values: Any) -> tuple[Game, ...]:
        common = self.levels(("levels",), self.document.get("levels", []))
        games: list[Game] = []
        for label, text, entry in self.named(where, values, "world", ("levels",)):
            levels = common
            if "levels" in entry:
                levels = self.levels((*entry["where"], "levels"), entry["levels"])
            elif "level=" in text:
                levels = ()
            world = self.collected(entry["where"], text)
            if world is None:
                continue
            games.append(Game(label, self.file_in(world), levels))
            self.places["worlds"].append(entry["where"])
        return tuple(games)

    def named(
        self, at: Where, values: Any, part: str, more: tuple[str, ...]
    ) -> list[tuple[str, str, dict[str, Any]]]:
        """Entries that are texts, or tables with a name; a label, a text and the table of each."""
        if not isinstance(values, list):
            self.note(at, f"it is a list, got {shown(values)}")
            return []
        found: list[tuple[str, str, dict[str, Any]]] = []
        for index, value in enumerate(values):
            here = (*at, index)
            entry = value if isinstance(value, dict) else {part: value}
            for key in entry:
                if key not in ("name", part, *more):
                    hint = did_you_mean(key, ("name", part, *more))
                    self.note((*here, key), f"there is no such key{hint}")
            text = self.text((*here, part) if isinstance(value, dict) else here, entry.get(part))
            if text is None:
                continue
            label = self.text((*here, "name"), entry["name"]) if "name" in entry else None
            found.append((label or short_name(text), text, {**entry, "where": here}))
        return found

    def levels(self, where: Where, value: Any) -> tuple[int, ...]:
        """Levels: a list, one of them, or a span such as "0-4"."""
        if type(value) is int:
            value = [value]
        if isinstance(value, str):
            span = SPAN.fullmatch(value.strip())
            if span and int(span[1]) <= (last := int(span[2] or span[1])) < MOST_LEVELS:
                return tuple(range(int(span[1]), last + 1))
        if isinstance(value, list) and all(type(one) is int and one >= 0 for one in value):
            if len(set(value)) == len(value):
                return tuple(value)
            self.note(where, "a level is there twice")
            return ()
        self.note(where, f'it is a list of numbers, or "0-4", got {shown(value)}')
        return ()

    def collected(self, where: Where, text: str) -> str | None:
        """The world of the collection that stands for one of ours, if there is a collection.

        A game that is not there, or without a collection not among ours, is noted; None then.
        """
        if not text.startswith(VGDL):
            return text
        name, bracket, rest = text.removeprefix(VGDL).partition("[")
        if self.collection is None:
            ours = [game for game, _ in registry.load("worlds", "vgdl").games()]
            if name in ours:
                return text
            self.note(
                where,
                f"no VGDL game of ours is named {name!r}, and games of a collection need "
                f"--games DIR{did_you_mean(name, ours)}",
            )
            return None
        if name in self.collection:
            return f"{self.collection[name]}{bracket}{rest}"
        self.note(
            where, f"the collection has no game {name!r}{did_you_mean(name, self.collection)}"
        )
        return None

    def file_in(self, text: str) -> str:
        """Find files that the study names from the study's own folder, from wherever it runs."""
        for part in python_files_in(text):
            text = text.replace(f"={part}", f"={(self.folder / part).resolve()}")
        head = re.split(r"[(\[]", text, maxsplit=1)[0]
        path = head.rpartition(":")[0] if is_file_name(head) and ":" in head else head
        if not path.endswith((".py", ".txt")):
            return text
        return str((self.folder / path).resolve()) + text[len(path) :]

    def rules(self) -> MatchRules:
        given = self.document.get("rules", {})
        if not isinstance(given, dict):
            self.note(("rules",), f"it is a table, got {shown(given)}")
            return MatchRules()
        kept: dict[str, Any] = {}
        for key, value in given.items():
            kind = RULES.get(key, "")
            is_number = type(value) is int or (type(value) is float and "float" in kind)
            if not kind:
                self.note(("rules", key), f"there is no such rule{did_you_mean(key, RULES)}")
            elif "Literal" in kind and value not in ("end", "default"):
                self.note(("rules", key), f"it is end or default, got {shown(value)}")
            elif "Literal" not in kind and not is_number:
                self.note(("rules", key), f"it is a number, got {shown(value)}")
            else:
                try:
                    MatchRules(**{key: value})
                    kept[key] = value
                except BadParameter as error:
                    self.note(("rules", key), str(error))
        return MatchRules(**kept)


def short_name(text: str) -> str:
    """What a table shows of a part in a file: the name of the file, or of the class.

    >>> [short_name(text) for text in ("mcts(depth=3)", "bots/mine.py:Mine", "games/aliens.txt")]
    ['mcts(depth=3)', 'Mine', 'aliens']
    """
    head, bracket, rest = re.match(r"([^(\[]*)([(\[]?)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]  # matches anything
    if is_file_name(head) and ":" in head:
        head = head.rpartition(":")[2]
    elif head.endswith(".txt"):
        head = Path(head).stem
    return f"{head}{bracket}{rest}"


def shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, Mapping) else "a table"
    return text if len(text) <= 60 else text[:57] + "..."
