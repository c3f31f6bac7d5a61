"""Fourth chapter: an index on disk, and questions with typing errors."""

import shutil

import likewise
from likewise.demo import Demo
from likewise.demo.texts import language_reference
from likewise.read.document import Document

QUERIES = ("raise an exeption from another", '"context manager" -async', "(coroutine | generator) yield")


def chapter(demo: Demo) -> None:
    """Index the paragraphs of the language reference and search them."""
    passages = [
        Document(f"{name}:{number}", paragraph, source=name)
        for name, text in language_reference().items()
        for number, paragraph in enumerate(text.split("\n\n"))
        if len(paragraph) > 80
    ]
    demo.title(f"Search: {len(passages):,} passages, an index on disk")
    folder = demo.folder / "index"
    shutil.rmtree(folder, ignore_errors=True)
    index = likewise.Index.build(passages, path=folder)
    for query in QUERIES:
        demo.say(f"  [bold]{query.replace('[', chr(92) + '[')}[/bold]")
        for hit in index.search(query, top=2):
            line = " ".join(hit.text.split())[:100]
            demo.console.print(f"    {hit.score:6.2f}  {hit.id}  {line}", markup=False, highlight=False)
    demo.say("")
    demo.command(f'likewise search {folder} "{QUERIES[0]}"')
