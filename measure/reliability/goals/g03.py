"""G3 malformed requests: none enters, nor a request hidden after it, however it is cut; each gets the status of its entry, and the connection ends.

The corpus is that of the tests; its first lines describe the format. Each entry is sent whole, byte by byte, and in two pieces cut anywhere.
Entries with requests that do enter are judged by their number, not by their responses, which are up to the application.
"""
import re

from trial.corpus import AFTER, CORPUS, entries
from trial.crowd import Client, Crowd
from trial.goal import Outcome

CUT_EVERYWHERE = 300


class Piecewise(Client):
    """Sends pieces with pauses between them."""

    pause = 0.002
    kept = 65536

    def __init__(self, entry, pieces):
        super().__init__()
        self.entry, self.pieces, self.name = entry, pieces, f"{entry.row} {entry.name}"

    def drop(self):
        return self.pieces.pop(0) if self.pieces else b""

    def wrong(self):
        """Returns a text that describes the failure, or None."""
        found = re.findall(rb"(?:^|\n)HTTP/1\.[01] (\d{3})", self.answer)
        statuses = [int(status) for status in found if status != b"100"]
        said = ", ".join(map(str, statuses)) or "no response"
        if not self.closed:
            return f"{self.name}: {said}, connection still open"
        if self.reset and not statuses:
            return None  # it continued to send after the rejection, and the reset discarded the response
        if self.entry.entered:
            return f"{self.name}: {said}" if len(statuses) > len(self.entry.answers) else None
        right = len(statuses) == len(self.entry.answers) and all(s in a for s, a in zip(statuses, self.entry.answers))
        return None if right else f"{self.name}: {said}"


def by_bytes(raw):
    """Returns single bytes; if there are many, only those at both ends."""
    half = CUT_EVERYWHERE // 2
    if len(raw) > CUT_EVERYWHERE:
        return by_bytes(raw[:half]) + [raw[half:-half]] + by_bytes(raw[-half:])
    return [raw[i:i + 1] for i in range(len(raw))]


def ways(entry, everywhere):
    # Every peer has this route, and counts the requests to it.
    raw = re.sub(rb"(?<= )/(?:x|smuggled|after)(?= )", b"/plaintext", entry.bytes() + AFTER)
    step = 1 if everywhere and len(raw) <= CUT_EVERYWHERE else max(37, len(raw) // 2)
    return [Piecewise(entry, pieces) for pieces in
            [[raw], by_bytes(raw), *([raw[:cut], raw[cut:]] for cut in range(1 + len(raw) % step, len(raw), step))]]


def send(server, clients):
    """Sends entries; returns how many entered, and what went wrong."""
    before = server.entered()
    for start in range(0, len(clients), 500):
        crowd = Crowd(server.port, clients[start:start + 500], rate=1000)
        crowd.start()
        crowd.settle(4)
    return server.entered() - before, {wrong for wrong in (client.wrong() for client in clients) if wrong}


def run(trial):
    corpus = entries(trial.corpus or CORPUS)
    with trial.server() as server:
        base = trial.base(server)
        refused = [client for entry in corpus if not entry.entered for client in ways(entry, not trial.quick)]
        served = [client for entry in corpus if entry.entered for client in ways(entry, not trial.quick)]
        smuggled, wrong = send(server, refused)
        more, wrong_too = send(server, served)
        expected = sum(client.entry.entered for client in served)
        trial.recover("G3", server, base)
    wrong = sorted(wrong | wrong_too)
    names = {text.split(":")[0] for text in wrong}
    return Outcome(not wrong and smuggled == 0 and more <= expected,
                   f"{len(corpus)} entries sent {len(refused) + len(served)} times: {smuggled} entered that must not, of the others {more} "
                   f"of at most {expected}, {len(names)} entries with a wrong result" + ("; ".join([""] + wrong[:4])[1:]))
