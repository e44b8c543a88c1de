"""VGDL: video games described by text, exact to the Java GVGAI framework."""
