"""G26 slow hellos: connections that stall in their TLS handshake are closed in time, and other clients do not notice; idle ones use little memory."""
import socket, ssl, tempfile, time

from trial.crowd import Client, Crowd
from trial.goal import Outcome, healthy, mebi
from trial.probe import Probe
from trial.tls import clients, make_store

LIMIT = 11  # the limit of 10 s for a handshake, and one second
RATE = 1000  # a second, so that all are open when the first is closed
MOST_IDLE = 40  # KiB
ALERT = 100  # bytes; the response to a hello has more
GET = b"GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n"


def hello():
    """Returns the first record of a handshake."""
    sent = ssl.MemoryBIO()
    try:
        clients().wrap_bio(ssl.MemoryBIO(), sent).do_handshake()
    except ssl.SSLWantReadError:
        pass
    return sent.read()


HELLO = hello()


class SlowHello(Client):
    """Sends the first bytes of its hello, then one byte after each pause."""

    first = HELLO[:7]
    pause = 5

    def __init__(self):
        super().__init__()
        self.sent = len(self.first)

    def waits(self):
        return self.opened

    def drop(self):
        self.sent += 1
        return HELLO[self.sent - 1:self.sent]


class Stopping(Client):
    """Sends a hello, and nothing more."""

    first = HELLO

    def waits(self):
        """Returns the time since which the server waits: that of its response, which may be delayed by many others."""
        return self.heard if self.taken > ALERT else self.opened


def crowd_of(count):
    return [Stopping() if i % 4 == 0 else SlowHello() for i in range(count)]


def connect(context, port):
    connection = context.wrap_socket(socket.create_connection(("127.0.0.1", port), 10))
    connection.sendall(GET)
    answer = b""
    while not answer.endswith(b"Hello, World!"):
        answer += connection.recv(4096)
    return connection


def idle(server, count):
    """Returns the KiB that each idle connection uses: on the heap, in direct buffers, and resident."""
    context = clients()
    for connection in [connect(context, server.port) for _ in range(count)]:
        connection.close()
    time.sleep(1)
    before = server.heap(), server.direct(), server.resident()
    connections = [connect(context, server.port) for _ in range(count)]
    after = server.heap(), server.direct(), server.resident()
    if server.connections() < count:
        raise ValueError("idle connections were closed while they were counted")
    for connection in connections:
        connection.close()
    return [(b - a) * 1024 / count for a, b in zip(before, after)]


def run(trial):
    count, seconds, idle_count = trial.of(10_000, 1_000), trial.of(30, 6), trial.of(3_000, 1_000)
    folder = tempfile.TemporaryDirectory()
    store = make_store(folder.name)
    with trial.server(key_store=store, idleTimeout=300) as server:
        heap_each, direct_each, resident_each = idle(server, idle_count)
    with folder, trial.server(key_store=store) as server:
        at_start = server.said()
        Probe(server.port, trial.of(15, 5), scheme="https").result()
        base = Probe(server.port, trial.of(30, 3), scheme="https").result()
        beside = Probe(server.port, seconds, scheme="https")
        crowd = Crowd(server.port, crowd_of(count), rate=RATE)
        crowd.start()
        beside.result()
        crowd.join(max(1, LIMIT + 3 + count / RATE - seconds))
        crowd.end()
        times = [client.closed - client.waits() for client in crowd.clients if client.closed]
        well, figures = healthy(base, beside)
        heap, lines = server.heap(), server.said()[len(at_start):].splitlines()
    passed = well and len(times) == count and max(times) <= LIMIT and heap_each + direct_each <= MOST_IDLE and not lines
    longest = f" within {max(times):.1f} s" if times else ""
    return Outcome(passed, f"closed {len(times)}/{count}{longest}, {figures}, heap {mebi(heap)}, {len(lines)} log lines; an idle connection uses "
                           f"{heap_each:.1f} KiB of heap and {direct_each:.1f} KiB of direct buffers ({resident_each:.1f} resident)")
