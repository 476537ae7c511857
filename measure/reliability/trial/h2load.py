"""HTTP/2 clients, each with several requests at once, run by h2load."""
import re, shutil, subprocess


class H2load:
    """The results of a run of h2load, with a number of requests or for a number of seconds. Requests have the given targets in turn."""

    def __init__(self, port, clients, streams, requests=None, seconds=None, scheme="https", target="/plaintext", headers=None, body=None, more=()):
        much = [f"--requests={requests}"] if requests else [f"--duration={seconds}"]
        lines = [f"--header={name}: {value}" for name, value in (headers or {}).items()]
        data = [f"--data={body}"] if body else []
        self.process = subprocess.Popen(["h2load", *much, f"--clients={clients}", f"--max-concurrent-streams={streams}", *lines, *data,
                                         *(f"{scheme}://127.0.0.1:{port}{one}" for one in (target, *more))], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    @staticmethod
    def available():
        return shutil.which("h2load") is not None

    def result(self):
        out = self.process.communicate()[0]
        found = {name: int(count) for count, name in re.findall(r"(\d+) (total|done|succeeded|failed|errored|timeout)\b", out)}
        self.requests, self.succeeded = found.get("done", 0), found.get("succeeded", 0)
        paced = re.search(r"finished in [\d.]+\w+, ([\d.]+) req/s", out)
        self.rate = float(paced.group(1)) if paced else 0.0
        lost = {name: found.get(name, 0) for name in ("failed", "errored", "timeout") if found.get(name)}
        self.errors = ", ".join(f"{count} {name}" for name, count in lost.items()) or ("" if self.requests else out.strip()[-200:] or "no output")
        # It prints only the minimum, maximum and mean of its latencies.
        self.p50 = self.p99 = None
        return self
