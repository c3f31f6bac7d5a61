"""Where batches run: embedded DuckDB, or a Spark cluster."""
