"""Fourth stage of the path: terms become weights and scores, each with its explanation."""
