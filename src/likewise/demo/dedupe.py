"""Names of text encodings: which of them mean the same one."""

from encodings.aliases import aliases

from likewise.demo import Demo
from likewise.jobs.dedupe import dedupe


def chapter(demo: Demo) -> None:
    """Find duplicates among the names that Python knows for encodings; Python also knows which are right."""
    names = sorted(aliases)
    demo.title(f"Dedupe: which of {len(names)} names mean the same text encoding")
    found = dedupe(names)
    demo.say(f"Nothing is told but the names. {found.threshold.to_text()}\n")
    groups = [cluster for cluster in found if len(cluster.ids) > 1]
    right = [cluster for cluster in groups if len({aliases[text or ""] for text in cluster.texts}) == 1]
    for cluster in groups[::8]:
        meant = " or ".join(sorted({aliases[text or ""] for text in cluster.texts}))
        demo.say(f"  {', '.join(text or '' for text in cluster.texts)}  ({meant})")
    demo.say(
        f"\n{len(groups)} groups; in {len(right)} of them all names are the same encoding by Python's own table.\n"
    )
    found.to_csv(demo.folder / "dedupe.csv")
    demo.command("likewise dedupe names.csv --on name --review doubtful.csv -o dedupe.csv")
