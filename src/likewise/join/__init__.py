"""Fifth stage of the path: scored pairs, exactly: top per text, above a score, best overall; the index on disk."""
