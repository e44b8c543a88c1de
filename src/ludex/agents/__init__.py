"""Planners put together with models, and experts that know one game."""
