"""The type stubs committed beside native modules say what the modules hold."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PACKAGES = sorted(
    file.parents[1].relative_to(REPOSITORY / "src")
    for file in (REPOSITORY / "src").rglob("native/bindings.cpp")
)


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_the_stub_of_a_native_module_is_not_stale(package: Path):
    stubgen = pytest.importorskip("nanobind.stubgen")
    module = importlib.import_module(".".join((*package.parts, "_native")))
    generator = stubgen.StubGen(module, quiet=True)
    generator.put(module)
    committed = REPOSITORY / "src" / package / "_native.pyi"
    assert committed.read_text() == generator.get(), "run: make stubs"


def test_every_native_folder_is_found():
    assert Path("ludex/core") in PACKAGES
    assert Path("ludex/worlds/connect_four") in PACKAGES
