"""G22 bodies beyond the heap: thousands send nearly all of a body and wait; memory stays below its limit, and small requests of others get their responses."""
import base64, gzip, random, socket, threading, time

from trial.crowd import Client, Crowd
from trial.goal import Outcome

SENT, ANNOUNCED = 98_000, 99_000
COMPACT = "-XX:MarkSweepAlwaysCompactCount=1"  # without it three of four collections leave dead objects in place, which then count
OTHER = "127.0.0.2"  # the address that sends small requests
HEAD = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n"
SMALL = b'"' + b"a" * 1000 + b'"'
TEXT = base64.b64encode(random.Random(22).randbytes(ANNOUNCED))  # gzip reduces it to three quarters

BODIES = {
    "json": (b"/echo", b"Content-Type: application/json\r\n", b'["' + b"a" * ANNOUNCED),
    "gzip": (b"/echo", b"Content-Type: application/json\r\nContent-Encoding: gzip\r\n", None),
    "multipart": (b"/form", b"Content-Type: multipart/form-data; boundary=b\r\n",
                  b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n' + b"a" * ANNOUNCED),
    "stream": (b"/read", b"Content-Type: text/plain\r\n", b"a" * ANNOUNCED),
}


class Waiting(Client):
    """Sends a body without its end."""

    def __init__(self, kind):
        super().__init__()
        path, headers, body = BODIES[kind]
        if body is None:
            body = gzip.compress(b'["' + TEXT[:ANNOUNCED] + b'"]')
            self.first = HEAD % (path, len(body), headers) + body[:-1000]
        else:
            self.first = HEAD % (path, ANNOUNCED, headers) + body[:SENT]


class Small(threading.Thread):
    """Sends small requests from another address, one after the other, and records how long each takes."""

    def __init__(self, port, requests):
        super().__init__(daemon=True)
        self.port, self.requests = port, requests
        self.times, self.wrong = [], []
        self.ended = threading.Event()

    def run(self):
        connection = None
        while not self.ended.is_set():
            for request in self.requests:
                started = time.monotonic()
                try:
                    if connection is None:
                        connection = socket.create_connection(("127.0.0.1", self.port), 20, (OTHER, 0))
                    connection.sendall(request)
                    status, keeps = self.answer(connection)
                    if status != b"200":
                        self.wrong.append(status)
                    if not keeps:
                        connection.close()
                        connection = None
                except OSError as failure:
                    self.wrong.append(type(failure).__name__.encode())
                    connection = None
                self.times.append(time.monotonic() - started)
            time.sleep(0.01)

    @staticmethod
    def answer(connection):
        got = b""
        while b"\r\n\r\n" not in got:
            piece = connection.recv(65536)
            if not piece:
                raise ConnectionResetError()
            got += piece
        head, body = got.split(b"\r\n\r\n", 1)
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
        while len(body) < length:
            body += connection.recv(65536)
        return head[9:12], b"connection: close" not in head.lower()

    def p99(self):
        return sorted(self.times)[int(len(self.times) * 0.99)] * 1000 if self.times else float("inf")


def at_rest(server):
    """Returns what the idle server uses: heap in MiB, threads, files."""
    return server.heap(), server.threads(), server.files()


def attack(trial, server, kind, clients, seconds):
    """Returns whether all went well, and the figures."""
    small = [Small(server.port, [b"GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n"]),
             Small(server.port, [HEAD % (b"/echo", len(SMALL) + 2, b"Content-Type: application/json\r\n") + b"[" + SMALL + b"]"])]
    before = at_rest(server)
    crowd = Crowd(server.port, [Waiting(kind) for _ in range(clients)], rate=2000)
    for one in small:
        one.start()
    crowd.start()
    most, waited, started = 0, 0, time.monotonic()
    while time.monotonic() - started < seconds:
        held, _, waiting, budget = map(int, server.get("/memory").split())
        most, waited = max(most, held), max(waited, waiting)
        time.sleep(0.05)
    _, ever, _, budget = map(int, server.get("/memory").split())
    for one in small:
        one.ended.set()
    for one in small:
        one.join(30)
    crowd.end()
    time.sleep(5)
    after = at_rest(server)
    back = all(now <= then * 1.05 + slack for now, then, slack in zip(after, before, (0.5, 2, 4)))
    p99 = max(one.p99() for one in small)
    wrong = [status.decode() for one in small for status in one.wrong]
    passed = ever <= budget and p99 <= 1000 and not wrong and back and waited > 0
    text = (f"{kind}: held {ever >> 20} of {budget >> 20} MiB, {waited} waited, p99 of {sum(len(one.times) for one in small)} small {p99:.0f} ms, "
            f"{len(wrong)} rejected {sorted(set(wrong))}; heap {before[0]:.2f} -> {after[0]:.2f} MiB, threads {before[1]} -> {after[1]}, "
            f"files {before[2]} -> {after[2]}")
    return passed, text


def run(trial):
    clients, seconds = trial.of(5000, 1500), trial.of(20, 4)
    kinds = trial.of(["json", "json", "gzip", "multipart", "stream", "json"], ["json", "gzip", "multipart"])
    found = []
    with trial.server(jvm=[COMPACT]) as server:
        for kind in BODIES:
            attack(trial, server, kind, clients // 5, 3)  # loads classes, and warms up compilers and thread pools
        for kind in kinds:
            if not server.lives():
                break
            found.append(attack(trial, server, kind, clients, seconds))
    return Outcome(len(found) == len(kinds) and all(passed for passed, _ in found), "; ".join(text for _, text in found))
