"""Third chapter: which passages of a book treat the same subject."""

import likewise
from likewise.demo import Demo
from likewise.demo.texts import language_reference
from likewise.read.document import Document


def chapter(demo: Demo) -> None:
    """Link the paragraphs of Python's language reference and write the book as hypertext."""
    topics = language_reference()
    documents = [Document(name, text, source=name) for name, text in topics.items()]
    demo.title(f"Link: the passages of a book ({len(topics)} topics of Python's language reference)")
    links = likewise.link(documents)
    demo.say(f"{len(links):,} pairs of paragraphs treat the same subject. Some of the strongest:\n")
    shown = 0
    for link in links:
        left, right = links.unit(link.left), links.unit(link.right)
        if left.id.partition(":")[0] == right.id.partition(":")[0]:
            continue
        demo.say(f"  {left.id}  <->  {right.id}")
        for number in (link.left, link.right):
            demo.console.print(f"      {' '.join(links.text(number).split())[:110]}", style="dim", markup=False)
        shown += 1
        if shown == 4:
            break
    links.to_html(demo.folder / "book.html", title="Python's language reference, linked")
    links.to_jsonl(demo.folder / "links.jsonl")
    demo.say(f"\nThe book with its links: {demo.folder / 'book.html'} (one file; open it in a browser)\n")
    demo.command("likewise link BOOK -o book.html")
