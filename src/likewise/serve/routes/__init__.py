"""The HTTP interface: a module per job, each a few lines over the job's own function."""

from likewise.serve.routes import ask, compare, evaluation, files, jobs, judge, link, match, paraphrases, search

ROUTERS = (
    compare.router,
    files.router,
    jobs.router,
    match.router,
    link.router,
    link.books,
    search.router,
    paraphrases.router,
    ask.router,
    judge.router,
    evaluation.router,
)
