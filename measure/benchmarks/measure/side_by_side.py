"""Loads all servers in rotations, one at a time, and measures the cost per request."""
import os, resource, shutil, sys, tempfile, time
from contextlib import ExitStack
from pathlib import Path

from trial.server import NODE, PINNED, Server, beside
from trial.tls import make_store

from . import answers, build, loads
from .results import Results
from .rivals import FLOOR, RIVALS
from .works import SCHEMES, WORKS, label, secure

SETTLED = 0.02
# The values of `--load` other than rates.
LOADS = ("saturated", "idle", "allocated", "start")
IDLE_SECONDS, SETTLING = 10, 5


def warm(server, load, most):
    """Loads a server in windows until it hardly compiles any more. The time of Node's compiler is unknown, so Node gets half of the maximum."""
    window = 3 if most > 10 else 1
    until = time.monotonic() + (most / 2 if server.peer in NODE else most)
    shares = []
    while time.monotonic() < until and not (len(shares) > 1 and max(shares[-2:]) < SETTLED and server.peer not in NODE):
        compiling = load(window).compiling
        shares.append(1 if compiling is None else compiling)


def launch(rival, folder, jvm=(), pinned=PINNED, scheme="http"):
    settings = {name: folder / "log" if value == "LOG" else value for name, value in rival.settings.items()}
    if scheme == "h2c":
        settings["http2PriorKnowledge"] = "true"
    elif scheme == "h2":
        settings["http2"] = "true"  # for Jooby
    path = rival.path or build.whole_path()
    for module in rival.modules:
        path = beside(path, module)
    server = Server(rival.peer, rival.threads, options=[] if rival.peer in NODE else ["-Xmx1g", *jvm], count=False, program=rival.program,
                    path=path, pinned=pinned, key_store=store(folder) if secure(scheme) else None, **settings)
    if scheme == "http":
        server.get("/plaintext")
    return server, (time.monotonic() - server.started) * 1000


def store(folder):
    """Creates the key store for all servers of a start, once."""
    made = folder / "EC.p12"
    return made if made.exists() else make_store(folder)


def run(rivals, works, rotations, seconds, most, forks=1, processors=1, kinds=("saturated",), schemes=SCHEMES[:1]):
    """Runs the measurements. `most` is the maximum time of the first warm-up of a server; later ones take at most half of it.
    With one processor, the server has it to itself and the clients use another one; with two, all share both.
    The rotations are spread over `forks`, each with new starts of all servers, because JIT compilers decide differently in each process.
    """
    alone = processors == 1
    prepare(alone)
    pinned = PINNED if alone else ()
    results = Results(rotations, seconds, forks, processors)
    if set(kinds) != {"start"}:
        for fork in range(forks):
            numbers = range(rotations * fork // forks, rotations * (fork + 1) // forks)
            for scheme in schemes:
                able = [rival for rival in rivals if scheme in rival.schemes]
                Fork(results, able, numbers, most, pinned, scheme).run(works, kinds)
    if "start" in kinds:
        cold(results, rivals, pinned)
    return results


def prepare(alone):
    """Raises the limit of open files, and pins this process and its clients to one processor if servers have their own."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if alone and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {1})


def cold(results, rivals, pinned):
    """Starts each server alone in each rotation."""
    rivals = [rival for rival in rivals if rival.jvm()]
    for number in range(results.rotations):
        print(f"start: rotation {number + 1} of {results.rotations}", file=sys.stderr)
        for rival in rivals:
            with tempfile.TemporaryDirectory() as folder:
                results.add(rival.name, "start", loads.start(launch(rival, Path(folder), pinned=pinned)))


class Fork:
    """One start of all servers, and its rotations. Schemes other than HTTP are measured only with works."""

    def __init__(self, results, rivals, numbers, most, pinned, scheme):
        self.results, self.rivals, self.numbers, self.most, self.pinned, self.scheme = results, rivals, numbers, most, pinned, scheme
        self.servers, self.warmed = {}, set()

    def run(self, works, kinds):
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            for rival in self.rivals:
                server, millis = launch(rival, folder, pinned=self.pinned, scheme=self.scheme)
                self.servers[rival.name] = stack.enter_context(server)
                if self.scheme == "http":
                    self.results.start.setdefault(rival.name, []).append(millis)
            for work in works if "saturated" in kinds else ():
                if loads.able(self.scheme, WORKS[work]):
                    self.load(label(work, self.scheme), work)
            if self.scheme != "http":
                return
            for rate in (int(kind) for kind in kinds if kind.isdigit()):
                self.load(f"plaintext at {rate}/s", "plaintext", rate)
            if "idle" in kinds:
                self.idle()
            if "allocated" in kinds:
                self.allocated()

    def load(self, title, name, rate=0):
        work = WORKS[name]
        able = [rival for rival in self.able(name) if self.same(title, rival, work)]
        self.warm(name, able)
        if rate:
            self.warm(name, able, rate)
        for number in self.numbers:
            self.tell(title, number)
            for rival in able:
                self.results.add(rival.name, title, loads.measure(self.servers[rival.name], work, self.results.seconds, rate, self.scheme))

    def able(self, name):
        return [rival for rival in self.rivals if name in rival.works]

    def same(self, title, rival, work):
        """Returns whether a server does the same work. Reports a server that does not, and excludes it."""
        fault = answers.fault(self.servers[rival.name], work, self.scheme)
        if fault:
            print(f"{title}: {rival.name} is excluded: {fault}", file=sys.stderr)
            self.results.left_out.setdefault(title, {})[rival.name] = fault
        return not fault

    def warm(self, name, rivals, rate=0):
        """Warms up for a work. A paced load needs its own warm-up, because it uses other code paths than a saturated one."""
        if (name, rate) in self.warmed:
            return
        for rival in rivals:
            print(f"{name}: warming up {rival.name}" + (f" at {rate}/s" if rate else ""), file=sys.stderr)
            server = self.servers[rival.name]
            warm(server, lambda seconds: loads.measure(server, WORKS[name], seconds, rate, self.scheme), self.most / 2 if self.warmed else self.most)
        self.warmed.add((name, rate))

    def idle(self):
        names = list(self.servers)
        # After the load, the JIT compilers still work on their queue.
        time.sleep(SETTLING)
        for number in self.numbers:
            self.tell("idle", number)
            for name, row in zip(names, loads.idle([self.servers[name] for name in names], IDLE_SECONDS)):
                self.results.add(name, "idle", row)

    def allocated(self):
        able = [rival for rival in self.able("plaintext") if rival.jvm()]
        self.warm("plaintext", able)
        for number in self.numbers:
            self.tell("allocated", number)
            for rival in able:
                self.results.add(rival.name, "allocated", loads.allocated(self.servers[rival.name], self.results.seconds))

    def tell(self, title, number):
        print(f"{title}: rotation {number + 1} of {self.results.rotations}", file=sys.stderr)


def chosen(only, names):
    """Returns the names that are given in full or in part; all if none is given."""
    words = [word.strip().lower() for word in only.split(",") if word.strip()]
    whole = {name.lower() for name in names}
    return [name for name in names if not words or any(word == name.lower() or word not in whole and word in name.lower() for word in words)]


def chosen_rivals(only):
    """Returns the servers with the given names or parts of names, as far as they can be built here."""
    names = chosen(only, [rival.name for rival in RIVALS])
    found = [rival for rival in RIVALS if rival.name in names]
    if shutil.which("gcc") is None and any(rival.peer == FLOOR for rival in found):
        print("the floor is excluded, because it needs gcc", file=sys.stderr)
        found = [rival for rival in found if rival.peer != FLOOR]
    return found
