"""How fast worlds, planners and models are, where agents spend their time, how hard levels are.

`bench_world("nim", seconds=1).results` is a list of rows, each a `metric` with its figure, as
`ludex bench --json` prints them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.core.lazy import lazy

if TYPE_CHECKING:
    from ludex.bench.gallery import write_gallery
    from ludex.bench.levels import LevelReport, bench_levels
    from ludex.bench.models import bench_models
    from ludex.bench.panel import Panel, bench_vgdl, read_panel
    from ludex.bench.profile import profile_agent
    from ludex.bench.result import BenchResult, Row
    from ludex.bench.worlds import bench_planner, bench_world

__all__ = [
    "BenchResult",
    "LevelReport",
    "Panel",
    "Row",
    "bench_levels",
    "bench_models",
    "bench_planner",
    "bench_vgdl",
    "bench_world",
    "profile_agent",
    "read_panel",
    "write_gallery",
]

MODULES = {
    "BenchResult": "ludex.bench.result",
    "LevelReport": "ludex.bench.levels",
    "Panel": "ludex.bench.panel",
    "Row": "ludex.bench.result",
    "bench_levels": "ludex.bench.levels",
    "bench_models": "ludex.bench.models",
    "bench_planner": "ludex.bench.worlds",
    "bench_vgdl": "ludex.bench.panel",
    "bench_world": "ludex.bench.worlds",
    "profile_agent": "ludex.bench.profile",
    "read_panel": "ludex.bench.panel",
    "write_gallery": "ludex.bench.gallery",
}
__getattr__ = lazy(__name__, MODULES)
