"""The HTTP interface: a module per job, each a few lines over the job's own function."""

from likewise.serve.routes import compare, evaluation, files, jobs, judge, link, match, paraphrases, search

ROUTERS = (
    compare.router,
    files.router,
    jobs.router,
    match.router,
    link.router,
    search.router,
    paraphrases.router,
    judge.router,
    evaluation.router,
)
