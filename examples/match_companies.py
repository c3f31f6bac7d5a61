"""Match two lists of companies: best partners, then one to one, with reasons.

python examples/match_companies.py
"""

import likewise as lw

CUSTOMERS = [
    {"id": "c1", "name": "Hamburger Hafen und Logistik AG", "city": "Hamburg"},
    {"id": "c2", "name": "Müller & Söhne GmbH", "city": "Köln"},
    {"id": "c3", "name": "Mueller Sohn", "city": None},
    {"id": "c4", "name": "Northwind Traders Ltd.", "city": "Leeds"},
]
VENDORS = [
    {"key": 1, "company": "Northwind Trading Limited", "city": "Leeds"},
    {"key": 2, "company": "HHLA Hamburger Hafen & Logistik", "city": "Hamburg"},
    {"key": 3, "company": "Müller und Söhne", "city": "Koeln"},
    {"key": 4, "company": "Müller Transporte", "city": "Bonn"},
]

if __name__ == "__main__":
    found = lw.match(
        CUSTOMERS,
        VENDORS,
        left_on={"name": 3, "city": 1},
        right_on=["company", "city"],
        left_id="id",
        right_id="key",
        one_to_one=True,
        explain=True,
    )
    for match in found:
        print(f"{match.left} = {match.right}  {match.score:.3f}  {match.left_text}  /  {match.right_text}")
        print(f"          {match.why}")
    for row in found.unmatched.to_pylist():
        print("no partner:", row["side"], row["id"], row["text"])
