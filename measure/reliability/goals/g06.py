"""G6 bombs: small bodies that inflate to a large size get a 413 with little work, and other clients do not notice."""
import shutil, subprocess, time, zlib

from trial.crowd import Client, Crowd
from trial.goal import Outcome, healthy, mebi
from trial.probe import Probe

RATE = 5000


def gzip_bomb(mebibytes):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = bytes(1 << 20)
    return b"".join(packer.compress(block) for _ in range(mebibytes)) + packer.flush()


def brotli_bomb(mebibytes):
    """Compresses with Node, because Python has no Brotli."""
    program = f"process.stdout.write(require('zlib').brotliCompressSync(Buffer.alloc({mebibytes} << 20)))"
    return subprocess.run(["node", "-e", program], capture_output=True, check=True).stdout


class Bomb(Client):
    def __init__(self, coding, body):
        super().__init__()
        self.first = (f"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Encoding: {coding}\r\n"
                      f"Content-Length: {len(body)}\r\n\r\n").encode() + body

    def done(self):
        return self.answered is not None


def run(trial):
    count, size = trial.of(1000, 200), trial.of(1023, 64)
    bombs = [("gzip", gzip_bomb(size))] + ([("br", brotli_bomb(size))] if shutil.which("node") else [])

    def clients():
        return [Bomb(*bombs[i % len(bombs)]) for i in range(count)]

    with trial.server() as server:
        trial.rehearse(server, clients(), RATE)
        base = trial.base(server)
        beside = Probe(server.port, 5)
        time.sleep(1)
        crowd = Crowd(server.port, clients(), RATE)
        crowd.start()
        beside.result()
        crowd.join(20)
        crowd.end()
        heap = server.heap()
        well, figures = healthy(base, beside, 100)
        trial.recover("G6", server, base)

        # The CPU time of the bombs is measured without the probe.
        before = server.cpu()
        crowd_alone = Crowd(server.port, clients(), RATE)
        crowd_alone.start()
        crowd_alone.join(30)
        crowd_alone.end()
        spent = server.cpu() - before
        lives = server.lives() and "OutOfMemory" not in server.said()
    statuses = {}
    for client in crowd.clients + crowd_alone.clients:
        statuses[client.status()] = statuses.get(client.status(), 0) + 1
    # A peer may reject the encoding, or read the body as invalid JSON.
    refused = sum(n for status, n in statuses.items() if 400 <= status < 500 and (trial.peer or status == 413))
    passed = lives and refused == 2 * count and spent <= 5 and beside.p99 <= 100
    said = ", ".join(f"{n} x {status or 'no response'}" for status, n in sorted(statuses.items()))
    names = " and ".join(name for name, _ in bombs)
    return Outcome(passed, f"{count} bombs of {len(bombs[0][1]) >> 10} KiB for {size} MiB ({names}), twice: {said}; "
                           f"CPU {spent:.1f} s, {figures}, heap {mebi(heap)}")
