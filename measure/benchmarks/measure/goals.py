"""Each goal with its figure, the 90 % interval, and PASS, FAIL or UNDECIDED."""
import collections, subprocess, tempfile, time
from pathlib import Path

from trial.server import Server

from . import bounds, build
from .ratio import NOT_MEASURED, Figure, difference, known, ratio
from .rivals import LOOP, VIRTUAL

# What bare Vert.x took for plaintext on the machine of the goals in nanoseconds; elsewhere those are scaled.
REFERENCE = 7.2
MOST_COMPILING = 0.05
# How sure it is that all medians of a run are inside of their intervals at once, where a second run is looked for in them.
ALL_INSIDE = 0.99


class Goals:
    def __init__(self, results, quick):
        self.results, self.quick, self.failed = results, quick, 0
        bare = Figure(results.of(LOOP, "plaintext", "micros"))
        self.scale = bare.median / REFERENCE if bare.measured() else 1
        # A server that is still compiled, or loaded too seldom, would make a machine look slow and its times good.
        compiling = Figure(results.of(LOOP, "plaintext", "compiling"))
        self.scaled = bare.sure and compiling.measured() and compiling.median < MOST_COMPILING

    def judge(self, name, figure, goal, form=".2f"):
        if not figure.measured():
            self.absent(name, NOT_MEASURED)
            return
        word = figure.verdict(goal)
        self.failed += word == "FAIL"
        print(f"{word} {name}: {figure:{form}}, goal {goal:g}" + (" (quick)" if self.quick else ""), flush=True)

    def judge_time(self, name, figure, goal, form=".2f"):
        """Judges a time by the speed of this machine, if that is known."""
        scaled = figure.times(1 / self.scale)
        scaled.sure = self.scaled
        self.judge(name, scaled, goal, form)

    def absent(self, name, why):
        print(f"UNDECIDED {name}: {why}", flush=True)

    def compare(self, ours, theirs, label, goal):
        name = f"{label}: {ours} beside {theirs}"
        errors = [f"{one}: {self.results.errors(one, label)}" for one in (ours, theirs) if self.results.errors(one, label)]
        if errors:
            self.absent(name, "; ".join(errors))
        else:
            self.judge(name, ratio(*(self.results.of(one, label, "micros") for one in (ours, theirs))), goal)

    def by_http(self):
        for ours, theirs, label, goal in bounds.comparisons():
            self.compare(ours, theirs, label, goal)
        for name, label, value, what, factor, form, goal in bounds.LIMITS:
            self.judge(f"{what}: {name}", Figure(self.results.of(name, label, value)).times(factor), goal, form)
        ours, bare = (self.results.of(name, "plaintext", "resident") for name in (bounds.OUR_VIRTUAL, VIRTUAL))
        if ours and bare:
            self.judge("MB of RSS after load more than bare Vert.x", difference(ours, bare).times(1.048576), 10, ".0f")

    def own_share(self):
        """Times here are scaled to the machine on which the goals in nanoseconds were set."""
        found = collections.defaultdict(list)
        for name, value in build.processes("OwnShare", quick=self.quick):
            found[name].append(float(value))
        print(f"times are divided by {self.scale:.2f}: bare Vert.x takes so many times {REFERENCE} µs here")
        goals = {"no-op ns": ("ns of one more middleware", 50), "line µs": ("µs of a log line on the thread of its request", 0.5)}
        for name, values in found.items():
            figure = Figure(values)
            if name.startswith("routes "):
                self.judge(f"10,000 routes beside 10, {name[7:]}", figure, 2)
            elif name.startswith("route ns "):
                self.judge_time(f"ns to route among 10, {name[9:]}", figure, 150, ".0f")
            else:
                what, goal = goals[name]
                self.judge_time(what, figure, goal)

    def allocation(self):
        program = subprocess.run([build.JAVA, "-Xmx1g", "-cp", build.class_path(), "dev.percolate.benchmarks.Allocations"],
                                 capture_output=True, text=True, check=True)
        bytes_of = dict(line.split() for line in program.stdout.splitlines())
        value = int(bytes_of["plaintext"])
        self.judge("bytes allocated for plaintext beyond the engine's", known(value, value, value), 3 * 1024, ".0f")

    def bodies(self):
        """Reads what measure/benchmarks/bodies prints."""
        quick = ["--quick"] if self.quick else []
        program = subprocess.run([build.HOME / "bodies", "--built", *quick], capture_output=True, text=True)
        if program.returncode:
            self.absent("bodies", program.stderr.strip()[-200:])
        for line in program.stdout.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) == 8 and " to " in cells[5] and "codec" not in cells[0] and "simple" not in cells[0]:
                low, high = map(float, cells[5].split(" to "))
                figure = known(float(cells[4]), low, high, sure=not self.quick)
                goal = 0.2 if "qs" in cells[0] else 1.15 if "described" in cells[0] else 1.1
                self.judge(f"{cells[0]}, {cells[1]}", figure, goal, ".3f")

    def log_lines(self):
        """Reads what measure/benchmarks/log-lines prints."""
        program = subprocess.run([build.HOME / "log-lines", "15"], capture_output=True, text=True)
        if program.returncode:
            self.absent("log lines", program.stderr.strip()[-200:])
        for line in program.stdout.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) == 7 and " to " in cells[5] and cells[0] != "Percolate":
                slowest, fastest = (float(part) for part in cells[5].split(" (")[1].rstrip(")").split(" to "))
                share = known(1 / float(cells[5].split()[0]), 1 / fastest, 1 / slowest)
                self.judge(f"time for log lines beside {cells[0]}", share, 0.05 if "morgan" in cells[0] else 1)
            elif len(cells) == 7 and cells[0] == "Percolate":
                low, high = map(float, cells[4].split(" to "))
                self.judge_time("µs of CPU for a log line in all", known(float(cells[3]), low, high), 1)

    def neighbours(self):
        program = subprocess.run([build.ROOT / "measure" / "reliability" / "slow-neighbours"], capture_output=True, text=True)
        self.failed += program.returncode != 0
        print(program.stdout.strip() and f"{program.stdout.split()[-1]} slow neighbours: {program.stdout.strip()}, goal 20 ms"
              or f"FAIL slow neighbours: {program.stderr.strip()[-200:]}", flush=True)

    def starts(self, rounds=9):
        """The archive is made by a first run, of jars only: the JVM archives no directories."""
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder) / "percolate.jsa"
            path = ":".join(map(str, build.jars("benchmarks")))
            first_answer(path=path, jvm=[f"-XX:ArchiveClassesAtExit={archive}", "-Xlog:cds=off", "-Xlog:aot=off"])
            pairs = [(first_answer(path=path), first_answer(peer="vertx"),
                      first_answer(path=path, jvm=[f"-XX:SharedArchiveFile={archive}"])) for _ in range(rounds)]
        ours, bare, archived = zip(*pairs)
        self.judge("ms to the first answer more than bare Vert.x", difference(ours, bare), 100, ".0f")
        self.judge("first answer with a CDS archive beside without", ratio(archived, ours), 0.5)

    def sizes(self):
        whole = build.megabytes(build.jars("percolate"))
        self.judge("MB of percolate with its engine", known(whole, whole, whole), 4)
        logger = build.jars("logger")
        strange = [jar.name for jar in logger if not jar.name.startswith(("percolate-", "jspecify-"))]
        kilobytes = 1000 * build.megabytes(jar for jar in logger if jar.name.startswith("percolate-"))
        self.judge("KB of the logger and the modules it needs", known(kilobytes, kilobytes, kilobytes), 200, ".0f")
        self.judge("jars of others that the logger needs, but jspecify", known(*[len(strange)] * 3), 0, ".0f")


def again(first, second):
    """Tells of each comparison whether the median of a second run is inside the interval of the first; gives how many are not.

    The intervals are so wide that all of them hold at once, by Bonferroni's rule. A second median has an error of its own: both runs need 13 rotations
    or more, each of its own start. Then it is outside in 0.5 of 100 cases, with nine in 3.
    """
    both = [(ours, theirs, work) for ours, theirs, work, _ in bounds.comparisons()
            if all(ratio(run.of(ours, work, "micros"), run.of(theirs, work, "micros")).measured() for run in (first, second))]
    if not both:
        raise SystemExit("no comparison is in both runs")
    inside = of_90 = 0
    for ours, theirs, work in both:
        then, now = ((run.of(ours, work, "micros"), run.of(theirs, work, "micros")) for run in (first, second))
        wide, median = ratio(*then, 1 - (1 - ALL_INSIDE) / len(both)), ratio(*now).median
        inside += median in wide
        of_90 += median in ratio(*then)
        print(f"{'inside' if median in wide else 'OUTSIDE'} {work}: {ours} beside {theirs}: {wide:.2f}, again {median:.2f}")
    print(f"{inside} of {len(both)} inside; of intervals of 90 % {of_90}")
    return len(both) - inside


def first_answer(peer=None, threads="virtual", jvm=(), path=None):
    """Gives the milliseconds from the start of a process to its first answer."""
    with Server(peer, threads, options=["-Xmx1g"], jvm=jvm, count=False, path=path) as server:
        server.get("/plaintext")
        return (time.monotonic() - server.started) * 1000


PARTS = {"http": Goals.by_http, "own share": Goals.own_share, "allocation": Goals.allocation, "bodies": Goals.bodies,
         "log lines": Goals.log_lines, "neighbours": Goals.neighbours, "starts": Goals.starts, "sizes": Goals.sizes}


def run(results, quick, parts=tuple(PARTS)):
    """Judges; gives how many goals are missed."""
    goals = Goals(results, quick)
    for part in parts:
        PARTS[part](goals)
    return goals.failed
