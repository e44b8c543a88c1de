"""Parts shared by agents for Hearthstone."""
