"""Experts that know goofspiel."""
