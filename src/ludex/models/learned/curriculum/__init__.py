"""Coverage of local patterns by levels, and schedules of training levels."""
