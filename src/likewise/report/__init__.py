"""Results to look at: tables, plots, stand-alone HTML."""
