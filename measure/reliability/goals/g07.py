"""G7 uploads too large: every client that continues to send soon reads its 413, and memory use stays small."""
from trial.crowd import Client, Crowd
from trial.goal import Outcome, mebi

BLOCK = bytes(64 << 10)
CHUNK = b"10000\r\n" + BLOCK + b"\r\n"
HEAD = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
SIZE = 100 << 20


class Upload(Client):
    def __init__(self, chunked):
        super().__init__()
        self.first = HEAD + (b"Transfer-Encoding: chunked\r\n\r\n" if chunked else b"Content-Length: %d\r\n\r\n" % SIZE)
        self.block = CHUNK if chunked else BLOCK
        self.left = SIZE // len(BLOCK)

    def more(self):
        self.left -= 1
        return self.block if self.left >= 0 else b""

    def done(self):
        return self.answered is not None


def uploads(count):
    return [Upload(i % 2 == 1) for i in range(count)]


def run(trial):
    count = trial.of(1000, 200)
    with trial.server() as server:
        trial.rehearse(server, uploads(count), rate=500)
        base = trial.base(server)
        crowd = Crowd(server.port, uploads(count), rate=5000)
        crowd.start()
        crowd.join(30)
        crowd.end()
        heap, direct = server.heap(), server.direct()
        trial.recover("G7", server, base)
    read = [client.answered - client.opened for client in crowd.clients if client.answered and client.status() == 413]
    resets = sum(client.reset for client in crowd.clients if not client.answered)
    # The engine keeps buffers for later use, so it now holds the most that it has needed.
    memory = (heap or 0) + (direct or 0)
    passed = len(read) == count and max(read) <= 2 and memory <= 189
    longest = f", the last after {max(read):.1f} s" if read else ""
    return Outcome(passed, f"413 read by {len(read)}/{count} uploads{longest}, {resets} reset before; "
                           f"heap {mebi(heap)}, direct {mebi(direct)}")
