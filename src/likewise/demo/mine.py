"""Fifth chapter: phrases that say the same, from the documentation of the standard library."""

import likewise
from likewise.demo import Demo
from likewise.demo.texts import docstrings, language_reference


def chapter(demo: Demo) -> None:
    """Mine paraphrases from docstrings and the language reference, and look some up."""
    texts = docstrings() | language_reference()
    folder = demo.folder / "prose"
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    size = sum(map(len, texts.values())) / 1e6
    demo.title(f"Mine: phrases that say the same, in {size:.1f} MB of prose")
    demo.say("Two phrases that stand between the same words are candidates. The paper had the Web; this is a")
    demo.say("handful of pages, so context and support are set low, and siblings (list, tuple) abound.\n")
    table = demo.folder / "paraphrases.parquet"
    found = likewise.mine(folder, output=table, context=2, support=2)
    shown = 0
    for pair in found:
        words = f"{pair.phrase} {pair.paraphrase}".split()
        if all(word.isalpha() and len(word) > 2 for word in words) and pair.phrase < pair.paraphrase:
            demo.console.print(f"  {pair.phrase}  =  {pair.paraphrase}   ({pair.support} contexts)", markup=False)
            shown += 1
            if shown == 8:
                break
    demo.say(f"\n{len(found):,} pairs in all, with evidence and a run report beside the table.\n")
    demo.command(f'likewise paraphrases {table} "returned"')
