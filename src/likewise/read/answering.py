"""Answer requests in a process of its own, which may crash without taking anything else with it.

Run as a script by :mod:`likewise.read.apart`; it imports nothing of Likewise, so that the process begins in a few
hundredths of a second:

    python -I -S answering.py MODULE FOLDER

MODULE is the file of a module here, whose function ``answers`` yields what is answered; FOLDER has the packages that it
needs. A request on standard input is a line of JSON and the bytes of a file. The answer is a line of JSON, too: why the
file is refused, or what is said of it and how many rows follow, in lines of some rows each.
"""

import contextlib
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, BinaryIO

_IDLE = 5.0  # seconds after which a process that is asked nothing ends


def limit(memory: int, seconds: float) -> None:
    """Let this process have at most so much memory, and so much processor time from now on, where the system can."""
    if sys.platform == "win32":
        return
    import resource

    limits = {
        resource.RLIMIT_CPU: int(time.process_time() + seconds) + 1,
        resource.RLIMIT_DATA: memory,
        resource.RLIMIT_CORE: 0,  # what ends here is known already
    }
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _is_asked(requests: BinaryIO) -> bool:
    """Wait for a request; say whether one came."""
    if sys.platform == "win32":  # where one cannot wait for a pipe, and it ends with who asked
        return True
    import select

    return bool(select.select([requests], [], [], _IDLE)[0])


def bounded(answers: Callable[..., Iterator[Any]], data: bytes, request: dict[str, Any]) -> Iterator[Any]:
    """Yield the answers to a request; what the library did not think of is one, too."""
    try:
        yield from answers(data, request)
    except MemoryError:
        yield {"refused": ["bomb", f"needs more than {request['memory'] >> 20:,} MB of memory"]}
    except BaseException:  # a panic of Rust is no Exception
        yield {"refused": ["broken", f"the library that reads {request['what']} failed on it"]}


def main() -> None:
    """Answer requests until there are no more."""
    spec = spec_from_file_location("asked", sys.argv[1])
    assert spec is not None and spec.loader is not None  # noqa: PT018
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.append(sys.argv[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked decides what Ctrl-C means
    requests, out = sys.stdin.buffer, sys.stdout.buffer
    while _is_asked(requests) and (line := requests.readline()):
        request = json.loads(line)
        data = requests.read(request["size"])
        limit(request["memory"], request["seconds"])
        with contextlib.suppress(BrokenPipeError):
            for answer in bounded(module.answers, data, request):
                out.write(json.dumps(answer, default=str).encode() + b"\n")
            out.flush()


if __name__ == "__main__":
    main()
