"""The source of the experiments of prediction-based search."""

from __future__ import annotations

SOURCE = "A. Dockhorn, Prediction-based Search for Autonomous Game-Playing, Magdeburg 2020"
