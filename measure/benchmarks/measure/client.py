"""Runs the clients in C, for what wrk does not support: an even pace, very many connections, idle connections, and WebSockets."""
import shutil, subprocess, sys

from .build import MADE

SOURCES = MADE.parents[1] / "measure"


def available():
    return shutil.which("gcc") is not None


def program(name):
    """Builds a client if it is missing or older than its sources."""
    made, source = MADE / name, SOURCES / f"{name}.c"
    if not made.exists() or made.stat().st_mtime < max(file.stat().st_mtime for file in (source, SOURCES / "client.h")):
        MADE.mkdir(parents=True, exist_ok=True)
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(made), str(source)], check=True, stdout=sys.stderr)
    return str(made)


class Client:
    """Holds the connections of a work, each with one response, and sends requests on demand. A rate of 0 means full speed."""

    def __init__(self, port, work, connections=None, rate=0, seconds=0):
        self.begin("client", port, connections or work.connections, rate, seconds)
        self.say(work.request().hex())
        self.await_open()

    def begin(self, name, *arguments):
        self.process = subprocess.Popen([program(name), *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def await_open(self):
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
        """Sends the requests and returns the result, with the names of a wrk result. Without connections, only errors is set."""
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


class SocketClient(Client):
    """Holds WebSockets, each of which has had one text, and sends texts on demand (see `measure/sockets.c`)."""

    def __init__(self, port, kind, count, size, seconds=0):
        self.begin("sockets", kind, port, count, size, seconds)
        self.await_open()
