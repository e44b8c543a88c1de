"""Building blocks of models that read the whole grid: end-to-end and decomposed."""
