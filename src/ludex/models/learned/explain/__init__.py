"""Evaluation and explanation of learned models: accuracy, errors, rules in words."""
