"""Tools for VGDL games: reference traces, surveys of collections, winning play."""
