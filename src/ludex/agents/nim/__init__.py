"""Experts that know nim."""
