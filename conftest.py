"""What pytest looks for examples in: modules that need an extra only where it is installed."""

from importlib.util import find_spec

collect_ignore = (
    []
    if find_spec("catanatron")
    else ["src/ludex/agents/catan/parts/peer_table.py", "tests/helpers/catan_bots.py"]
)
