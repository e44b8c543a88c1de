"""Pictures of VGDL games: letters, glyphs, pixels and SVG."""
