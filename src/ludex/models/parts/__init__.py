"""Base classes shared by several models."""
