"""The client in C, for what wrk cannot do: an even pace, very many connections, and connections that send nothing."""
import shutil, subprocess, sys

from .build import MADE

SOURCE = MADE.parents[1] / "measure" / "client.c"
PROGRAM = MADE / "client"


def available():
    return shutil.which("gcc") is not None


def program():
    """Builds it where it is missing or older than its source."""
    if not PROGRAM.exists() or PROGRAM.stat().st_mtime < SOURCE.stat().st_mtime:
        MADE.mkdir(parents=True, exist_ok=True)
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(PROGRAM), str(SOURCE)], check=True, stdout=sys.stderr)
    return str(PROGRAM)


class Client:
    """Holds the connections of a work, on each of which one request has been answered; asks when it is told to. A rate of 0 is as fast as it can."""

    def __init__(self, port, work, connections=None, rate=0, seconds=0):
        self.process = subprocess.Popen([program(), str(port), str(connections or work.connections), str(rate), str(seconds)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.say(work.request().hex())
        self.opened = self.process.stdout.readline() == "open\n"

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def result(self):
        """Asks, then gives what was found, under the names of a run of wrk; nothing was where the connections could not be opened."""
        self.requests, self.rate, self.p50, self.p99, self.errors = 0, 0.0, None, None, ""
        if self.opened:
            self.say("")
        line = self.process.stdout.readline().split() if self.opened else []
        if line:
            self.requests, errors, micros = int(line[0]), int(line[1]), float(line[2])
            self.rate, self.p50, self.p99 = self.requests / micros * 1e6, float(line[3]) / 1000, float(line[4]) / 1000
            self.errors = f"{errors} lost or wrong" if errors else ""
        else:
            self.errors = self.process.communicate()[1].strip() or "the client failed"
        return self
