"""The HTTP interface: a module per job, each a few lines over the job's own function."""

from likewise.serve.routes import (
    ask,
    compare,
    dedupe,
    evaluation,
    files,
    jobs,
    judge,
    link,
    match,
    paraphrases,
    recognise,
    search,
)

# Those that are asked most come first: a request is held against one after another.
ROUTERS = (
    search.router,
    compare.router,
    files.router,
    jobs.router,
    match.router,
    dedupe.router,
    link.router,
    link.books,
    paraphrases.router,
    ask.router,
    recognise.router,
    judge.router,
    evaluation.router,
)
