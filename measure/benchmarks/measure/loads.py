"""Loads a server for some seconds and measures the cost. Values that could not be measured are None."""
import subprocess, time

from trial.h2load import H2load
from trial.probe import Probe

from . import build
from .client import Client, available
from .works import WORKS, multiplexed

PLAINTEXT = WORKS["plaintext"]
# The number of connections that wrk opens. Runs with more use the client in C, which opens them
# before the measurement.
MOST_OF_WRK = 64
# The number of open connections before and between the two heap measurements that give the size of
# one.
HELD = 2_000
WARMING = 4
# As many requests at once as with wrk, on fewer connections.
CLIENTS, STREAMS = 8, 8
# A run at a pace is invalid below this part of its rate. Short pauses of the machine are made up
# for.
KEPT_PACE = 0.9


class Row:
    """The result of one run, with the names used in the JSON file."""

    def __init__(self, **found):
        self.__dict__.update(found)


def needs_client(work, rate=0):
    return bool(rate) or work.connections > MOST_OF_WRK


def able(scheme, work):
    """Returns whether a client supports a work over a scheme. The client in C supports neither TLS nor HTTP/2; h2load keeps its connections."""
    return scheme == "http" or not (needs_client(work) or work.closes())


def measure(server, work, seconds, rate=0, scheme="http"):
    """Sends requests at full speed, or at a rate per second."""
    if multiplexed(scheme):
        return counted(server, lambda: streams(server, work, seconds).result())
    if not needs_client(work, rate):
        return counted(server, lambda: Probe(server.port, seconds, work.connections, work.target, script(work), server.scheme).result())
    with Client(server.port, work, rate=rate, seconds=seconds) as client:
        row = counted(server, client.result)
    if rate and not row.errors and row.rate < KEPT_PACE * rate:
        row.errors = f"did not keep its pace of {rate}/s"
    return row


def counted(server, load):
    cpu, compilers = server.cpu(), server.compilers()
    found = load()
    used = server.cpu() - cpu
    compiled = server.compiled(compilers)
    return Row(micros=used / found.requests * 1e6 if used and found.requests else None, rate=found.rate, p50=found.p50, p99=found.p99,
               errors=found.errors, compiling=compiled / used if used else None, resident=server.resident())


def streams(server, work, seconds):
    body = None
    if work.body:
        build.MADE.mkdir(parents=True, exist_ok=True)
        body = build.MADE / "body"
        body.write_bytes(work.body)
    return H2load(server.port, CLIENTS, STREAMS, seconds=seconds, scheme=server.scheme, target=work.target, headers=work.lines(), body=body)


def script(work):
    """Creates a wrk script that sends exactly the bytes of a work."""
    build.MADE.mkdir(parents=True, exist_ok=True)
    file = build.MADE / "request.lua"
    escaped = "".join(f"\\{byte:03d}" for byte in work.request())
    file.write_text(f'wrk.format = function() return "{escaped}" end\n')
    return str(file)


def idle(servers, seconds):
    """Returns the share of a processor that each server takes without connections and with those of plaintext, for all idle servers at once."""
    with_none = shares(servers, seconds)
    clients = [Client(server.port, PLAINTEXT) for server in servers]
    try:
        time.sleep(1)
        with_some = shares(servers, seconds)
    finally:
        for client in clients:
            client.__exit__()
    return [Row(none=none, open=some if client.opened else None, resident=server.resident(), errors="")
            for server, client, none, some in zip(servers, clients, with_none, with_some)]


def shares(servers, seconds):
    began, before = time.monotonic(), [server.cpu() for server in servers]
    time.sleep(seconds)
    return [(server.cpu() - cpu) / (time.monotonic() - began) for server, cpu in zip(servers, before)]


def allocated(server, seconds):
    """Returns the bytes that all threads of the JVM allocate for a plaintext request. None if the JVM rejects deserialization, as Helidon does."""
    watch = subprocess.Popen([build.JAVA, "-cp", build.class_path(), "dev.percolate.benchmarks.AllocatedBytes", str(server.pid)],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)

    def read():
        try:
            watch.stdin.write(b"\n")
        except BrokenPipeError:
            return 0
        return int(watch.stdout.readline() or 0)

    with watch:
        read()
        before = read()
        requests = Probe(server.port, seconds, PLAINTEXT.connections, PLAINTEXT.target).result().requests
        after = read()
    return Row(allocated=(after - before) / requests if requests and before and after else None, resident=server.resident(), errors="")


def start(launched):
    """Returns the cost until the first response of a new server, the cost of a request during warm-up, and the heap of a connection."""
    server, millis = launched
    with server:
        cpu = server.cpu() * 1000
        row = measure(server, PLAINTEXT, WARMING)
        row.millis, row.cpu, row.connection = millis, cpu, connection(server) if available() else None
        return row


def connection(server):
    """Returns the bytes of heap of one more idle connection that was used once. Measured on a new server, because pools fill later."""
    with Client(server.port, PLAINTEXT, connections=HELD) as first:
        before = server.heap()
        with Client(server.port, PLAINTEXT, connections=HELD) as more:
            return (server.heap() - before) * (1 << 20) / HELD if first.opened and more.opened else None
