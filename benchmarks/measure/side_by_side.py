"""Loads all rivals in rotations, one at a time, and notes what each request cost the server."""
import json, os, resource, statistics, sys, tempfile, time
from contextlib import ExitStack
from pathlib import Path

from trial.probe import Probe
from trial.server import NODE, PINNED, Server

from .rivals import RIVALS, WORKS

SETTLED = 0.02


class Row:
    """What one run of wrk has found; the same names as in the file of all rows."""

    def __init__(self, **found):
        self.__dict__.update(found)


class Results:
    def __init__(self, rotations, seconds, forks=1, processors=1):
        self.rotations, self.seconds, self.forks, self.processors = rotations, seconds, forks, processors
        self.rows, self.start = {}, {}

    def of(self, name, work, value):
        """Gives a value of all rotations; none for who has not run."""
        return [getattr(row, value) for row in self.rows.get((name, work), [])]

    def save(self, path):
        rows = [{"name": name, "work": work, "rows": [vars(row) for row in rows]} for (name, work), rows in self.rows.items()]
        path.write_text(json.dumps({"rotations": self.rotations, "seconds": self.seconds, "forks": self.forks, "processors": self.processors, "start": self.start, "rows": rows}) + "\n")

    @staticmethod
    def load(path):
        kept = json.loads(Path(path).read_text())
        results = Results(kept["rotations"], kept["seconds"], kept.get("forks", 1), kept.get("processors", 1))
        results.start = kept["start"]
        results.rows = {(one["name"], one["work"]): [Row(**row) for row in one["rows"]] for one in kept["rows"]}
        return results


def measure(server, work, seconds):
    cpu, compilers = server.cpu(), server.compilers()
    found = Probe(server.port, seconds, work.connections, work.target, work.script).result()
    used = server.cpu() - cpu
    compiled = sum(now - compilers.get(thread, 0) for thread, now in server.compilers().items())
    return Row(micros=used / max(found.requests, 1) * 1e6, rate=found.rate, p50=found.p50, p99=found.p99, errors=found.errors,
               compiling=compiled / used if used else 0, resident=server.resident())


def warm(server, work, most):
    """Loads until hardly anything is compiled any more; Node's compiler cannot be told apart, so that gets half of the time."""
    window = 3 if most > 10 else 1
    until = time.monotonic() + (most / 2 if server.peer in NODE else most)
    shares = []
    while time.monotonic() < until and not (len(shares) > 1 and max(shares[-2:]) < SETTLED and server.peer not in NODE):
        shares.append(measure(server, work, window).compiling)


def launch(rival, folder, jvm=(), pinned=PINNED):
    settings = {name: folder / "log" if value == "LOG" else value for name, value in rival.settings.items()}
    server = Server(rival.peer, rival.threads, options=[] if rival.peer in NODE else ["-Xmx1g", *jvm], count=False, path=rival.path,
                    pinned=pinned, **settings)
    server.get("/plaintext")
    return server, (time.monotonic() - server.started) * 1000


def run(rivals, works, rotations, seconds, most, forks=1, processors=1):
    """Measures; `most` is how long the first warm-up of one takes at most, and half of that each later one, for other work.

    On one processor a server has that for itself, and wrk another; on two all share both.
    The rotations are spread over `forks`, for each of which all servers are started anew: the JIT compilers of one process decide differently from those of another.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    alone = processors == 1
    if alone and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {1})
    results = Results(rotations, seconds, forks, processors)
    starts = {rival.name: [] for rival in rivals}
    for fork in range(forks):
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            servers = {}
            for rival in rivals:
                server, millis = launch(rival, folder, pinned=PINNED if alone else ())
                servers[rival.name] = stack.enter_context(server)
                starts[rival.name].append(millis)
            for work in works:
                able = [rival for rival in rivals if work in rival.works]
                numbers = range(rotations * fork // forks, rotations * (fork + 1) // forks)
                rotate(results, able, servers, work, most if work == works[0] else most / 2, numbers)
    results.start = {name: statistics.median(millis) for name, millis in starts.items()}
    return results


def rotate(results, rivals, servers, work, most, numbers):
    for rival in rivals:
        print(f"{work}: warming up {rival.name}", file=sys.stderr)
        warm(servers[rival.name], WORKS[work], most)
    for number in numbers:
        print(f"{work}: rotation {number + 1} of {results.rotations}", file=sys.stderr)
        for rival in rivals:
            row = measure(servers[rival.name], WORKS[work], results.seconds)
            results.rows.setdefault((rival.name, work), []).append(row)


def chosen(only):
    """Gives the rivals of these names, or whose names contain one of these words, or all."""
    words = [word.strip().lower() for word in only.split(",") if word.strip()]
    names = {rival.name.lower() for rival in RIVALS}
    return [rival for rival in RIVALS if not words
            or any(word == rival.name.lower() or word not in names and word in rival.name.lower() for word in words)]


def median(values):
    return statistics.median(values) if values else None
