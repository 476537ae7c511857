"""Profiles the CPU of requests or microbenchmarks with async-profiler."""
import collections, platform, re, subprocess, sys, tempfile
from pathlib import Path

from trial.server import NODE, tool

from . import build
from .loads import measure
from .side_by_side import launch, warm
from .works import WORKS

JVM = ["-XX:+EnableDynamicAgentLoading", "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"]
EVENT = "event=ctimer,interval=250000"
MOST_METHODS = 15
# The first pattern that matches, from the innermost frame outwards, names the part.
PARTS = [
    ("write", re.compile(r"SocketDispatcher\.writev?0|unix/(?:Socket|FileDescriptor)\.(?:send|write)")),
    ("read, wait for events", re.compile(r"SocketDispatcher\.readv?0|unix/\w+\.(?:recv|read)|EPoll\.wait|Native\.epollWait")),
    ("write to files", re.compile(r"FileDispatcherImpl\.p?writev?0|UnixFileDispatcherImpl\.p?writev?0|FileOutputStream\.write")),
    ("park, unpark", re.compile(r"misc/Unsafe\.(?:un)?park")),
    ("JIT compilers", re.compile(r"CompilerThre")),
    ("virtual threads", re.compile(r"java/lang/VirtualThread|vm/Continuation|concurrent/ForkJoin")),
]
LIBRARY = re.compile(r"(?!java/|jdk/|sun/|javax/)(\w+/\w+)/")


def library():
    folder = build.HOME / "target" / "profiler"
    if not folder.exists():
        subprocess.run(["mvn", "-q", "-pl", ":percolate-benchmarks", "dependency:unpack@profiler"], cwd=build.ROOT, check=True, stdout=sys.stderr)
    kind = "linux-arm64" if platform.machine() in ("aarch64", "arm64") else "linux-x64"
    return folder / kind / "libasyncProfiler.so"


def servers(rivals, work, seconds, most, scheme):
    """Profiles servers one after another. Returns the microseconds per request and the stacks of each."""
    found = {}
    for rival in rivals:
        if rival.peer in NODE:
            sys.exit(f"{rival.name}: only servers on a JVM can be profiled")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            server, _ = launch(rival, folder, JVM, scheme=scheme)
            with server:
                warm(server, lambda window: measure(server, WORKS[work], window, scheme=scheme), most)
                command(server, f"start,{EVENT},cstack=dwarf,threads")
                row = measure(server, WORKS[work], seconds, scheme=scheme)
                command(server, f"stop,file={folder / 'stacks'},collapsed,threads")
                if row.micros is None:
                    sys.exit(f"{rival.name}: no response, or no CPU time")
                found[rival.name] = row.micros, read(folder / "stacks")
    return found


def command(server, what):
    subprocess.run([tool("jcmd"), str(server.pid), "JVMTI.agent_load", str(library()), f'"{what}"'], check=True, stdout=subprocess.DEVNULL)


def benchmark(given):
    """Profiles microbenchmarks and returns the stacks of each."""
    with tempfile.TemporaryDirectory() as name:
        option = f"async:libPath={library()};output=collapsed;dir={name};" + EVENT.replace(",", ";")
        done = subprocess.run(build.microbenchmarks([*given, "-f", "1", "-prof", option]), stdout=sys.stderr)
        if done.returncode:
            sys.exit(done.returncode)
        return {file.parent.name: {stack: count for stack, count in read(file).items() if any("_jmhStub" in frame for frame in stack)}
                for file in sorted(Path(name).glob("*/collapsed*"))}


def read(file):
    stacks = collections.Counter()
    for line in file.read_text().splitlines():
        stack, _, count = line.rpartition(" ")
        stacks[tuple(stack.split(";"))] += int(count)
    return stacks


def part(stack):
    for frame in reversed(stack):
        for name, pattern in PARTS:
            if pattern.search(frame):
                return name
        if match := LIBRARY.match(frame):
            return match[1].replace("/", ".")
    return "JDK"


def method(stack):
    """Returns the innermost method of a library. Calls of the JDK count for their caller."""
    return next((frame.replace("/", ".") for frame in reversed(stack) if LIBRARY.match(frame) and "_jmhStub" not in frame), "JDK")


def share(stacks, key):
    """Adds up stacks by key, as shares of the total."""
    sums, whole = collections.Counter(), sum(stacks.values())
    for stack, count in stacks.items():
        sums[key(stack)] += count / whole
    return sums


def markdown(found):
    """Describes the microseconds of each part for each server, then Percolate's most expensive methods."""
    parts = {name: share(stacks, part) for name, (_, stacks) in found.items()}
    rows = sorted({row for shares in parts.values() for row in shares}, key=lambda row: -max(parts[name][row] for name in found))
    lines = ["| µs of a request | " + " | ".join(found) + " |", "|---|" + "--:|" * len(found)]
    for row in rows:
        cells = [f"{micros * parts[name][row]:.2f}" for name, (micros, _) in found.items()]
        if any(float(cell) >= 0.02 for cell in cells):
            lines.append(f"| {row} | " + " | ".join(cells) + " |")
    lines.append("| total | " + " | ".join(f"{micros:.2f}" for micros, _ in found.values()) + " |")
    for name, (micros, stacks) in found.items():
        own = [(row, part) for row, part in share(stacks, method).most_common() if row.startswith("dev.percolate.")]
        if own:
            lines += ["", f"{name}, most expensive methods:", ""] + [f"    {micros * part:.3f} {row}" for row, part in own[:MOST_METHODS]]
    return "\n".join(lines) + "\n"


def listing(found):
    """Describes the parts of each microbenchmark in percent, then its most expensive methods."""
    lines = []
    for name, stacks in found.items():
        lines += [name, ""]
        lines += [f"    {100 * part:4.1f} % {row}" for row, part in share(stacks, part).most_common() if part >= 0.005]
        lines += [""]
        lines += [f"    {100 * part:4.1f} % {row}" for row, part in share(stacks, method).most_common(MOST_METHODS)]
        lines += [""]
    return "\n".join(lines)
