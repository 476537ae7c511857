"""G3 malformed requests: each gets one of the outcomes that its entry allows, and none enters, nor what hides behind it.

A line of the corpus has four fields with tabs or " | " between: a name, a row of docs/security/rows.md, the bytes with \\r \\n \\t \\\\ and
\\xHH, and outcomes: statuses; "closed" for no answer at all; "200" or "enters" where the request is served after all; "first" where its
head enters and the body is refused. Each is sent whole, byte by byte, and in two pieces cut anywhere. Behind most come the bytes of a request
that must not be served.
"""
import re, socket, time
from pathlib import Path

from trial.goal import Outcome
from trial.crowd import Client, Crowd

CORPUS = Path(__file__).with_name("malformed.txt")
ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|.)")
SERVES = {"200", "enters"}
PLAIN = {"r": "\r", "n": "\n", "t": "\t", "0": "\0"}


def corpus(path):
    """Reads entries: name, bytes, statuses that are allowed."""
    entries = []
    for line in Path(path).read_text("utf-8").splitlines():
        fields = [field.strip(" ") for field in (line.split("\t") if "\t" in line else line.split(" | "))]
        fields = [field for field in fields if field]
        if line.startswith("#") or len(fields) < 4:
            continue
        name, _, text, outcomes = fields[:4]
        raw = ESCAPE.sub(lambda hit: chr(int(hit[1][1:], 16)) if len(hit[1]) == 3 else PLAIN.get(hit[1], hit[1]), text)
        entries.append((name, raw.encode("latin-1"), set(re.findall(r"\d{3}|[a-z]+", outcomes))))
    return entries


class Piecewise(Client):
    """Sends pieces with pauses; has seen enough when the connection ends."""

    pause = 0.002
    kept = 65536

    def __init__(self, entry, pieces):
        super().__init__()
        self.entry, self.pieces = entry, pieces

    def drop(self):
        return self.pieces.pop(0) if self.pieces else b""


def whole(raw):
    return [raw]


def bytewise(raw):
    return [raw[i:i + 1] for i in range(len(raw))]


def judge(client):
    """Tells what is wrong, if anything is."""
    name, _, allowed = client.entry
    statuses = [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3})", client.answer)]
    statuses = [status for status in statuses if status != 100]
    serves = allowed & SERVES
    if not client.closed:
        return f"{name}: {statuses[0] if statuses else 'no answer'}, and stays open"
    if not statuses:
        return None if client.reset or "closed" in allowed else f"{name}: closed without an answer"
    if str(statuses[0]) not in allowed and not (serves and statuses[0] < 500):
        return f"{name}: {statuses[0]}"
    return f"{name}: {statuses[0]}, but more follows" if len(statuses) > 1 else None


def send(server, clients):
    crowd = Crowd(server.port, clients, rate=1000)
    crowd.start()
    crowd.join(len(clients) / 1000 + 4)
    crowd.end()
    return [wrong for wrong in map(judge, clients) if wrong]


def run(trial):
    entries = corpus(trial.corpus or CORPUS)
    with trial.server() as server:
        base = trial.base(server)
        trouble = {}
        sent = smuggled = 0
        ways = [("whole", lambda raw: [whole(raw)]), ("by bytes", lambda raw: [bytewise(raw)])]
        step = trial.of(1, 29)
        ways.append(("cut", lambda raw: [[raw[:i], raw[i:]] for i in range(1, min(len(raw), 300), step)]))
        for way, pieces in ways:
            clients = [Piecewise(entry, cut) for entry in entries for cut in pieces(entry[1])]
            before = server.entered()
            for start in range(0, len(clients), 2000):
                trouble.update((wrong, way) for wrong in send(server, clients[start:start + 2000]))
            smuggled += server.entered() - before - sum(bool(client.entry[2] & (SERVES | {"first"})) for client in clients)
            sent += len(clients)
        trial.recover("G3", server, base)
    found = "; ".join(f"{wrong} ({way})" for wrong, way in list(trouble.items())[:8])
    return Outcome(not trouble and not smuggled,
                   f"{len(entries)} entries sent {sent} times: {smuggled} entered that must not, {len(trouble)} with another outcome"
                   + (f": {found}" if found else ""))
