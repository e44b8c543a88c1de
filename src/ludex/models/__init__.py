"""Forward models for planning: the true rules, models learned from transitions, beliefs."""
