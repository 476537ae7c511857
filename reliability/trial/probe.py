"""The healthy client: wrk on 8 connections, whose pace and waiting times tell what an attack costs the others."""
import re, statistics, subprocess, threading, time

WINDOW = 5  # seconds
UNITS = {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}


class Probe(threading.Thread):
    """What runs of wrk have found, one behind the other. Times are in milliseconds.

    Waiting times are the medians of windows of 5 s: what takes the machine away for a moment is no fault of the server, what holds it up again and again is in all of them.
    """

    def __init__(self, port, seconds, connections=8, target="/plaintext", script=None, scheme="http"):
        super().__init__(daemon=True)
        windows = max(1, round(seconds / WINDOW))
        self.windows = windows
        self.command = ["wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds / windows))}s", "--latency", *(["-s", script] if script else []),
                        f"{scheme}://127.0.0.1:{port}{target}"]
        self.said = []
        self.start()

    def run(self):
        for _ in range(self.windows):
            self.said.append(subprocess.run(self.command, stdout=subprocess.PIPE, text=True).stdout)

    def result(self):
        self.join()
        self.p50, self.p99 = (statistics.median(latency(out, percent) for out in self.said) for percent in (50, 99))
        self.requests = sum(int((re.search(r"(\d+) requests in", out) or [0, 0])[1]) for out in self.said)
        paced = [re.search(r"Requests/sec:\s+([\d.]+)", out) for out in self.said]
        self.rate = statistics.mean(float(one.group(1)) if one else 0.0 for one in paced)
        self.errors = " ".join(found for out in self.said for found in re.findall(r"(?:Non-2xx.*|Socket errors.*)", out))
        return self


def latency(out, percent):
    found = re.search(rf"{percent}%\s+([\d.]+)(us|ms|s|m)\b", out)
    return float(found.group(1)) * UNITS[found.group(2)] if found else float("inf")


def probe(port, seconds):
    return Probe(port, seconds).result()


def recovery(port, base, seconds=10):
    """Gives the best part of the base rate that windows of 2 s reach, and after how many seconds."""
    best, started = 0.0, time.monotonic()
    while time.monotonic() - started < seconds:
        best = max(best, probe(port, 2).rate / base)
        if best >= 0.95:
            break
    return best, time.monotonic() - started
