"""What studies of catan rest on, apart from themselves."""
