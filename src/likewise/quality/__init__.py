"""How good a ranking, a decision or a clustering is, and how sure one may be of a difference."""
