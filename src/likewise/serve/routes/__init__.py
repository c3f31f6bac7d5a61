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

ROUTERS = (
    compare.router,
    files.router,
    jobs.router,
    match.router,
    dedupe.router,
    link.router,
    link.books,
    search.router,
    paraphrases.router,
    ask.router,
    recognise.router,
    judge.router,
    evaluation.router,
)
