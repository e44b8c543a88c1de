"""`ludex model`: fit a learned model to random play, keep it in a file, and look inside."""

from ludex.cli.model.coverage import coverage
from ludex.cli.model.curriculum import curriculum
from ludex.cli.model.fit import fit
from ludex.cli.model.show import show
from ludex.cli.shared.commands import Commands

commands = Commands(help="Fit learned models and look at them.")
for command in (show, fit, coverage, curriculum):
    commands.command()(command)
