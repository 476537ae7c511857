"""G24 heads by bytes: a head of 8 KB sent byte by byte costs at most three times the CPU of as many requests, and thousands of them stay within the memory limit."""
import socket, time

from trial.crowd import Client, Crowd
from trial.goal import Outcome, healthy, mebi
from trial.probe import Probe

LINE = b"X-Padding-%03d: " + b"a" * 84 + b"\r\n"
HEAD = b"GET /plaintext HTTP/1.1\r\nHost: localhost\r\n" + b"".join(LINE % i for i in range(80)) + b"\r\n"


class Dripping(Client):
    """Sends a head byte by byte, as fast as possible, except for the last byte."""

    first = HEAD[:1]
    pause = 0.5

    def __init__(self):
        super().__init__()
        self.sent = 1

    def drop(self):
        self.sent += 40
        return HEAD[self.sent - 40:self.sent] if self.sent < len(HEAD) else b""


def whole(port, count):
    """Sends each head in one piece."""
    with socket.create_connection(("127.0.0.1", port), 5) as client:
        for _ in range(count):
            client.sendall(HEAD)
            answered(client)


def by_bytes(port, count):
    """Sends heads byte by byte, each byte in its own packet."""
    with socket.create_connection(("127.0.0.1", port), 5) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(count):
            for i in range(len(HEAD)):
                client.send(HEAD[i:i + 1])
            answered(client)


def short(port, count):
    """Sends as many requests, each in its own packet, as a head has bytes."""
    request = b"GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), 5) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(count * len(HEAD)):
            client.send(request)
            answered(client)


def answered(client):
    answer = b""
    while not answer.endswith(b"Hello, World!"):
        piece = client.recv(4096)
        if not piece:
            raise ConnectionResetError(answer)
        answer += piece


def cost(server, asking, count):
    """Returns the server's CPU time in milliseconds for each head."""
    before = server.cpu()
    asking(server.port, count)
    return (server.cpu() - before) * 1000 / count


def run(trial):
    count, crowd_size = trial.of(20, 5), trial.of(10_000, 1_000)
    with trial.server() as server:
        base = trial.base(server)
        for asking in (whole, by_bytes, short):
            asking(server.port, count)
        drips, requests = cost(server, by_bytes, count), cost(server, short, count)
        crowd = Crowd(server.port, [Dripping() for _ in range(crowd_size)], rate=2000)
        crowd.start()
        crowd.opened.wait(60)
        beside = Probe(server.port, 4).result()
        heap, direct = server.heap(), server.direct()
        crowd.end()
        held = int(server.get("/memory").split()[1])
        well, figures = healthy(base, beside)
    # If each byte were parsed repeatedly, such a head would cost more than as many requests, each of which is read, routed and answered.
    passed = drips <= requests and well and (heap or 0) <= 128
    return Outcome(passed, f"a head of {len(HEAD)} bytes by bytes {drips:.1f} ms of CPU, as many requests {requests:.1f}; {crowd_size} such heads at once: "
                           f"{figures}, heap {mebi(heap)}, direct {mebi(direct)}, bodies held at most {held >> 10} KiB")
