"""The performance goals that one run of `measure/benchmarks/run http` can judge: compared server, work, and limit."""
from .rivals import LOOP, VIRTUAL

WORKS = ("plaintext", "json", "params")
OUR_LOOP, OUR_VIRTUAL = "Percolate event loop", "Percolate virtual"
RATES = ("plaintext at 2000/s", "plaintext at 20000/s")
# The loads that these goals need.
LOADS = ("saturated", "2000", "20000", "idle", "allocated", "start")
# The compared servers, the labels, and the limit of the ratio of CPU times.
BOUNDS = [
    (OUR_LOOP, ("plaintext", "params"), {"Jooby event loop": 1, "Netty": 0.95}),
    (OUR_LOOP, ("plaintext",), {"Floor": 1.35}),
    (OUR_LOOP, ("json", "browser"), {"Jooby event loop": 1}),
    (OUR_VIRTUAL, ("plaintext", "params"), {"Jooby virtual": 0.80, "Helidon SE": 0.75, "Vert.x Web virtual": 0.75}),
    (OUR_VIRTUAL, ("json",), {"Jooby virtual": 1, "Helidon SE": 1, "Vert.x Web virtual": 1}),
    (OUR_VIRTUAL, RATES, {"Jooby virtual": 1}),
    (OUR_LOOP, ("start",), {"Jooby event loop": 1}),
    (OUR_VIRTUAL, ("start",), {"Jooby virtual": 1}),
]
# Limits of one server: label, value, description, factor, format, limit.
LIMITS = [
    *((name, "idle", "open", "% of a processor, idle with 64 connections", 100, ".2f", 0.3) for name in (OUR_LOOP, OUR_VIRTUAL)),
    *((name, "start", "connection", "bytes of heap of an idle connection", 1, ".0f", 1.5 * 1024) for name in (OUR_LOOP, OUR_VIRTUAL)),
    (OUR_LOOP, "allocated", "allocated", "bytes allocated for plaintext", 1, ".0f", 1.2 * 1024),
    (OUR_VIRTUAL, "allocated", "allocated", "bytes allocated for plaintext", 1, ".0f", 2 * 1024),
]


def comparisons():
    """Returns the compared servers, the label, and the limit of the ratio of CPU times per request."""
    for ours, labels, bounds in BOUNDS:
        yield from ((ours, other, label, goal) for label in labels for other, goal in bounds.items())
    for ours, bare in ((OUR_LOOP, LOOP), (OUR_VIRTUAL, VIRTUAL)):
        yield ours, bare, "echo", 1.05
    yield from ((f"{OUR_LOOP} etag", LOOP, work, 1.2) for work in WORKS)
    yield "Percolate virtual seven middlewares", OUR_VIRTUAL, "plaintext", 1.02


def names():
    """Returns the servers that a goal names."""
    return list(dict.fromkeys(name for ours, theirs, *_ in comparisons() for name in (ours, theirs)))


def works():
    """Returns the works that these goals need at full load. The first one scales times."""
    return list(dict.fromkeys(label for *_, label, _ in comparisons() if label not in (*RATES, "start")))
