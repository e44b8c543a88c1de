"""Sphinx configuration: Markdown pages, API from docstrings, warnings are errors."""

from importlib.metadata import version as version_of

project = "Ludex"
author = "The Ludex authors"
copyright = "2026, the Ludex authors"  # noqa: A001  # Sphinx reads this name
release = version_of("ludex")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "Ludex"
autodoc_typehints = "description"
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
napoleon_google_docstring = True
