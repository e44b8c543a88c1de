"""`ludex arena`: studies of many matches, with statistics."""

from ludex.cli.arena.export import export
from ludex.cli.arena.report import report
from ludex.cli.arena.run import run
from ludex.cli.arena.show import show
from ludex.cli.arena.sprt import sprt
from ludex.cli.arena.verify import verify
from ludex.cli.shared.commands import Commands

commands = Commands(help="Studies of many matches, with statistics.")
for command in (show, sprt, verify, run, report, export):
    commands.command()(command)
