"""The command line: one file per command, each a thin call into the layers below."""

from ludex.cli.app import main

__all__ = ["main"]
