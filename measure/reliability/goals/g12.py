"""G12 leaks: after many compressed requests, memory, files and threads are what they were, and the engine reports no leaked buffer."""
import re, subprocess, tempfile, zlib
from pathlib import Path

from trial.goal import Outcome

SCRIPT = """
local file = io.open("{body}", "rb")
wrk.method = "POST"
wrk.path = "/echo"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Content-Encoding"] = "gzip"
file:close()
"""


def load(server, script, requests):
    """Sends about this number of requests; returns how many were sent, and the errors."""
    sent, errors = 0, ""
    while sent < requests and not errors and server.lives():
        out = subprocess.run(["wrk", "-t1", "-c32", "-d4s", "-s", script, f"http://127.0.0.1:{server.port}/echo"],
                             capture_output=True, text=True).stdout
        sent += int(re.search(r"(\d+) requests in", out).group(1))
        errors += " ".join(re.findall(r"(?:Non-2xx.*|Socket errors.*)", out))
    return sent, errors


def figures(server):
    heap = server.heap()
    return {"resident": server.resident(), "direct": server.direct() or 0, "files": server.files(), "threads": server.threads(),
            "heap": heap or 0}


def run(trial):
    requests = trial.of(1_000_000, 20_000)
    with trial.server(jvm=["-Dio.netty.leakDetection.level=paranoid"]) as server, tempfile.TemporaryDirectory() as folder:
        packer = zlib.compressobj(6, zlib.DEFLATED, 31)
        body = packer.compress(b'{"text": "%s"}' % (b"one two three " * 300)) + packer.flush()
        (Path(folder) / "body").write_bytes(body)
        script = Path(folder) / "post.lua"
        script.write_text(SCRIPT.format(body=Path(folder) / "body"))
        _, errors = load(server, str(script), requests // 2)
        before = figures(server)
        sent, more = load(server, str(script), requests)
        # Idle pool threads end after a while.
        threads = before["threads"]
        after = figures(server)
        leaks = server.said().count("LEAK:")
    errors = (errors + " " + more).strip()
    passed = (not errors and leaks == 0 and after["resident"] - before["resident"] <= 32
              and after["direct"] - before["direct"] <= 1 and after["files"] <= before["files"] + 2 and after["threads"] <= threads + 2)
    change = ", ".join(f"{name} {before[name]:.0f} to {after[name]:.0f}" + (" MiB" if name in ("resident", "direct", "heap") else "")
                       for name in before)
    return Outcome(passed, f"{sent} requests of {len(body)} bytes in gzip: {change}, {leaks} leaks reported"
                   + (f", {errors}" if errors else ""))
