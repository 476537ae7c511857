"""G2 slow bodies and slow readers: clients that send a byte of a body every 5 s or hardly read the response are closed in time, and other clients do not notice."""
import time

from trial.crowd import ETHERNET, Client, Crowd
from trial.goal import Outcome, healthy, mebi
from trial.probe import Probe
from trial.server import TOUCHED

from .g01 import RATE


class SlowBody(Client):
    first = (b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
             b"Content-Length: 90000\r\n\r\n\"")
    pause = 5

    def drop(self):
        return b"a"


class SlowReader(Client):
    first = b"GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n"
    window, segment = 2304, ETHERNET
    reads = False
    pause = 5
    sip = 5


def run(trial):
    bodies, readers = trial.of(10_000, 1_000), trial.of(5_000, 500)
    patience = trial.of(65, 18)
    # A quick run does not wait for the 60 s that a client may stop reading its response.
    settings = {} if trial.peer or not trial.quick else {"writeTimeout": 8}
    with trial.server(file=trial.large_file(100), jvm=TOUCHED, **settings) as server:
        trial.rehearse(server, [SlowBody() for _ in range(bodies)], RATE)
        trial.rehearse(server, [SlowReader() for _ in range(readers)], RATE)
        base = trial.base(server)
        files = server.files() + 10
        seconds = trial.of(30, 6)
        beside = Probe(server.port, seconds)
        crowd = Crowd(server.port, [SlowBody() for _ in range(bodies)], rate=RATE)
        crowd.start()
        beside.result()
        crowd.join(max(1, 14 + bodies / RATE - seconds))
        crowd.end()
        times = [client.closed - client.opened for client in crowd.clients if client.closed]
        slow_bodies, body_figures = healthy(base, beside)
        server.files_fall_to(files, 5)

        # Readers connect slowly, and the probe runs afterwards: this measures that they stay connected.
        crowd = Crowd(server.port, [SlowReader() for _ in range(readers)], rate=200)
        started = time.monotonic()
        crowd.start()
        crowd.opened.wait()
        beside = Probe(server.port, trial.of(9, 4)).result()
        heap, direct = server.heap(), server.direct()
        freed = server.files_fall_to(files, patience - (time.monotonic() - started) + readers / 200)
        took = time.monotonic() - started
        crowd.end()
        slow_readers, reader_figures = healthy(base, beside)
        trial.recover("G2", server, base)
    passed = (slow_bodies and slow_readers and len(times) == bodies and max(times) <= 11 and freed is not None
              and (heap or 0) + (direct or 0) <= 128)
    longest = f" within {max(times):.1f} s" if times else ""
    gone = f"gone after {took:.0f} s" if freed is not None else f"still there after {took:.0f} s"
    waits = " (write time-out 8 s)" if settings else ""
    return Outcome(passed, f"bodies closed {len(times)}/{bodies}{longest}, {body_figures}; {readers} readers {gone}{waits}, "
                           f"{reader_figures}, heap {mebi(heap)}, direct {mebi(direct)}")
