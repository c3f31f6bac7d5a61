"""A corpus of our own for mining: real English that Python ships, and sentences with known paraphrases."""

import pydoc_data.topics

VERBS = [("withdrew from", "pulled out of"), ("took effect", "came into force"), ("began", "started")]
ARTICLES = ["the", "a", "every"]
NAMES = {"Ada King": "quietly", "Bob Stone": "finally", "Eve Moor": "soon", "Max Born": "later"}
PLACES = {"Paris": "old", "Rome": "new", "New York": "great", "Mexico": "small"}


def write(folder, parts=6):
    """Write the corpus as ``parts`` text files of a folder and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = [[] for _ in range(parts)]
    number = 0
    for pair, article in zip(VERBS, ARTICLES, strict=True):
        for name, adverb in NAMES.items():
            for place, size in PLACES.items():
                for verb in pair:
                    clause = f"who {adverb} {verb} {article} {size} council of {place}"
                    texts[number % parts].append(f"In the end {name}, {clause}, was not sad at all.")
                    number += 1
    for topic, text in list(pydoc_data.topics.topics.items())[:24]:
        texts[len(topic) % parts].append(text)
    # A copy of a page must not count twice.
    texts[0] += texts[1]
    for part, lines in enumerate(texts):
        (folder / f"part-{part}.txt").write_text("\n\n".join(lines), encoding="utf-8")
    return folder
