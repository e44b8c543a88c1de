"""Search models with abstract moves that the world does not have."""
