"""The commands, and where each is: only the module of the one at hand is imported."""

# What --help lists together -> command -> module:function.
GROUPS: dict[str, dict[str, str]] = {
    "Texts and tables": {
        "compare": "likewise.cli.compare:compare",
        "match": "likewise.cli.match:match",
        "dedupe": "likewise.cli.dedupe:dedupe",
        "cluster": "likewise.cli.cluster:cluster",
        "recognise": "likewise.cli.recognise:app",
    },
    "Documents": {
        "link": "likewise.cli.link:link",
        "index": "likewise.cli.index:index",
        "search": "likewise.cli.search:search",
    },
    "Large corpora": {
        "mine": "likewise.cli.mine:mine",
        "paraphrases": "likewise.cli.paraphrases:paraphrases",
        "nuggets": "likewise.cli.nuggets:nuggets",
        "ask": "likewise.cli.ask:ask",
    },
    "Quality": {
        "evaluate": "likewise.cli.evaluate:app",
        "judge": "likewise.cli.judge:app",
        "reproduce": "likewise.cli.reproduce:reproduce",
    },
    "Web pages and demo": {
        "serve": "likewise.cli.serve:serve",
        "demo": "likewise.cli.demo:demo",
    },
}
COMMANDS: dict[str, str] = {name: place for group in GROUPS.values() for name, place in group.items()}
