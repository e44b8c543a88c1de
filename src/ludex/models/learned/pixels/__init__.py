"""Objects from pixels: templates, clusters of tiles, tracking, and which object is the avatar."""
