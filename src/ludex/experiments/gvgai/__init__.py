"""Experiments of "General Video Game Artificial Intelligence" (Perez-Liebana et al. 2019)."""
