"""Model files: a zip archive of arrays and a JSON header, read without pickle.

The header has the format, its version, the text of the learner, and a digest of the arrays.
Everything is checked before it is used.
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
LARGEST = 2**29  # the largest uncompressed size in bytes
LARGEST_HEADER = 2**22
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    ValueError,
    KeyError,
    EOFError,
    OSError,
    NotImplementedError,  # an unknown compression method
    RuntimeError,  # a file that claims to be encrypted
    RecursionError,
)
OwnLearner = TypeVar("OwnLearner", bound=Learner)


def save(learner: Any, path: Path, worlds: Sequence[str] = ()) -> None:
    """Write a fitted learner to a file, atomically.

    `worlds` are the names of the worlds it learned from, kept for information.
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
    """The worlds that a model learned from, as far as its file names them."""
    found = read(path)[0].get("worlds", [])
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def load_any(path: Path) -> Any:
    """Read a learner of any kind from a model file."""
    text = read(path)[0]["model"]
    try:
        kind = registry.load("models", read_named(text, "()", "a model").name)
    except LudexError as error:
        raise broken(path, f"its learner {text!r} cannot be made: {error}") from None
    return load(path, kind)


def load(path: Path, kind: type[OwnLearner]) -> OwnLearner:
    """Read a learner of this kind; errors say in one sentence what is wrong."""
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
    """Read and check the header and arrays of a model file."""
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
        raise broken(path, "its uncompressed size is too large") from None
    except UNREADABLE:
        raise broken(path, "it is damaged, or not a model file") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise broken(path, "it is not a model file")
    version = header.get("version")
    if isinstance(version, int) and version > VERSION:
        raise NewerModel(
            f"model {str(path)!r} has version {version}, and this ludex reads up to {VERSION}; "
            "install a newer ludex, or fit it again"
        )
    if version != VERSION or not isinstance(header.get("model"), str):
        raise broken(path, "its header is incomplete")
    if header.get("digest") != digest(arrays):
        raise broken(path, "its content does not match its digest")
    return header, arrays


def broken(path: Path, reason: str) -> BrokenModel:
    return BrokenModel(f"cannot use model {str(path)!r}: {reason}; fit it again (ludex model fit)")


def digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    """A hash of all arrays with their names, types and shapes."""
    found = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        found.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        found.update(array.tobytes())
    return found.hexdigest()
