"""Who may import what, where import-linter does not see it or must be told of new folders."""

from __future__ import annotations

import ast
import tomllib

from folders import REPOSITORY

SOURCES = REPOSITORY / "src"


def imported(path):
    """The names of all modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)


def test_native_types_of_the_contract_are_imported_by_their_public_names():
    # import-linter does not see extension modules.
    core = SOURCES / "ludex" / "core"
    for path in sorted([*SOURCES.rglob("*.py"), *(REPOSITORY / "tests").rglob("*.py")]):
        if not path.is_relative_to(core) and "_native" in path.read_text():
            assert "ludex.core._native" not in set(imported(path)), path


def test_import_linter_keeps_every_folder_of_parts_private():
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    kept = {
        (*contract["protected_modules"], *contract["allowed_importers"])
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract["type"] == "protected"
    }
    folders = sorted((SOURCES / "ludex").rglob("parts/__init__.py"))
    assert folders
    for path in folders:
        owner = ".".join(path.parent.parent.relative_to(SOURCES).parts)
        assert (f"{owner}.parts", owner) in kept, f"{owner}.parts has no contract of its own"
