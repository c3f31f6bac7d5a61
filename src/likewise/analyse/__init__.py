"""Third stage of the path: a text becomes terms (folded, stopped, stemmed), phrases and part-of-speech tags."""
