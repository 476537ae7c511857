"""G27 WebSockets: thousands of idle ones, and slow readers: these are closed, memory use is limited, and other clients do not notice."""
import http.client, re, threading, time

from trial.crowd import ETHERNET, Client, Crowd
from trial.goal import Outcome, healthy, mebi
from trial.probe import Probe
from trial.server import TOUCHED

RATE, SLOW_RATE = 1000, 200  # a second
MESSAGE, GAP = 16 << 10, 0.1  # bytes, and seconds between two messages of the topic
GONE = 40  # seconds: a topic closes them after 2 s or with 1 MiB queued, an echo after its timeout of 10 s; they then have 5 s to respond
MOST = 128  # MiB
# A socket counts as a request in progress; the default limit of those is 10,000.
MORE = 20_000
TOO_SLOW = "1013"


def upgrade(target):
    return (f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()


class Idle(Client):
    """Responds to pings, and does nothing else."""

    first = upgrade("/sockets")
    pause = 20
    seen = 0

    def drop(self):
        come, self.seen = self.taken > self.seen, self.taken
        return b"\x8a\x80\0\0\0\0" if come else b""


class Reader(Idle):
    """Reads the messages of the topic."""

    first = upgrade("/topic")


class Deaf(Client):
    """Subscribes to the topic and reads nothing."""

    first = upgrade("/topic")
    reads = False
    window, segment = 8192, ETHERNET


class Sipper(Deaf):
    """Reads 1 KiB a second of the topic."""

    pause = 1
    sip = 1024


class Asker(Deaf):
    """Sends 2 MiB of texts to the echo, and reads none of them back."""

    first = upgrade("/sockets")
    texts = (b"\x81\xfe\x04\0" + bytes(4) + b"x" * 1024) * 16
    left = (2 << 20) // len(texts)

    def more(self):
        self.left -= 1
        return self.texts if self.left >= 0 else b""


class Publisher(threading.Thread):
    """Publishes messages until it is told to end."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.ended, self.count, self.failures = port, threading.Event(), 0, []

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        while not self.ended.wait(GAP):
            try:
                connection.request("GET", f"/publish?bytes={MESSAGE}")
                answer = connection.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException) as failure:
                self.failures.append(repr(failure))
                break
            self.count += 1
            if answer.status != 200:
                self.failures.append(answer.status)
        connection.close()

    def end(self):
        self.ended.set()
        self.join()


class Wave:
    """Slow readers, and messages for them until all have been closed. They cannot see that, because they do not read on: the server reports it."""

    def __init__(self, server, count):
        self.server, self.count, self.before, self.files = server, count, closed(server), server.files()
        kinds = (Deaf, Sipper, Deaf, Sipper, Asker)
        self.crowd = Crowd(server.port, [kinds[i % len(kinds)]() for i in range(count)], SLOW_RATE)
        self.publisher = Publisher(server.port)
        self.began = time.monotonic()
        self.crowd.start()
        self.publisher.start()

    def dropped(self):
        return closed(self.server) - self.before

    def end(self):
        """Waits until all have been closed and their files freed, within the time allowed for that."""
        self.crowd.opened.wait()
        started = time.monotonic()
        while time.monotonic() - started < GONE and self.dropped() < self.count:
            time.sleep(0.5)
        freed = self.server.files_fall_to(self.files + 20, GONE)
        self.seconds, self.gone = time.monotonic() - self.began, self.dropped()
        self.publisher.end()
        self.crowd.end()
        self.whole = self.gone == self.count and freed is not None and not self.publisher.failures
        return self

    def figures(self):
        failures = f", publishing: {self.publisher.failures[0]}" if self.publisher.failures else ""
        return f"{self.gone}/{self.count} slow readers closed by {TOO_SLOW} and gone within {self.seconds:.0f} s{failures}"


def closed(server):
    """Returns the number of sockets that the server has closed because they were too slow."""
    return int((re.search(rf"{TOO_SLOW}=(\d+)", server.get("/closed").decode()) or [0, 0])[1])


def most_memory(server, wave):
    """Returns the most MiB of heap and direct memory used until the readers have been closed. Each measurement runs a collection, so speed is not measured meanwhile."""
    looks, started = [(0, 0)], time.monotonic()
    while wave.dropped() < wave.count and time.monotonic() - started < GONE:
        looks.append((server.heap(), server.direct()))
        time.sleep(0.5)
    return max(looks, key=sum)


def run(trial):
    if trial.peer:
        return Outcome(None, "for Percolate only")
    idle, slow, readers, seconds = trial.of(10_000, 1_000), trial.of(1_000, 100), 20, trial.of(30, 8)
    held_by = "callbacks" if trial.threads in ("event loop", "pool") else "threads"
    with trial.server(jvm=TOUCHED, sockets=held_by, maxConcurrentRequests=MORE) as server:
        base = trial.base(server)
        crowd = Crowd(server.port, [Idle() for _ in range(idle)] + [Reader() for _ in range(readers)], RATE)
        crowd.start()
        crowd.opened.wait()
        time.sleep(1)
        heap_idle = server.heap()
        beside_idle = Probe(server.port, seconds).result()
        first = Wave(server, slow)
        heap, direct = most_memory(server, first)
        first.end()
        second = Wave(server, slow)
        beside_slow = Probe(server.port, seconds).result()
        second.end()
        time.sleep(1)
        there = sum(client.closed is None for client in crowd.clients)
        messages = first.publisher.count + second.publisher.count
        least = min(client.taken for client in crowd.clients[idle:]) // MESSAGE
        crowd.end()
        trial.recover("G27", server, base)
    idle_well, idle_figures = healthy(base, beside_idle)
    slow_well, slow_figures = healthy(base, beside_slow)
    passed = (idle_well and slow_well and first.whole and second.whole and there == len(crowd.clients) and least >= messages
              and heap + direct <= MOST)
    return Outcome(passed, f"with {idle} idle sockets {idle_figures}, heap {mebi(heap_idle)}; with slow readers {slow_figures}, heap {mebi(heap)}, "
                           f"direct {mebi(direct)}; {first.figures()}, then {second.figures()}; {there}/{len(crowd.clients)} others still connected, "
                           f"of {messages} messages each reader got {least} or more")
