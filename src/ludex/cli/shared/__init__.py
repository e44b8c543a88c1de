"""What commands share: options and how they are read, printing, progress, pages of the docs."""
