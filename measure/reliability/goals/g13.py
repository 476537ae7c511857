"""G13 soak: at half of its capacity plus a tenth of hostile clients, the server's memory, files, threads and latency stay constant."""
import re, subprocess, sys, tempfile, time
from pathlib import Path

from trial.crowd import Client, Crowd
from trial.goal import Outcome
from trial.probe import UNITS, Probe, probe

from .g01 import SlowHead
from .g02 import SlowBody, SlowReader
from .g06 import Bomb, gzip_bomb
from .g07 import Upload

DELAY = 5  # ms that each connection waits before its next request
MORE_THREADS = 8
MOST_HOSTILE = 200  # a second: what one Python thread can open while wrk runs


class Malformed(Client):
    first = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"


class HangUp(Client):
    first = b"GET /file HTTP/1.1\r\nHost: a\r\n\r\n"

    def done(self):
        return self.taken > 0


def hostile(rate, seconds):
    """Creates this number of clients of all kinds, with few of the kinds that stay connected."""
    bomb = gzip_bomb(32)
    kinds = [Malformed, lambda: Bomb("gzip", bomb), lambda: Upload(False), HangUp, lambda: Upload(True), Malformed]
    stays = [SlowHead, SlowBody, SlowReader]
    return [stays[i // 20 % 3]() if i % 20 == 0 else kinds[i % len(kinds)]() for i in range(int(rate * seconds))]


def settled(server, threads):
    """Measures after idle pool threads have ended, or after 20 s."""
    end, last = time.monotonic() + 20, look(server)
    while last["threads"] > threads and time.monotonic() < end:
        time.sleep(0.5)
        last = look(server)
    return last


def slice_of(server, script, connections, seconds):
    """Sends requests at a steady rate; returns their number, the 99th percentile, and the errors."""
    out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script,
                          f"http://127.0.0.1:{server.port}/plaintext"], capture_output=True, text=True).stdout
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s|m)\b", out).groups()
    return (int(re.search(r"(\d+) requests in", out).group(1)), float(value) * UNITS[unit],
            " ".join(re.findall(r"(?:Non-2xx.*|Socket errors.*)", out)))


def look(server):
    return {"heap": server.heap() or 0, "resident": server.resident(), "files": server.files(), "threads": server.threads()}


def mean(values):
    return sum(values) / len(values)


def run(trial):
    minutes = trial.minutes or trial.of(120, 1 / 3)
    length = max(1, int(minutes * 60 / 20))
    with trial.server(file=trial.large_file(100)) as server, tempfile.TemporaryDirectory() as folder:
        probe(server.port, trial.of(15, 3))
        capacity = Probe(server.port, trial.of(10, 3), connections=64).result().rate
        script = Path(folder) / "paced.lua"
        script.write_text(f"function delay() return {DELAY} end\n")
        connections = max(1, int(capacity / 2 * DELAY / 1000))
        rate = min(MOST_HOSTILE, capacity / 20)
        slice_of(server, str(script), connections, 3)
        rows, looks, attacks = [], [look(server)], 0
        started, waited = time.monotonic(), 0
        for number in range(20):
            crowd = Crowd(server.port, hostile(rate, length), rate=rate)
            crowd.start()
            rows.append(slice_of(server, str(script), connections, length))
            crowd.end()
            attacks += sum(client.opened is not None for client in crowd.clients)
            if number % 2:
                # Clients about to be closed still hold memory and files, which is no leak.
                ended = time.monotonic()
                server.files_fall_to(looks[0]["files"] + 2, 10)
                waited += time.monotonic() - ended
                looks.append(look(server))
                print(f"{(time.monotonic() - started) / 60:.0f} min: {looks[-1]}, p99 {rows[-1][1]:.1f} ms", file=sys.stderr)
        hours = (time.monotonic() - started - waited) / 3600
        server.files_fall_to(looks[0]["files"], 10)
        end = settled(server, looks[0]["threads"] + MORE_THREADS)
    errors = [row[2] for row in rows if row[2]]
    first, last = mean([row[1] for row in rows[:3]]), mean([row[1] for row in rows[-3:]])
    # Requests in progress hold varying amounts, so the lows are compared. At the first measurements pools and caches are not full yet.
    middle = len(looks) // 2 + 1
    growth = min(at["heap"] for at in looks[middle:]) - min(at["heap"] for at in looks[2:middle])
    flat = growth / (hours / 2) < 1 if minutes >= 30 else growth < 8
    passed = (not errors and flat and end["files"] <= looks[0]["files"] + 4 and end["threads"] <= looks[0]["threads"] + MORE_THREADS
              and last <= 1.2 * first)
    requests = sum(row[0] for row in rows)
    return Outcome(passed, f"{minutes:.2g} min, {requests} requests at {requests / hours / 3600:.0f}/s of {capacity:.0f}/s, {attacks} hostile "
                           f"connections, {len(errors)} slices with errors{': ' + errors[0] if errors else ''}; heap {growth:+.1f} MiB "
                           f"between the lows of its halves, files {looks[0]['files']} to {end['files']}, "
                           f"threads {looks[0]['threads']} to {end['threads']}, p99 {first:.1f} to {last:.1f} ms")
