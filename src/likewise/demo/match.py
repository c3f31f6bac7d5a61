"""Second chapter: misspelt names find the right ones, among tens of thousands."""

import random

import likewise
from likewise.demo import Demo
from likewise.demo.texts import character_names

QUERIES = 300


def chapter(demo: Demo) -> None:
    """Match names with typing errors against Unicode's character names, then look for near-duplicates among those."""
    names = character_names()
    demo.title(f"Match: {QUERIES} misspelt names against {len(names):,} right ones")
    chance = random.Random(2012)
    asked = chance.sample([name for name in names if len(name) > 12], QUERIES)
    misspelt = [misspell(name, chance) for name in asked]
    found = likewise.match(misspelt, names, top=1)
    best = {match.left: match for match in found}
    right = sum(best[i].right_text == name for i, name in enumerate(asked) if i in best)
    demo.say(
        f"In each query two letters are swapped, one is missing and the words are reordered; measure {found.measure}.\n"
    )
    for i in range(5):
        demo.say(f"  {best[i].score:.3f}  {misspelt[i]}  ->  {best[i].right_text}")
    demo.say(f"\n{right} of {QUERIES} found their own name as best match.\n")
    found.to_csv(demo.folder / "match.csv")
    demo.command("likewise match misspelt.csv names.csv --on name --top 1 -o match.csv")


def misspell(name: str, chance: random.Random) -> str:
    """Return the name in lower case, its words reordered, with two letters swapped in one long word and one dropped."""
    words = name.lower().split()
    chance.shuffle(words)
    long = [i for i, word in enumerate(words) if len(word) > 4]
    for change in (swap, drop) if long else ():
        at = chance.choice(long)
        words[at] = change(words[at], chance.randrange(1, len(words[at]) - 2))
    return " ".join(words)


def swap(word: str, at: int) -> str:
    """Swap two letters.

    >>> swap("letter", 1)
    'lteter'
    """
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def drop(word: str, at: int) -> str:
    """Drop a letter.

    >>> drop("letter", 1)
    'ltter'
    """
    return word[:at] + word[at + 1 :]
