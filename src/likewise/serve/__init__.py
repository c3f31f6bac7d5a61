"""HTTP service and web pages, thin over the same verbs as Python and the command line.

The way of a request: :mod:`~likewise.serve.protocol` (sockets) -> :mod:`~likewise.serve.guard` (who may, how much, how
long) -> :mod:`~likewise.serve.routes` (JSON) or :mod:`~likewise.serve.pages` (HTML) -> the job's own function. What
takes longer than a moment becomes a row in :mod:`~likewise.serve.queue` and runs in a process of its own
(:mod:`~likewise.serve.worker`), so that cancelling it really stops it. :func:`~likewise.serve.app.create_app` puts
these together; :class:`~likewise.serve.settings.ServeOptions` holds every limit.
"""
