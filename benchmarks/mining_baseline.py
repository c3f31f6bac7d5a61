"""The straightforward version of Paşca and Dienes (2005): sentences in Python, grouping in DuckDB, no pruning.

It uses the same tokens and tags as Likewise, so that the pairs must be equal, and nothing else of it.
"""

import tempfile
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from tests.reference.paraphrases import check

from likewise.analyse.tagger import PerceptronTagger, tokenise
from likewise.jobs.mine.sentences import split
from likewise.read import documents

SQL = """
WITH rows AS (SELECT DISTINCT anchor, candidate FROM read_parquet('{files}'))
SELECT a.candidate, b.candidate, COUNT(DISTINCT a.anchor) AS support
FROM rows a JOIN rows b ON a.anchor = b.anchor WHERE a.candidate < b.candidate
GROUP BY ALL HAVING COUNT(DISTINCT a.anchor) >= {support}
"""


def baseline(paths, context=3, shortest=1, longest=4, support=5):
    """Return {(phrase, paraphrase): support} and the number of sentences read."""
    tagger = PerceptronTagger()
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(paths):
            anchors, candidates = [], []
            for document in documents(path):
                for sentence in split(document):
                    count += 1
                    tokens = [span.of(sentence) for span in tokenise(sentence)]
                    if check(list(zip(tokens, tagger.tag([tokens])[0], strict=True))) is not None:
                        continue
                    for length in range(2 * context + shortest, 2 * context + longest + 1):
                        for start in range(len(tokens) - length + 1):
                            end = start + length
                            left, right = tokens[start : start + context], tokens[end - context : end]
                            anchors.append(" ".join(left) + "\t" + " ".join(right))
                            candidates.append(" ".join(tokens[start + context : end - context]))
            pq.write_table(pa.table({"anchor": anchors, "candidate": candidates}), Path(folder) / f"{number}.parquet")
        connection = duckdb.connect(config={"threads": 2, "memory_limit": "1GB", "temp_directory": folder})
        found = connection.execute(SQL.format(files=f"{folder}/*.parquet", support=support)).fetchall()
        connection.close()
    return {(phrase, paraphrase): support for phrase, paraphrase, support in found}, count
