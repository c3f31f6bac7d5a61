"""What requests and answers look like: the error of every route, and options dataclasses as request models."""

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, create_model
from pydantic import Field as Description

from likewise.analyse.cleaning import STEPS
from likewise.options import fields_of, from_mapping
from likewise.serve.queue import Run

# Steps by name. Others may be files, and those of the server are none of the client's business.
CLEANING = {"clean": list[Literal[*STEPS]] | None}  # type: ignore[valid-type]


class Strict(BaseModel):
    """A request body: names that are not known are refused rather than ignored."""

    model_config = ConfigDict(extra="forbid")


class ErrorDetail(BaseModel):
    """What went wrong, in a word and in a sentence."""

    kind: str = Description(description="One word: option, input, query, unknown, size, busy, ...")
    message: str = Description(description="What went wrong and what is allowed.")


class ErrorAnswer(BaseModel):
    """The answer to every request that could not be served."""

    error: ErrorDetail


class RunAnswer(BaseModel):
    """A piece of long work."""

    id: str
    kind: str
    title: str
    state: str = Description(description="waiting, running, done, failed or cancelled.")
    active: bool
    parameters: dict[str, Any]
    created: float
    started: float | None
    finished: float | None
    done: int
    total: int | None
    unit: str
    message: str
    result: dict[str, Any] | None

    @classmethod
    def of(cls, job: Run) -> "RunAnswer":
        """Return the job as an answer."""
        return cls(active=job.active, **dataclasses.asdict(job))


_REFUSALS = {
    400: "The request cannot be read.",
    401: "The token is missing or wrong.",
    403: "The request comes from a page of another site.",
    404: "There is nothing of that name.",
    408: "The body did not arrive in time.",
    409: "The thing asked for is not ready, or is in the way.",
    413: "The body is too large.",
    415: "The body is of another type.",
    421: "The request was meant for another host.",
    422: "A value is not allowed; the message says which and what is.",
    429: "Too many jobs wait.",
    501: "A part of Likewise that this needs is not installed.",
    503: "Too much is going on, or the request took too long; Retry-After says when to come back.",
    507: "Uploads and results take up all the space they may.",
}
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": text} for status, text in _REFUSALS.items()
}


def model_of(
    options: type, name: str, leave_out: tuple[str, ...] = (), kinds: Mapping[str, Any] | None = None
) -> type[BaseModel]:
    """Return a request model with the fields, defaults and help of an options dataclass.

    ``kinds`` says of some fields which values clients may send.

    >>> from likewise.serve.settings import ServeOptions
    >>> model_of(ServeOptions, "Settings").model_fields["port"].default
    8765
    """
    made: dict[str, Any] = {}
    for field in fields_of(options):
        if field.name in leave_out or field.hidden:
            continue
        kind: Any = (kinds or {}).get(field.name, field.type)
        if field.choices and not get_origin(kind):
            kind = Literal[field.choices]
        elif field.choices and type(None) in get_args(kind):
            kind = Literal[field.choices] | None
        made[field.name] = (kind, Description(field.default, description=field.help))
    return create_model(name, __base__=Strict, **made)


def settings_of(options: type, given: Any) -> dict[str, Any]:
    """Return the options of a request as plain values; refuse in words at once what the job would refuse later."""
    settings: dict[str, Any] = given.model_dump()
    from_mapping(options, settings)
    return settings
