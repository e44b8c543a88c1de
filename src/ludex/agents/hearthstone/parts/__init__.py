"""What several players of Hearthstone share, and how Nora learns."""
