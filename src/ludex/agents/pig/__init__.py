"""Experts that know pig."""
