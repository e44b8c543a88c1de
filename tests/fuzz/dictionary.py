"""Print the words of VGDL as a dictionary of libFuzzer."""

from __future__ import annotations

from ludex.worlds.vgdl.language.ontology import EFFECTS, SPRITES, TERMINATIONS

words = {*SPRITES, *EFFECTS, *TERMINATIONS}
for table in (SPRITES, EFFECTS, TERMINATIONS):
    for one in table.values():
        words |= {f"{key}=" for key in one.parameters}
print("\n".join(f'"{word}"' for word in sorted(words)))
