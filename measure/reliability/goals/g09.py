"""G9 slow readers of large files: each reads 1 KiB a second of 100 MiB; memory use does not grow, and all of it is freed when they disconnect."""
import time

from trial.crowd import ETHERNET, Client, Crowd
from trial.goal import Outcome, mebi
from trial.probe import Probe


class Sipper(Client):
    first = b"GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n"
    window, segment = 8192, ETHERNET
    reads = False
    pause = 1
    sip = 1024


def run(trial):
    count, seconds = trial.of(1000, 200), trial.of(60, 8)
    with trial.server(file=trial.large_file(100)) as server:
        base = trial.base(server)
        files = server.files()
        crowd = Crowd(server.port, [Sipper() for _ in range(count)], rate=1000)
        crowd.start()
        crowd.opened.wait()
        time.sleep(seconds)
        heap, direct, most = server.heap(), server.direct(), server.files()
        alive = sum(client.closed is None for client in crowd.clients)
        taken = sum(client.taken for client in crowd.clients) / count / (seconds + count / 2000)
        crowd.end()
        freed = server.files_fall_to(files + 4, 5)
        trial.recover("G9", server, base)
    passed = (heap or 0) + (direct or 0) <= 128 and most <= 2 * count + files + 20 and freed is not None and alive == count
    after = f"freed in {freed:.1f} s" if freed is not None else "not freed in 5 s"
    return Outcome(passed, f"{count} readers at {taken:.0f} B/s for {seconds} s, {alive} still served, heap {mebi(heap)}, "
                           f"direct {mebi(direct)}, {most - files} files open more, {after}")
