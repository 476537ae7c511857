"""The probe: wrk on 8 connections, whose rate and latencies show how an attack affects other clients."""
import re, subprocess, time

UNITS = {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}


class Probe:
    """The results of a run of wrk. Times are in milliseconds."""

    def __init__(self, port, seconds, connections=8, target="/plaintext", script=None, scheme="http"):
        self.process = subprocess.Popen(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", *(["-s", script] if script else []),
                                         f"{scheme}://127.0.0.1:{port}{target}"], stdout=subprocess.PIPE, text=True)

    def result(self):
        out = self.process.communicate()[0]
        self.p50, self.p99 = (latency(out, percent) for percent in (50, 99))
        self.requests = int((re.search(r"(\d+) requests in", out) or [0, 0])[1])
        paced = re.search(r"Requests/sec:\s+([\d.]+)", out)
        self.rate = float(paced.group(1)) if paced else 0.0
        self.errors = " ".join(re.findall(r"(?:Non-2xx.*|Socket errors.*)", out))
        return self


def latency(out, percent):
    found = re.search(rf"{percent}%\s+([\d.]+)(us|ms|s|m)\b", out)
    return float(found.group(1)) * UNITS[found.group(2)] if found else float("inf")


def probe(port, seconds):
    return Probe(port, seconds).result()


def recovery(port, base, seconds=10):
    """Returns the best share of the base rate in windows of 2 s, and after how many seconds it was reached."""
    best, started = 0.0, time.monotonic()
    while time.monotonic() - started < seconds:
        best = max(best, probe(port, 2).rate / base)
        if best >= 0.95:
            break
    return best, time.monotonic() - started
