"""The checks themselves, one file per kind of promise."""
