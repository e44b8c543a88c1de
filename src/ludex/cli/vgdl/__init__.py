"""`ludex vgdl`: tools for authors of VGDL games."""

from ludex.cli.shared.commands import Commands
from ludex.cli.vgdl.check import check
from ludex.cli.vgdl.collections import compare, survey, tiles
from ludex.cli.vgdl.format import format_file
from ludex.cli.vgdl.gallery import gallery
from ludex.cli.vgdl.levels import levels

commands = Commands(help="Check and format games; survey collections.")
for command in (survey, compare, tiles, gallery, levels, check):
    commands.command()(command)
commands.command("format")(format_file)
