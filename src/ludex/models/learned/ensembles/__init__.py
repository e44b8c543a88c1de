"""Ensemble model and the track record of its members."""
