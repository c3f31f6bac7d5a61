"""Find duplicates in a table of people; the threshold is suggested and shown with its histogram.

python examples/dedupe_people.py
"""

import likewise as lw

PEOPLE = [
    {"name": "Ada Lovelace", "born": "10 Dec 1815", "place": "London"},
    {"name": "Lovelace, Ada", "born": "1815-12-10", "place": "London"},
    {"name": "Augusta Ada Lovelace", "born": "10 Dec 1815", "place": None},
    {"name": "Grace Hopper", "born": "9 Dec 1906", "place": "New York"},
    {"name": "Grace M. Hopper", "born": "9 Dec 1906", "place": "New York City"},
    {"name": "Kurt Gödel", "born": "28 Apr 1906", "place": "Brno"},
    {"name": "Emmy Noether", "born": "23 Mar 1882", "place": "Erlangen"},
    {"name": "Noether, Emmy", "born": "23 March 1882", "place": "Erlangen"},
]

if __name__ == "__main__":
    result = lw.dedupe(PEOPLE, on={"name": 3, "born": 1, "place": 1})
    print(result.threshold.to_text())
    for cluster in result:
        print(f"cluster {cluster.number}:")
        for number, text in zip(cluster.ids, cluster.texts, strict=True):
            print("  *" if number == cluster.canonical else "   ", text)
