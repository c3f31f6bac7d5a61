"""Proof: readers of gold data, measures of quality, the published tables, judging by people."""
