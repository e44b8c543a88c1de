"""`ludex hearthstone`: tools for authors of cards and decks, and for players that learn."""

from ludex.cli.hearthstone.check import check
from ludex.cli.hearthstone.decks import decks
from ludex.cli.hearthstone.judging import assess, compare, thoughts
from ludex.cli.hearthstone.learning import improve, iterate, learn, samples
from ludex.cli.shared.commands import Commands

HELP = "Check cards and decks of one's own; let players learn."
commands = Commands(help=HELP)
for command in (samples, learn, assess, improve, iterate, compare, thoughts, check, decks):
    commands.command()(command)
