"""Who runs beside whom, and what they are asked."""
from dataclasses import dataclass, field, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOOP, VIRTUAL = "Vert.x event loop", "Vert.x virtual"


@dataclass
class Work:
    target: str
    script: str = None
    connections: int = 64


WORKS = {
    "plaintext": Work("/plaintext"),
    "json": Work("/json"),
    "params": Work("/users/4711/posts/12"),
    "echo": Work("/echo", str(HERE / "echo.lua")),
    "block": Work("/slow?ms=100", connections=1000),
}


@dataclass
class Rival:
    name: str
    peer: str = None
    threads: str = None
    settings: dict = field(default_factory=dict)
    works: tuple = tuple(WORKS)
    path: str = None

    def waits(self):
        """Tells whether its handlers have threads that may wait."""
        return self.threads in ("virtual", "pool") or self.peer in ("helidon", "javalin")

    def base(self):
        """Names the bare engine in the thread mode that compares."""
        return VIRTUAL if self.waits() else LOOP

    def jooby(self):
        """Names Jooby in the thread mode that compares."""
        return "Jooby virtual" if self.waits() else "Jooby event loop"

    def of(self, path, checkout):
        """Gives the same of another checkout of this project, by its class path."""
        return replace(self, name=f"{self.name} ({checkout})", path=path)


NOT_BLOCKING = tuple(work for work in WORKS if work != "block")
PLAIN = ("plaintext",)


def percolate(mode):
    # A handler that sleeps on the event loop would show only that it must not.
    works = NOT_BLOCKING if mode == "event loop" else tuple(WORKS)
    return [
        Rival(f"Percolate {mode}", threads=mode, works=works),
        Rival(f"Percolate {mode} etag", threads=mode, settings={"etag": "true"}, works=NOT_BLOCKING),
    ]


RIVALS = [
    Rival("Netty", "netty"),
    Rival(LOOP, "vertx", "event loop"),
    Rival(VIRTUAL, "vertx", "virtual"),
    Rival("Jooby event loop", "jooby", "event loop", works=NOT_BLOCKING),
    Rival("Jooby virtual", "jooby", "virtual"),
    Rival("Vert.x Web event loop", "vertx-web", "event loop"),
    Rival("Vert.x Web virtual", "vertx-web", "virtual"),
    Rival("Helidon SE", "helidon"),
    Rival("Javalin virtual", "javalin", "virtual"),
    Rival("Express 3", "express3"),
    Rival("Express 5", "express5"),
    Rival("Fastify", "fastify"),
    *(rival for mode in ("event loop", "virtual", "pool") for rival in percolate(mode)),
    Rival("Percolate virtual logged", threads="virtual", settings={"log": "LOG"}, works=PLAIN),
    Rival("Percolate virtual seven middlewares", threads="virtual", settings={"noOps": "7"}, works=PLAIN),
    Rival("Express 3 seven middlewares", "express3", settings={"noOps": "7"}, works=PLAIN),
    Rival("Express 5 seven middlewares", "express5", settings={"noOps": "7"}, works=PLAIN),
]


def rival(name):
    """Gives the rival of a name; of another checkout, which stands behind the name, that of this one."""
    return next(one for one in RIVALS if one.name == name.split(" (")[0])
