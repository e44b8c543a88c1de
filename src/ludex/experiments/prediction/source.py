"""What the studies of prediction-based search have in common: their source and their games."""

from __future__ import annotations

SOURCE = "A. Dockhorn, Prediction-based Search for Autonomous Game-Playing, Magdeburg 2020"
