"""Experiments of prediction-based search: planning in learned forward models."""
