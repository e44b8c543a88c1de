"""Studies of prediction-based search: playing games by models that are learned."""
