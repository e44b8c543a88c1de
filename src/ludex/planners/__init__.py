"""What to do now: one file per planner, written against the Model contract alone."""
