"""Association rules and hierarchical knowledge bases."""
