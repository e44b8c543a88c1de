"""Hearthstone: the classic card game, with cards as data and rules in native code."""
