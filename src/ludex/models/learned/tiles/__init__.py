"""Building blocks of tile models: learner base, model, neighbourhoods, vocabulary."""
