"""Published experiments, repeated: printed numbers beside measured ones."""
