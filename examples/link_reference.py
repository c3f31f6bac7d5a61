"""Link Python's own language reference: which passages of it treat the same subject, and the book of them.

python examples/link_reference.py
"""

import pydoc_data.topics

import likewise as lw


def main() -> None:
    """Link, show the best five, write the book."""
    documents = [lw.Document(name, text) for name, text in sorted(pydoc_data.topics.topics.items())]
    links = lw.link(documents, pairs="across", neighbours="drop")
    for link in links.links[:5]:
        left, right = links.unit(link.left), links.unit(link.right)
        print(f"{link.score:.2f}  {' › '.join(left.titles)}  |  {' › '.join(right.titles)}")
        for pair in link.sentences[:1]:
            print("     ", " ".join(links.book.sentence(link.left, pair.left).split())[:100])
            print("     ", " ".join(links.book.sentence(link.right, pair.right).split())[:100])
    links.to_html("reference.html", title="The Python Language Reference")
    print(f"{len(links)} links; the book is reference.html")


if __name__ == "__main__":
    main()
