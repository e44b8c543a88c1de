"""What works where no extra is installed."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys

class NoExtras:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"catanatron", "sklearn", "gymnasium", "pettingzoo", "pyarrow"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NoExtras())
from ludex.cli import main

sys.argv = ["ludex", "list", "--json"]
main()
"""


def test_all_worlds_models_planners_and_studies_are_listed():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    for name in ("CATAN-PEER", "PBS-45", "HSN-E5", "catan/catanatron", "local", "mo_mcts"):
        assert f'"{name}"' in done.stdout
