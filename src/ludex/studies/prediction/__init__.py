"""Studies of prediction-based search: learned forward models, beside what was printed."""
