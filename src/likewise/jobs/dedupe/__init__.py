"""Find the records of one table that mean the same thing."""
