"""Measures the application of `measure/arena` and its peers by the profiles of HttpArena. Each profile has its own start of all servers."""
import os, subprocess, sys, tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from trial import postgres
from trial.h2load import H2load
from trial.probe import Probe
from trial.server import PINNED, Server, free_port

from . import answers, arena_data, build
from .arena_profiles import PROFILES
from .client import SocketClient
from .loads import counted
from .results import Results, median
from .side_by_side import prepare, warm

OURS = "Percolate"
# The connections of each server to the database, which all are open at once.
POOL = 16
# The order of ARENA_PORTS.
PORTS = ("http", "https", "h2", "h2c")
PLAIN = ("baseline", "pipelined", "limited-conn", "json", "upload")
TABLE = ("async-db", "crud", "api-4")


@dataclass
class Entry:
    """A server, and the profiles that it has with its production settings."""

    name: str
    peer: str = None
    profiles: tuple = tuple(PROFILES)


def without(*left):
    return tuple(name for name in PROFILES if name not in left)


# Helidon compresses only with a module of its own, which does not resolve.
ENTRIES = [
    Entry(OURS),
    Entry("Helidon SE", "arena/helidon", without("json-comp")),
    Entry("Vert.x Web", "arena/vertx-web"),
    Entry("Spring Boot", "arena/spring"),
    Entry("Quarkus", "arena/quarkus", without("echo-ws")),
    Entry("Jooby", "arena/jooby", (*PLAIN, *TABLE, "static", "echo-ws")),
    Entry("Undertow", "arena/undertow", (*PLAIN, *TABLE, "static", "echo-ws")),
    Entry("Netty", "arena/netty", (*PLAIN, "echo-ws")),
    Entry("microhttp", "arena/microhttp", PLAIN),
    Entry("ActiveJ", "arena/activej", PLAIN),
    Entry("smart-http", "arena/smart-http", PLAIN),
    Entry("robaho httpserver", "arena/robaho", (*PLAIN, *TABLE)),
]


def run(entries, profiles, results, file, most, cheapest=None):
    """Adds the missing rotations to the results, and saves them after each start. `cheapest` are results that choose the peers of each profile."""
    prepare(results.processors == 1)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        arena_data.write(folder)
        database = None
        if any(PROFILES[name].database for name in profiles):
            database = postgres.Server()
            stack.callback(database.close)
            arena_data.fill(database)
        for name in profiles:
            able = [entry for entry in chosen(entries, name, cheapest) if name in entry.profiles]
            for fork in range(results.forks):
                last = results.rotations * (fork + 1) // results.forks
                if not done(results, able, name, last):
                    rotate(results, able, PROFILES[name], range(results.rotations * fork // results.forks, last), most, environment(folder, database))
                    results.save(file)
    return results


def chosen(entries, profile, cheapest):
    """Returns all servers, or ours and the two cheapest peers of an earlier run."""
    if cheapest is None:
        return entries
    def cost(entry):
        return median(cheapest.of(entry.name, profile, "micros"))
    peers = sorted((entry for entry in entries if entry.name != OURS and cost(entry) is not None), key=cost)
    return [entry for entry in entries if entry.name == OURS] + peers[:2]


def done(results, entries, profile, rotations):
    """Returns whether a start was measured before."""
    left_out = results.left_out.get(profile, {})
    return all(entry.name in left_out or len(results.of(entry.name, profile, "micros")) >= rotations for entry in entries)


def environment(folder, database):
    made = {"ARENA_DATA": str(folder), "TLS_CERT": str(folder / "server.crt"), "TLS_KEY": str(folder / "server.key"), "DATABASE_MAX_CONN": str(POOL)}
    if database:
        made["DATABASE_URL"] = f"postgres://test@127.0.0.1:{database.port}/postgres"
    return made


def launch(entry, profile, environment, pinned):
    """Starts a server on a free port for the scheme of the profile."""
    port, settings = free_port(), {**environment, "ARENA_SCHEME": profile.scheme}
    if not profile.database:
        settings.pop("DATABASE_URL", None)
    settings["ARENA_PORTS"] = ",".join(str(port) if scheme == profile.scheme else "0" for scheme in PORTS)
    server = Server(entry.peer, options=["-Xmx1g"], count=False, program="arena.ArenaServer", pinned=pinned, port=port, environment=settings)
    server.scheme = "https" if profile.scheme in ("https", "h2") else "http"
    return server


def rotate(results, entries, profile, numbers, most, environment):
    pinned = PINNED if results.processors == 1 else []
    with ExitStack() as stack:
        servers = {}
        for entry in entries:
            print(f"{profile.name}: starting {entry.name}", file=sys.stderr)
            try:
                server = stack.enter_context(launch(entry, profile, environment, pinned))
                fault = next(filter(None, (answers.fault(server, work, profile.scheme) for work in profile.checked())), None)
            except (subprocess.CalledProcessError, SystemExit) as error:  # its libraries do not resolve, or it does not start
                fault = f"does not start: {str(error)[:200]}"
            if fault:
                print(f"{profile.name}: {entry.name} is excluded: {fault}", file=sys.stderr)
                results.left_out.setdefault(profile.name, {})[entry.name] = fault
            else:
                servers[entry.name] = server
        for name, server in servers.items():
            print(f"{profile.name}: warming up {name}", file=sys.stderr)
            warm(server, lambda seconds: measure(server, profile, seconds), most)
        for number in numbers:
            print(f"{profile.name}: rotation {number + 1} of {results.rotations}", file=sys.stderr)
            for name, server in servers.items():
                results.add(name, profile.name, measure(server, profile, results.seconds))


def measure(server, profile, seconds):
    """Loads a server; returns the cost of a request, and the highest resident memory so far, in MiB."""
    if profile.sockets:
        with SocketClient(server.port, "ws", profile.connections, len("hello"), seconds) as client:
            row = counted(server, client.result)
    else:
        row = counted(server, lambda: load(server, profile, seconds).result())
        if profile.pipeline > 1:
            row.p50 = row.p99 = None  # of sixteen requests
    row.peak = server.status("VmHWM") / 1024
    return row


def load(server, profile, seconds):
    if profile.streams:
        first, *more = profile.works
        return H2load(server.port, profile.connections, profile.streams, seconds=seconds, scheme=server.scheme, target=first.target,
                      headers=first.lines(), more=[work.target for work in more])
    build.MADE.mkdir(parents=True, exist_ok=True)
    script = build.MADE / f"arena-{profile.name}.lua"
    text = profile.script()
    if not script.exists() or script.read_text() != text:
        script.write_text(text)
    return Probe(server.port, seconds, profile.connections, "/", str(script), server.scheme)


def resumed(file, rotations, seconds, forks, processors):
    """Returns the results so far, or new ones. A run can only be continued with the same options."""
    if not file.exists():
        return Results(rotations, seconds, forks, processors)
    results = Results.load(file)
    before = (results.rotations, results.seconds, results.forks, results.processors)
    if before != (rotations, seconds, forks, processors):
        sys.exit(f"{file} has rotations, seconds, forks and processors {before}; use the same, or another --out")
    return results


def needs():
    """Returns the programs that are missing."""
    found = {"wrk", "h2load", "gcc", "openssl", "curl"}
    return sorted(name for name in found if not any(os.access(Path(place) / name, os.X_OK) for place in os.environ["PATH"].split(os.pathsep)))
