"""The goals of speed that one run of `benchmarks/run http` can judge: beside whom, at what, and how much at most."""
from .rivals import LOOP, VIRTUAL

WORKS = ("plaintext", "json", "params")
NIO_LOOP, NIO_VIRTUAL = "Percolate nio event loop", "Percolate nio virtual"
RATES = ("plaintext at 2000/s", "plaintext at 20000/s")
# What these goals need beside each other.
LOADS = ("saturated", "2000", "20000", "idle", "allocated", "start")
# For each mode: beside whom, and at most how many times as much CPU.
BOUNDS = {
    "event loop": {LOOP: 1.10, "Jooby event loop": 1, "Helidon SE": 0.667},
    "virtual": {VIRTUAL: 1.10, "Helidon SE": 1, "Jooby virtual": 1, "Vert.x Web virtual": 1},
}
# The same of the engine nio, for some labels each.
NIO_BOUNDS = [
    (NIO_LOOP, ("plaintext", "params"), {"Jooby event loop": 1, "Netty": 0.95}),
    (NIO_LOOP, ("plaintext",), {"Floor": 1.35}),
    (NIO_LOOP, ("json", "browser"), {"Jooby event loop": 1}),
    (NIO_VIRTUAL, ("plaintext", "params"), {"Jooby virtual": 0.80, "Helidon SE": 0.75, "Vert.x Web virtual": 0.75}),
    (NIO_VIRTUAL, RATES, {"Jooby virtual": 1}),
    (NIO_LOOP, ("start",), {"Jooby event loop": 1}),
    (NIO_VIRTUAL, ("start",), {"Jooby virtual": 1}),
]
# CPU until the first answer, beside the same mode on Vert.x.
FIRST_ANSWER = {NIO_LOOP: "Percolate event loop", NIO_VIRTUAL: "Percolate virtual"}
# Of one server alone: label, value, what it is in words, by what it is multiplied, how it is written, and at most how much.
LIMITS = [
    *((name, "idle", "open", "% of a processor, idle with 64 connections", 100, ".2f", 0.3) for name in (NIO_LOOP, NIO_VIRTUAL)),
    *((name, "start", "connection", "bytes of heap of an idle connection", 1, ".0f", 1.5 * 1024) for name in (NIO_LOOP, NIO_VIRTUAL)),
    (NIO_LOOP, "allocated", "allocated", "bytes allocated for plaintext", 1, ".0f", 1.2 * 1024),
    (NIO_VIRTUAL, "allocated", "allocated", "bytes allocated for plaintext", 1, ".0f", 2 * 1024),
]


def comparisons():
    """Gives who is compared with whom, at what, and how many times as much CPU it may take for a request."""
    for mode, bounds in BOUNDS.items():
        for work in WORKS:
            for other, goal in bounds.items():
                yield f"Percolate {mode}", other, work, goal
            if mode != "virtual":
                yield f"Percolate {mode} etag", LOOP, work, 1.2
        yield f"Percolate {mode}", VIRTUAL if mode == "virtual" else LOOP, "echo", 1.05
    yield "Percolate virtual seven middlewares", "Percolate virtual", "plaintext", 1.02
    for ours, labels, bounds in NIO_BOUNDS:
        yield from ((ours, other, label, goal) for label in labels for other, goal in bounds.items())


def names():
    """Gives those whom a goal names."""
    return list(dict.fromkeys(name for ours, theirs, *_ in comparisons() for name in (ours, theirs)))


def works():
    """Gives what is asked for these goals as fast as it is answered, first what times are scaled by."""
    return list(dict.fromkeys(label for *_, label, _ in comparisons() if label not in (*RATES, "start")))
