"""Pieces that several models use."""
