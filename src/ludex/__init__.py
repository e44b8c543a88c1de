"""Play, learn, judge and make games by looking ahead."""
