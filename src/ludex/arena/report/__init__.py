"""Reports of studies: one page that needs no network, and a summary in Markdown."""
