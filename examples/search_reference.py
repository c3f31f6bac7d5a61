"""Search Python's own language reference by paragraph: phrases, alternatives, typing errors, and why.

python examples/search_reference.py
"""

import pydoc_data.topics

import likewise as lw


def main() -> None:
    """Index the paragraphs, ask three questions, add a text, ask again."""
    topics = [lw.Document(name, text) for name, text in sorted(pydoc_data.topics.topics.items())]
    index = lw.Index.build([part for topic in topics for part in lw.parts(topic, "paragraph")])
    for query in (
        "how are exeptions handeled",
        '"context manager" (enter | exit) -coroutine',
        "slice document:slicings",
    ):
        print(f"== {query}")
        for hit in index.search(query, top=2):
            print(f"{hit.score:6.2f}  {hit.id}: {hit.snippet(120).marked('[', ']')}".replace("\n", " "))
    best = index.search("how are exeptions handeled", top=1)[0]
    print(f"\nread as: {best.reading}")
    for part in best.explain().contributions[:3]:
        print(f"  {part.value:.2f}  {part.left}")
    index.add([lw.Document("note", "Exceptions are handled with try and except.")])
    print("after adding a note:", index.search("how are exceptions handled", top=1).ids)


if __name__ == "__main__":
    main()
