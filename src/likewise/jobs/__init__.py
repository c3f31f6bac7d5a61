"""What users call: compare, match, dedupe, link, search, recognise, mine, ask."""
