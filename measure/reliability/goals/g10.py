"""G10 a stop under load: after TERM no request is lost, new ones are rejected, each connection learns its last response, and the process ends soon."""
import re, signal, socket, subprocess, threading, time
from pathlib import Path

from trial.goal import Outcome

HERE = Path(__file__).resolve().parents[1]
PLAIN = b"GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n"
SLOW = b"GET /slow?ms=2000 HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Asker(threading.Thread):
    """Sends requests on one connection until a response says that it is the last, or `times` times."""

    def __init__(self, port, request, body, times=None):
        super().__init__(daemon=True)
        self.port, self.request, self.body, self.times = port, request, body, times
        self.asked = self.answers = 0
        self.told = self.failed = False
        self.ended = 0.0

    def run(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 30) as connection:
                while self.asked != self.times and not self.told:
                    self.ask(connection)
        except OSError:
            pass

    def ask(self, connection):
        # The server may close the connection between two requests: then this request has not begun.
        connection.sendall(self.request)
        answer = b""
        while not answer.endswith(self.body):
            try:
                piece = connection.recv(4096)
            except OSError:
                piece = b""
            if not piece:
                if answer or self.times:
                    self.asked += 1
                raise OSError("closed")
            answer += piece
        self.asked += 1
        self.answers += 1
        self.ended = time.monotonic()
        self.told = b"connection: close" in answer.lower()
        self.failed = b" 200 " not in answer[:15]


def refused(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return True
    return False


def stop_once(trial, sleepers):
    """Returns the losses and the time until the process ended."""
    with trial.server() as server:
        askers = [Asker(server.port, PLAIN, b"Hello, World!") for _ in range(32)]
        slow = [Asker(server.port, SLOW, b"slept", times=1) for _ in range(sleepers)]
        for asker in askers + slow:
            asker.start()
        time.sleep(1.5)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        turned_away = refused(server.port)
        try:
            server.process.wait(35)
            stayed = False
        except subprocess.TimeoutExpired:
            stayed = True
        ended = time.monotonic()
        for asker in askers + slow:
            asker.join(1)
        lost = sum(asker.asked - asker.answers for asker in slow) + sum(asker.asked - asker.answers for asker in askers)
        last = max(asker.ended for asker in askers + slow) or ended
        return {"answers": sum(asker.answers for asker in askers + slow), "lost": lost,
                "failed": sum(asker.failed for asker in askers + slow), "told": sum(asker.told for asker in askers),
                "refused": turned_away, "stayed": stayed, "after": ended - last}


def with_log_lines(trial):
    """Runs Percolate's own script, which stops the server under wrk and compares responses with log lines."""
    command = [str(HERE / "stop-under-load"), str(trial.of(50, 2)), *([trial.threads] if trial.threads else [])]
    out = subprocess.run(command, capture_output=True, text=True).stdout
    found = re.search(r"^(PASS|FAIL) (\d+ of \d+)", out, re.M)
    return (found.group(1) == "PASS", found.group(2)) if found else (False, "none")


def run(trial):
    rounds = [stop_once(trial, trial.of(200, 50)) for _ in range(trial.of(50, 3))]
    total = {name: sum(row[name] for row in rounds) for name in ("answers", "lost", "failed", "told", "refused", "stayed")}
    after = max(row["after"] for row in rounds)
    passed = (total["lost"] == total["failed"] == total["stayed"] == 0 and total["refused"] == len(rounds)
              and total["told"] == 32 * len(rounds) and after <= 5)
    figures = (f"{len(rounds)} stops: {total['lost']} of {total['answers'] + total['lost']} requests lost, {total['failed']} failed, "
               f"{total['told']} of {32 * len(rounds)} told which response is the last, new ones rejected {total['refused']} times, "
               + (f"{total['stayed']} did not end" if total["stayed"] else f"end {after:.1f} s after the last response"))
    if not trial.peer:
        lines, count = with_log_lines(trial)
        passed, figures = passed and lines, figures + f"; responses and log lines agree in {count} stops under wrk"
    return Outcome(passed, figures)
