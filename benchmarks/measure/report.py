"""Writes results as Markdown."""
import datetime, os

from trial.server import NODE

from .build import jars, megabytes, versions
from .ratio import ratio
from .rivals import WORKS, rival
from .side_by_side import median

def markdown(results, chart=None):
    date = datetime.date.today().isoformat()
    places = "which run on one processor" if results.processors == 1 else "which share two processors with wrk"
    wrk = "on another." if results.processors == 1 else "beside them."
    lines = [f"# {date}, side by side", "",
             f"{versions()}; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {results.rotations} rotations of {results.seconds} s, spread over "
             f"{results.forks} starts of all servers, {places}, `wrk -t1 -c64` (block: 1,000 clients) {wrk}",
             "Compare CPU µs per request, and those only within this run. Ratios are to bare Vert.x and to Jooby in the like thread mode: the median",
             "of the rotations with its 90 % interval. Compiling is the part of that CPU that the JIT compilers still took."]
    if chart:
        lines += ["", f"![CPU microseconds per request]({chart})"]
    for work in WORKS:
        if any(key[1] == work for key in results.rows):
            lines += ["", f"## {work}", "", *table(results, work)]
    return "\n".join(lines + ["", "## Start, memory, size", "", *sizes(results)]) + "\n"


def table(results, work):
    yield "| server | CPU µs per request | min to max | to Vert.x | to Jooby | requests/s | p50 ms | p99 ms | compiling | errors |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|---|"
    for name, rows in ((name, rows) for (name, of), rows in results.rows.items() if of == work):
        micros = results.of(name, work, "micros")
        bases = [results.of(base, work, "micros") for base in (rival(name).base(), rival(name).jooby())]
        compared = " | ".join(f"{ratio(micros, base):.2f}" if base else "" for base in bases)
        errors = "; ".join(row.errors for row in rows if row.errors) or "none"
        compiling = "" if rival(name).peer in NODE else f"{median(results.of(name, work, 'compiling')):.1%}"
        yield (f"| {name} | {median(micros):.2f} | {min(micros):.2f} to {max(micros):.2f} | {compared} "
               f"| {median(results.of(name, work, 'rate')):,.0f} | {median(results.of(name, work, 'p50')):.2f} "
               f"| {median(results.of(name, work, 'p99')):.2f} | {compiling} | {errors} |")


def sizes(results):
    yield "| server | first answer after ms | RSS after load, MB | jars | MB |"
    yield "|---|--:|--:|--:|--:|"
    for name, millis in results.start.items():
        resident = max((row.resident for (of, _), rows in results.rows.items() if of == name for row in rows), default=0)
        files = libraries(rival(name))
        size = f"{len(files)} | {megabytes(files):.1f}" if files else " | "
        yield f"| {name} | {millis:.0f} | {resident * 1.048576:.0f} | {size} |"


def libraries(rival):
    """Gives the jars of a server; of peers, they include the JSON library that the service uses."""
    if rival.peer in NODE:
        return []
    return jars("percolate") if rival.peer is None else jars(f"peers/{rival.peer}")
