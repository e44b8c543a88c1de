"""Model files with something changed in them, for tests of what is refused."""

from __future__ import annotations

import json

import numpy as np

from ludex.models.learned.training.files import digest


def rewrite(path, change):
    """Change arrays or header of a file, with a digest that fits."""
    with np.load(path) as loaded:
        arrays = {name: loaded[name] for name in loaded.files}
    header = json.loads(str(arrays.pop("header")))
    change(header, arrays)
    if "digest" in header:
        header["digest"] = digest(arrays)
    with path.open("wb") as file:
        np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)
