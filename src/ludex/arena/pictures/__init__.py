"""Films of matches, and pictures of what agents think."""
