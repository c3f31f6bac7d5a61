"""Every limit of the service, with its default and its reason in one sentence."""

import ipaddress
from dataclasses import dataclass

from likewise.errors import OptionError
from likewise.options import check_integer, check_range, option

SHORTEST_TOKEN = 16


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Where the service listens, who may use it, and how much of it.

    >>> ServeOptions(host="0.0.0.0", token="short")
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: host '0.0.0.0' can be reached from elsewhere: give a token of 16 or more characters
    """

    host: str = option("127.0.0.1", "Address to listen on; any but this machine's own needs a token.")
    port: int = option(8765, "Port to listen on; 0 takes a free one.")
    token: str | None = option(None, "Secret token that every request must contain.", environment="LIKEWISE_TOKEN")
    max_body_kb: int = option(1024, "Maximum size of a request other than an upload, in kilobytes.")
    max_upload_mb: int = option(512, "Maximum size of an uploaded file, in megabytes.")
    max_stored_mb: int = option(8192, "Maximum size of all uploads and job results together, in megabytes.")
    concurrency: int = option(128, "Maximum number of concurrent requests; further ones get status 503.")
    request_seconds: float = option(30.0, "Time a request may take; long work runs as a job.")
    body_seconds: float = option(120.0, "Time in which the body of a request must have arrived.")
    header_seconds: float = option(10.0, "Time in which the head of a request must have arrived.")
    parallel_jobs: int = option(1, "Maximum number of concurrent jobs.")
    waiting_jobs: int = option(20, "Maximum number of waiting jobs; further ones get status 429.")
    job_seconds: float = option(3600.0, "Time after which a job is stopped.")
    job_memory_mb: int = option(4096, "Memory that a job may take, in megabytes.")
    grace_seconds: float = option(5.0, "Time that jobs get to finish when the service stops; then they are parked.")

    def __post_init__(self) -> None:
        check_integer("port", self.port, 0, 65535)
        for name in ("max_body_kb", "max_upload_mb", "max_stored_mb", "concurrency", "parallel_jobs", "job_memory_mb"):
            check_integer(name, getattr(self, name), 1)
        check_integer("waiting_jobs", self.waiting_jobs, 0)
        for name in ("request_seconds", "body_seconds", "header_seconds", "job_seconds", "grace_seconds"):
            check_range(name, getattr(self, name), 0)
        if not self.loopback and (self.token is None or len(self.token) < SHORTEST_TOKEN):
            raise OptionError(
                f"host {self.host!r} can be reached from elsewhere: give a token of {SHORTEST_TOKEN} or more characters"
            )
        if self.token is not None and (len(self.token) < SHORTEST_TOKEN or not self.token.isascii()):
            raise OptionError(f"token must have {SHORTEST_TOKEN} or more ASCII characters")

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return False
