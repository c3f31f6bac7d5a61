"""Which reports of a sanitizer are about us.

The thread sanitizer keeps a stack of its own, of the functions that were compiled with it: ours, whoever calls them. A
report without any of them is about libraries that were not: DuckDB's threads hand strings to each other under locks
that are not seen, and the copy is made in the C++ library, so that no line of ``scripts/tsan.txt`` can name who asked.
"""

import re

_UNKNOWN = "failed to restore the stack"  # of what was done first: it may be ours
_LINE = re.compile(r"^={18}$", re.M)


def ours(report: str, module: str = "(_core.") -> str:
    """Return of what was said the parts that name our module; of another sanitizer than that of threads, all.

    >>> theirs = "WARNING: ThreadSanitizer: data race (pid=1)\\n #0 memcpy (libtsan.so+0x5)\\n"
    >>> ours(theirs), ours(theirs + " #1 join core/join.cpp:7 (_core.cpython.so+0x9)") != ""
    ('', True)
    """
    if "ThreadSanitizer" not in report:
        return report
    return "".join(part for part in _LINE.split(report) if module in part or _UNKNOWN in part)
