"""Model files: arrays and a header in a zip archive, read without running anything in it.

The header says what the file is, its version, the text of the learner, and a digest of the arrays.
Nothing is unpickled; everything is checked before it is used.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludex.core import registry
from ludex.core.bounded_file import TooLarge, read_arrays, reason_of
from ludex.core.errors import BadParameter, BrokenModel, LudexError, NewerModel
from ludex.core.names import read_named
from ludex.core.whole_file import write_whole
from ludex.models.learned.training.learner import Learner

FORMAT, VERSION = "ludex model", 1
LARGEST = 2**29  # bytes that a file may unfold to
LARGEST_HEADER = 2**22
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    ValueError,
    KeyError,
    EOFError,
    OSError,
    NotImplementedError,  # a way of packing that this library does not know
    RuntimeError,  # a file that claims to be encrypted
    RecursionError,
)
OwnLearner = TypeVar("OwnLearner", bound=Learner)


def save(learner: Any, path: Path, worlds: Sequence[str] = ()) -> None:
    """Write a fitted learner; the file is there whole or not at all.

    The names of the worlds that it learned from are for those who look at the file later.
    """
    arrays: dict[str, NDArray[Any]] = {
        name: np.ascontiguousarray(array) for name, array in learner._pack().items()
    }
    kept = learner.clone(file="")
    header = {
        "format": FORMAT,
        "version": VERSION,
        "model": str(kept),
        "transitions": learner.seen_,
        "worlds": list(worlds),
        "digest": digest(arrays),
    }
    buffer = io.BytesIO()
    every: dict[str, Any] = {"header": np.array(json.dumps(header)), **arrays}
    np.savez_compressed(buffer, **every)
    write_whole(path, buffer.getvalue(), "model")


def worlds_of(path: Path) -> list[str]:
    """The worlds that a model learned from, as far as its file knows them."""
    found = read(path)[0].get("worlds", [])
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def load_any(path: Path) -> Any:
    """Read a learner of whatever kind the file holds."""
    text = read(path)[0]["model"]
    try:
        kind = registry.load("models", read_named(text, "()", "a model").name)
    except LudexError as error:
        raise broken(path, f"its learner {text!r} cannot be made: {error}") from None
    return load(path, kind)


def load(path: Path, kind: type[OwnLearner]) -> OwnLearner:
    """Read a learner of this kind; one sentence says what is wrong with a file."""
    header, arrays = read(path)
    text = header["model"]
    try:
        named = read_named(text, "()", "a model")
        if registry.load("models", named.name) is not kind:
            raise BadParameter(
                f"{str(path)!r} holds a model of {named.name}; write planner@{named.name}(file=...)"
            )
        learner = kind.from_texts(named.arguments)
    except BadParameter:
        raise
    except LudexError as error:
        raise broken(path, f"its learner {text!r} cannot be made: {error}") from None
    try:
        learner._unpack(arrays)
    except KeyError as error:
        raise broken(path, f"it lacks {error}") from None
    except (ValueError, IndexError, TypeError, OverflowError) as error:
        raise broken(path, str(error)) from None
    return learner


def read(path: Path) -> tuple[dict[str, Any], Mapping[str, NDArray[Any]]]:
    """The header and the arrays of a file, unharmed and of our version."""
    try:
        path.stat()
    except (OSError, ValueError) as error:
        raise LudexError(f"cannot read model {str(path)!r}: {reason_of(error)}") from None
    try:
        arrays = read_arrays(path, LARGEST, LudexError, "model")
        words = arrays.pop("header")
        if words.nbytes > LARGEST_HEADER:
            raise ValueError("its header is too large")
        header = json.loads(str(words))
    except TooLarge:
        raise broken(path, "it unfolds to more than a model can need") from None
    except UNREADABLE:
        raise broken(path, "it is damaged, or no model file") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise broken(path, "it is no model file")
    version = header.get("version")
    if isinstance(version, int) and version > VERSION:
        raise NewerModel(
            f"model {str(path)!r} has version {version}, and this ludex reads up to {VERSION}; "
            "install a newer ludex, or fit it again"
        )
    if version != VERSION or not isinstance(header.get("model"), str):
        raise broken(path, "its header is incomplete")
    if header.get("digest") != digest(arrays):
        raise broken(path, "its content does not agree with its digest")
    return header, arrays


def broken(path: Path, reason: str) -> BrokenModel:
    return BrokenModel(f"cannot use model {str(path)!r}: {reason}; fit it again (ludex model fit)")


def digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    """A hash of all arrays, their names, kinds and shapes."""
    found = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        found.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        found.update(array.tobytes())
    return found.hexdigest()
