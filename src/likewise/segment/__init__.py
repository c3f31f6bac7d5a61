"""Second stage of the path: a Document becomes titles, paragraphs and sentences, each with its span."""
