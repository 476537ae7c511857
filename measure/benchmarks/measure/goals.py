"""Prints each goal with its figure, the 90 % interval, and PASS, FAIL or UNDECIDED."""
import collections, subprocess, tempfile, time
from pathlib import Path

from trial.server import Server

from . import bounds, build
from .ratio import NOT_MEASURED, Figure, difference, known, ratio
from .rivals import LOOP, VIRTUAL

# The µs that bare Vert.x took for plaintext on the reference machine. Goals in nanoseconds are
# scaled by it elsewhere.
REFERENCE = 7.2
MOST_COMPILING = 0.05
# The confidence that all medians of a run are within their intervals at once, for `again`.
ALL_INSIDE = 0.99


class Goals:
    def __init__(self, results, quick):
        self.results, self.quick, self.failed = results, quick, 0
        bare = Figure(results.of(LOOP, "plaintext", "micros"))
        self.scale = bare.median / REFERENCE if bare.measured() else 1
        # A server that still compiles or was measured too seldom would make the machine look slow, and its times good.
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
        """Judges a time scaled to the speed of this machine, if that is known."""
        scaled = figure.times(1 / self.scale)
        scaled.sure = self.scaled
        self.judge(name, scaled, goal, form)

    def absent(self, name, why):
        print(f"UNDECIDED {name}: {why}", flush=True)

    def compare(self, ours, theirs, label, goal):
        name = f"{label}: {ours} compared with {theirs}"
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
            self.judge("additional MB of RSS after load compared with bare Vert.x", difference(ours, bare).times(1.048576), 10, ".0f")

    def own_share(self):
        """Measures the framework without engine and kernel. Times are scaled to the reference machine of the goals."""
        found = collections.defaultdict(list)
        for name, value in build.processes("OwnShare", quick=self.quick):
            found[name].append(float(value))
        print(f"times are divided by {self.scale:.2f}, the ratio of bare Vert.x here to {REFERENCE} µs")
        goals = {"no-op ns": ("ns of one more middleware", 50), "line µs": ("µs of a log line on the thread of its request", 0.5)}
        for name, values in found.items():
            figure = Figure(values)
            if name.startswith("routes "):
                self.judge(f"10,000 routes compared with 10, {name[7:]}", figure, 2)
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
        self.judge("bytes allocated for plaintext without the engine", known(value, value, value), 3 * 1024, ".0f")

    def bodies(self):
        """Judges the output of measure/benchmarks/bodies."""
        quick = ["--quick"] if self.quick else []
        program = subprocess.run([build.HOME / "bodies", "--built", *quick], capture_output=True, text=True)
        if program.returncode:
            self.absent("bodies", program.stderr.strip()[-200:])
        for line in program.stdout.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) == 8 and " to " in cells[5] and "codec" not in cells[0] and "simple" not in cells[0]:
                low, high = map(float, cells[5].split(" to "))
                figure = known(float(cells[4]), low, high, sure=not self.quick)
                goal = 0.2 if "qs" in cells[0] else 1.15 if "by hand" in cells[0] else 1.1
                self.judge(f"{cells[0]}, {cells[1]}", figure, goal, ".3f")

    def log_lines(self):
        """Judges the output of measure/benchmarks/log-lines."""
        program = subprocess.run([build.HOME / "log-lines", "15"], capture_output=True, text=True)
        if program.returncode:
            self.absent("log lines", program.stderr.strip()[-200:])
        for line in program.stdout.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) == 7 and " to " in cells[5] and cells[0] != "Percolate":
                slowest, fastest = (float(part) for part in cells[5].split(" (")[1].rstrip(")").split(" to "))
                share = known(1 / float(cells[5].split()[0]), 1 / fastest, 1 / slowest)
                self.judge(f"time for log lines compared with {cells[0]}", share, 0.05 if "morgan" in cells[0] else 1)
            elif len(cells) == 7 and cells[0] == "Percolate":
                low, high = map(float, cells[4].split(" to "))
                self.judge_time("total µs of CPU for a log line", known(float(cells[3]), low, high), 1)

    def neighbours(self):
        program = subprocess.run([build.ROOT / "measure" / "reliability" / "slow-neighbours"], capture_output=True, text=True)
        self.failed += program.returncode != 0
        print(program.stdout.strip() and f"{program.stdout.split()[-1]} slow neighbours: {program.stdout.strip()}, goal 20 ms"
              or f"FAIL slow neighbours: {program.stderr.strip()[-200:]}", flush=True)

    def starts(self, rounds=9):
        """A first run creates the archive, with jars only: the JVM does not archive directories."""
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder) / "percolate.jsa"
            path = ":".join(map(str, build.jars("benchmarks")))
            first_answer(path=path, jvm=[f"-XX:ArchiveClassesAtExit={archive}", "-Xlog:cds=off", "-Xlog:aot=off"])
            pairs = [(first_answer(path=path), first_answer(peer="vertx"),
                      first_answer(path=path, jvm=[f"-XX:SharedArchiveFile={archive}"])) for _ in range(rounds)]
        ours, bare, archived = zip(*pairs)
        self.judge("additional ms to the first response compared with bare Vert.x", difference(ours, bare), 100, ".0f")
        self.judge("first response with a CDS archive compared with none", ratio(archived, ours), 0.5)

    def sizes(self):
        whole = build.megabytes(build.jars("percolate"))
        self.judge("MB of percolate with its engine", known(whole, whole, whole), 4)
        logger = build.jars("logger")
        strange = [jar.name for jar in logger if not jar.name.startswith(("percolate-", "jspecify-"))]
        kilobytes = 1000 * build.megabytes(jar for jar in logger if jar.name.startswith("percolate-"))
        self.judge("KB of the logger and the modules it needs", known(kilobytes, kilobytes, kilobytes), 200, ".0f")
        self.judge("third-party jars that the logger needs, except jspecify", known(*[len(strange)] * 3), 0, ".0f")


def again(first, second):
    """Prints for each comparison whether the median of a second run is within the interval of the first. Returns the number of those outside.
    By Bonferroni's rule, the intervals are wide enough for all of them to hold at once. The second median has an error, too, so both runs need at least 13
    rotations, each with a new start. Then 0.5 % of the medians are outside; with nine rotations, 3 %.
    """
    both = [(ours, theirs, work) for ours, theirs, work, _ in bounds.comparisons()
            if all(ratio(run.of(ours, work, "micros"), run.of(theirs, work, "micros")).measured() for run in (first, second))]
    if not both:
        raise SystemExit("the runs have no comparison in common")
    inside = of_90 = 0
    for ours, theirs, work in both:
        then, now = ((run.of(ours, work, "micros"), run.of(theirs, work, "micros")) for run in (first, second))
        wide, median = ratio(*then, 1 - (1 - ALL_INSIDE) / len(both)), ratio(*now).median
        inside += median in wide
        of_90 += median in ratio(*then)
        print(f"{'inside' if median in wide else 'OUTSIDE'} {work}: {ours} compared with {theirs}: {wide:.2f}, again {median:.2f}")
    print(f"{inside} of {len(both)} inside; {of_90} inside the 90 % intervals")
    return len(both) - inside


def first_answer(peer=None, threads="virtual", jvm=(), path=None):
    """Returns the milliseconds from the start of a process to its first response."""
    with Server(peer, threads, options=["-Xmx1g"], jvm=jvm, count=False, path=path) as server:
        server.get("/plaintext")
        return (time.monotonic() - server.started) * 1000


PARTS = {"http": Goals.by_http, "own share": Goals.own_share, "allocation": Goals.allocation, "bodies": Goals.bodies,
         "log lines": Goals.log_lines, "neighbours": Goals.neighbours, "starts": Goals.starts, "sizes": Goals.sizes}


def run(results, quick, parts=tuple(PARTS)):
    """Judges the goals and returns the number of failures."""
    goals = Goals(results, quick)
    for part in parts:
        PARTS[part](goals)
    return goals.failed
