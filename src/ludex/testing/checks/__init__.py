"""The checks, one file for each part of the contract."""
