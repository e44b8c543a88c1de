"""Looking inside learned models: accuracy, where they err, and their rules in words."""
