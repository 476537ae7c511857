"""Who runs beside whom."""
from dataclasses import dataclass, field, replace

from trial.server import FLOOR, NODE

from .works import SCHEMES, WORKS

LOOP, VIRTUAL = "Vert.x event loop", "Vert.x virtual"
MODES = ("event loop", "virtual", "pool")

NOT_BLOCKING = tuple(work for work in WORKS if work != "block")
PLAIN = ("plaintext",)
# Those without a router, and one that does not look at what it was asked.
BARE = tuple(work for work in NOT_BLOCKING if work != "form")
CONSTANT = ("plaintext", "browser", "1000 connections", "10000 connections")
# What needs no route beside those of all peers.
SHARED = ("plaintext", "json", "params", "echo", "browser", "close", "1000 connections", "10000 connections", "block")


@dataclass
class Rival:
    """A server; `settings` are system properties, of Percolate's alone, or of another `program` of ours."""

    name: str
    peer: str = None
    threads: str = None
    settings: dict = field(default_factory=dict)
    works: tuple = tuple(WORKS)
    path: str = None
    schemes: tuple = SCHEMES[:1]
    program: str = "benchmarks.PercolateServer"

    def waits(self):
        """Tells whether its handlers have threads that may wait."""
        return self.threads in ("virtual", "pool") or self.peer in ("helidon", "javalin")

    def jvm(self):
        return self.peer not in (*NODE, FLOOR)

    def base(self):
        """Names the bare engine in the thread mode that compares."""
        return VIRTUAL if self.waits() else LOOP

    def jooby(self):
        """Names Jooby in the thread mode that compares."""
        return "Jooby virtual" if self.waits() else "Jooby event loop"

    def of(self, path, checkout):
        """Gives the same of another checkout of this project, by its class path."""
        return replace(self, name=f"{self.name} ({checkout})", path=path)


def percolate(name, threads, works=tuple(WORKS), **properties):
    """Gives Percolate with such system properties."""
    # A handler that sleeps on the event loop would show only that it must not.
    able = tuple(work for work in works if threads != "event loop" or work in NOT_BLOCKING)
    return Rival(f"Percolate {name}", threads=threads, settings=properties, works=able, schemes=SCHEMES)


RIVALS = [
    Rival("Floor", FLOOR, works=CONSTANT),
    Rival("Netty", "netty", works=(*BARE, "block")),
    Rival(LOOP, "vertx", "event loop", works=(*BARE, "block")),
    Rival(VIRTUAL, "vertx", "virtual", works=(*BARE, "block")),
    Rival("Jooby event loop", "jooby", "event loop", works=NOT_BLOCKING, schemes=SCHEMES),
    Rival("Jooby virtual", "jooby", "virtual", schemes=SCHEMES),
    Rival("Vert.x Web event loop", "vertx-web", "event loop", schemes=SCHEMES),
    Rival("Vert.x Web virtual", "vertx-web", "virtual", schemes=SCHEMES),
    Rival("Helidon SE", "helidon", schemes=SCHEMES),
    Rival("Javalin virtual", "javalin", "virtual", works=SHARED),
    Rival("Express 3", "express3", works=SHARED),
    Rival("Express 5", "express5", works=SHARED),
    Rival("Fastify", "fastify", works=SHARED),
    *(percolate(mode, mode) for mode in MODES),
    *(percolate(f"{mode} etag", mode, works=NOT_BLOCKING, etag="true") for mode in MODES),
    percolate("virtual loops", "virtual", **{"percolate.loops": "virtual"}),
    percolate("virtual logged", "virtual", works=PLAIN, log="LOG"),
    percolate("virtual seven middlewares", "virtual", works=PLAIN, noOps="7"),
    Rival("Express 3 seven middlewares", "express3", settings={"noOps": "7"}, works=PLAIN),
    Rival("Express 5 seven middlewares", "express5", settings={"noOps": "7"}, works=PLAIN),
]


def rival(name):
    """Gives the rival of a name; of another checkout, which stands behind the name, that of this one."""
    return next(one for one in RIVALS if one.name == name.split(" (")[0])
