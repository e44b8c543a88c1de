"""The command line: commands read words, call the layers below, and print.

A command is a file, a group of commands a folder; `shared` holds what they have in common.
"""

from ludex.cli.app import main

__all__ = ["main"]
