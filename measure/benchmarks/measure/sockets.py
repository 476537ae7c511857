"""Measures WebSockets in rotations: echoed texts, one message to many, and the memory of idle sockets."""
import sys, tempfile, time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from . import loads
from .client import SocketClient
from .results import Results
from .rivals import Rival
from .side_by_side import launch, prepare, warm

NETTY, NODE_WS, BARE = "Netty", "ws", "Write loop"
OUR_LOOP, OUR_VIRTUAL, OUR_CALLBACKS = "Percolate event loop", "Percolate virtual", "Percolate virtual callbacks"
OURS = (OUR_LOOP, OUR_VIRTUAL, OUR_CALLBACKS)
# Each socket counts as a running request.
MORE = {"maxConcurrentRequests": "20000"}
JOOBYS = ("Jooby event loop", "Jooby virtual")
RIVALS = {rival.name: rival for rival in [
    Rival(NETTY, "netty", settings={"sockets": "true"}),
    *(Rival(name, "jooby", name.removeprefix("Jooby "), settings={"sockets": "true"}) for name in JOOBYS),
    Rival(NODE_WS, "ws"),
    Rival(BARE, program="benchmarks.WriteLoop"),
    Rival(OUR_LOOP, threads="event loop", settings={"sockets": "callbacks", **MORE}),
    Rival(OUR_VIRTUAL, threads="virtual", settings={"sockets": "threads", **MORE}),
    Rival(OUR_CALLBACKS, threads="virtual", settings={"sockets": "callbacks", **MORE}),
]}
# As many sockets are opened first and stay open, so that the memory that exists only once is not
# measured.
FIRST = 2_000
SIZES = (("connection", lambda server: server.heap()), ("direct", lambda server: server.direct()), ("resident", lambda server: server.resident()))
MEBI, SETTLING = 1 << 20, 1


@dataclass
class TestConnection:
    """A measurement: its servers, the number of sockets, and the size of a text in bytes."""

    kind: str
    title: str
    names: tuple
    count: int
    size: int


TALKS = {
    "echo": TestConnection("echo", "echo of 1 KiB on 64 sockets", (NETTY, *JOOBYS, NODE_WS, *OURS), 64, 1024),
    "fanout": TestConnection("topic", "one message of 200 bytes to 10,000 sockets", (BARE, OUR_LOOP, OUR_VIRTUAL), 10_000, 200),
    "idle": TestConnection("echo", "an idle socket among 10,000", (NETTY, *JOOBYS, *OURS), 10_000, 1024),
}


def run(names, loads_asked, rotations, seconds, most, forks):
    """Runs the measurements. `most` is the maximum time to warm up a server."""
    prepare(True)
    results = Results(rotations, seconds, forks)
    for load in loads_asked:
        talk = TALKS[load]
        rivals = [RIVALS[name] for name in talk.names if name in names]
        if load == "idle":
            idle(results, talk, rivals)
        else:
            for fork in range(forks):
                with ExitStack() as stack:
                    rotate(results, talk, rivals, range(rotations * fork // forks, rotations * (fork + 1) // forks), most, stack)
    return results


def rotate(results, talk, rivals, numbers, most, stack):
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    servers = {rival.name: stack.enter_context(launch(rival, folder)[0]) for rival in rivals}
    for name, server in servers.items():
        print(f"{talk.title}: warming up {name}", file=sys.stderr)
        warm(server, lambda seconds: measure(server, talk, seconds), most)
    for number in numbers:
        print(f"{talk.title}: rotation {number + 1} of {results.rotations}", file=sys.stderr)
        for name, server in servers.items():
            results.add(name, talk.title, measure(server, talk, results.seconds))


def measure(server, talk, seconds):
    """Measures the cost of texts on sockets that are already open."""
    with SocketClient(server.port, talk.kind, talk.count, talk.size, seconds) as client:
        if client.opened and talk.kind == "topic":
            # Collects the garbage of opening the sockets, so that no collection of it happens during the measurement.
            server.heap()
        return loads.counted(server, client.result)


def idle(results, talk, rivals):
    """Starts each server alone in each rotation."""
    for number in range(results.rotations):
        print(f"{talk.title}: rotation {number + 1} of {results.rotations}", file=sys.stderr)
        for rival in rivals:
            with tempfile.TemporaryDirectory() as folder:
                server, _ = launch(rival, Path(folder), jvm=["-XX:NativeMemoryTracking=summary"])
                with server:
                    results.add(rival.name, talk.title, held(server, talk))


def held(server, talk):
    """Returns the bytes of heap, outside the heap, and resident for one more idle socket that has had one text."""
    with SocketClient(server.port, talk.kind, FIRST, talk.size) as first:
        time.sleep(SETTLING)
        before = [size(server) for _, size in SIZES]
        with SocketClient(server.port, talk.kind, talk.count, talk.size) as more:
            time.sleep(SETTLING)
            after = [size(server) for _, size in SIZES]
            if not (first.opened and more.opened):
                return loads.Row(errors=more.result().errors or "the first sockets were not opened")
    found = {name: (now - then) * MEBI / talk.count for (name, _), then, now in zip(SIZES, before, after)}
    return loads.Row(errors="", memory=found["connection"] + found["direct"], **found)
