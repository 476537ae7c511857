"""The servers that are compared."""
from dataclasses import dataclass, field, replace

from trial.server import FLOOR, NODE

from .works import SCHEMES, WORKS

LOOP, VIRTUAL = "Vert.x event loop", "Vert.x virtual"
MODES = ("event loop", "virtual", "pool")

NOT_BLOCKING = tuple(work for work in WORKS if work != "block")
PLAIN = ("plaintext",)
# The works of servers without a router, and of the floor, which does not parse requests.
BARE = tuple(work for work in NOT_BLOCKING if work != "form")
CONSTANT = ("plaintext", "browser", "1000 connections", "10000 connections")
# The works that need only the routes of all peers.
SHARED = ("plaintext", "json", "params", "echo", "browser", "close", "1000 connections", "10000 connections", "block")


@dataclass
class Rival:
    """A server. `settings` are system properties of Percolate, or of another `program` of this project, whose class path has the `modules` too."""

    name: str
    peer: str = None
    threads: str = None
    settings: dict = field(default_factory=dict)
    works: tuple = tuple(WORKS)
    path: str = None
    schemes: tuple = SCHEMES[:1]
    program: str = "benchmarks.PercolateServer"
    modules: tuple = ()

    def waits(self):
        """Returns whether its handlers run on threads that may block."""
        return self.threads in ("virtual", "pool") or self.peer in ("helidon", "javalin")

    def jvm(self):
        return self.peer not in (*NODE, FLOOR)

    def base(self):
        """Returns the name of the bare engine in the same thread mode."""
        return VIRTUAL if self.waits() else LOOP

    def jooby(self):
        """Returns the name of Jooby in the same thread mode."""
        return "Jooby virtual" if self.waits() else "Jooby event loop"

    def of(self, path, checkout):
        """Returns a copy that runs another checkout of this project, with its class path."""
        return replace(self, name=f"{self.name} ({checkout})", path=path)


def percolate(name, threads, works=tuple(WORKS), **properties):
    """Returns Percolate with the given system properties."""
    # A handler that sleeps on the event loop would only show that it must not.
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
    *(replace(percolate(f"{mode} with inspector", mode, works=PLAIN), modules=("inspector",)) for mode in MODES),
    Rival("Express 3 seven middlewares", "express3", settings={"noOps": "7"}, works=PLAIN),
    Rival("Express 5 seven middlewares", "express5", settings={"noOps": "7"}, works=PLAIN),
]


def rival(name):
    """Returns the server with a name. The suffix for another checkout is ignored."""
    return next(one for one in RIVALS if one.name == name.split(" (")[0])
