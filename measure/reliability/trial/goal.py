"""One run of goals: its options, and the outcome of each goal."""
import os, tempfile
from pathlib import Path

from .crowd import Crowd
from .probe import probe, recovery
from .server import Server


DISTURBED = 0.05


class Stolen:
    """The share of the processors that other machines have used since this was created."""

    def __init__(self):
        self.before = self.read()

    def share(self):
        stolen, whole = (now - before for now, before in zip(self.read(), self.before))
        return stolen / whole if whole else 0

    @staticmethod
    def read():
        ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
        return ticks[7], sum(ticks)


class Outcome:
    """Passed, failed, or skipped (None), with the figures."""

    def __init__(self, passed, figures):
        self.passed, self.figures = passed, figures


class Trial:
    def __init__(self, quick=False, peer=None, threads=None, minutes=None, corpus=None):
        self.quick, self.peer, self.threads, self.minutes, self.corpus = quick, peer, threads, minutes, corpus
        self.recovered = {}
        self.name = peer or "percolate"
        # Other load on this machine distorts rates and latencies; the reader of the line must know.
        self.busy = os.getloadavg()[0] > 1

    def of(self, full, quick):
        """Returns the number for the full run or for the quick one."""
        return quick if self.quick else full

    def server(self, **settings):
        return Server(self.peer, self.threads, **settings)

    def base(self, server):
        """Warms up the server, then measures it without an attack, as far as the machine allows."""
        probe(server.port, self.of(15, 3))
        for _ in range(6):
            stolen = Stolen()
            found = probe(server.port, self.of(30, 3))
            if stolen.share() <= DISTURBED:
                break
        return found

    def rehearse(self, server, clients, rate):
        """Runs an attack that does not count, so that the JIT compilers' work for it is not measured.

        Returns the heap use while all clients were connected.
        """
        crowd = Crowd(server.port, clients, rate)
        crowd.start()
        crowd.opened.wait(60)
        heap = server.heap()
        crowd.join(15)  # peers may keep such clients open for ever
        crowd.end()
        return heap

    def recover(self, goal, server, base):
        """Records for G21 how far the server has recovered."""
        best, seconds = recovery(server.port, base.rate)
        self.recovered[goal] = (best, seconds)

    def large_file(self, mebibytes):
        """Creates a sparse file that is deleted after the trial."""
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "large"
        with path.open("wb") as file:
            file.truncate(mebibytes << 20)
        return path


def healthy(base, beside, goal_p99=50):
    """Returns whether the probe did well enough during an attack, and its figures."""
    share = beside.rate / base.rate if base.rate else 0
    passed = share >= 0.8 and beside.p99 <= min(max(5 * base.p99, 1), goal_p99) and not beside.errors
    text = f"probe {share:.0%} of base, p99 {beside.p99:.1f} ms (base {base.p99:.1f})"
    return passed, text + (f", {beside.errors}" if beside.errors else "")


def mebi(value):
    return "unknown" if value is None else f"{value:.0f} MiB"
