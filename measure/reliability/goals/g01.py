"""G1 slow heads: connections that send a byte of their headers every 5 s are closed in time, and other clients do not notice."""
import time

from trial.crowd import Client, Crowd
from trial.goal import Outcome, healthy, mebi
from trial.probe import Probe

LIMIT = 11  # the limit of 10 s for a head, and one second
RATE = 1000  # a second, so that all are open when the first is closed


class SlowHead(Client):
    first = b"GET /plaintext HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
    pause = 5

    def drop(self):
        return b"a"


def run(trial):
    count, seconds = trial.of(10_000, 1_000), trial.of(30, 6)
    with trial.server() as server:
        heap = trial.rehearse(server, [SlowHead() for _ in range(count)], RATE)
        base = trial.base(server)
        beside = Probe(server.port, seconds)
        crowd = Crowd(server.port, [SlowHead() for _ in range(count)], rate=RATE)
        crowd.start()
        beside.result()
        crowd.join(max(1, LIMIT + 3 + count / RATE - seconds))
        crowd.end()
        times = [client.closed - client.opened for client in crowd.clients if client.closed]
        well, figures = healthy(base, beside)
        passed = well and len(times) == count and max(times) <= LIMIT and (heap or 0) <= 128
        trial.recover("G1", server, base)
    longest = f" within {max(times):.1f} s" if times else ""
    return Outcome(passed, f"closed {len(times)}/{count}{longest}, {figures}, heap {mebi(heap)}")
