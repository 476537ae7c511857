"""Writes results of the arena as Markdown."""
import datetime, os

from .arena import OURS
from .build import versions
from .ratio import Figure, ratio
from .report import row, shown
from .results import median


def markdown(results, command):
    places = "one processor, their clients and the database on another" if results.processors == 1 else "two processors, which they share with their clients"
    lines = [f"# {datetime.date.today().isoformat()}, by the profiles of HttpArena", "",
             f"{versions()}; {os.cpu_count()} processors; `{command}`",
             f"{results.rotations} rotations of {results.seconds} s in {results.forks} starts of each profile. Servers run on {places}.",
             "Compare CPU µs per request, and only within this run. The ratio is that of Percolate to the server: the median of the rotations",
             "with its 90 % interval. The peak is the highest resident memory of the process since its start."]
    for profile in results.labels():
        lines += ["", f"## {profile}", "", *table(results, profile)]
        left_out = "; ".join(f"{name} {fault}" for name, fault in results.left_out.get(profile, {}).items())
        lines += ["", f"Excluded: {left_out}."] if left_out else []
    return "\n".join(lines) + "\n"


def table(results, profile):
    def of(name, value):
        return results.of(name, profile, value)

    yield row("server", "CPU µs per request", "Percolate to it", "requests/s", "p99 ms", "peak MiB", "compiling", "errors")
    yield "|---|--:|--:|--:|--:|--:|--:|---|"
    for name in sorted(results.names(profile), key=lambda name: median(of(name, "micros")) or float("inf")):
        compared = "" if name == OURS else f"{ratio(of(OURS, 'micros'), of(name, 'micros')):.2f}"
        peaks = Figure(of(name, "peak"))
        yield row(name, shown(of(name, "micros"), ".2f"), compared, shown(of(name, "rate"), ",.0f"), shown(of(name, "p99"), ".2f"),
                  f"{peaks.high:.0f}" if peaks.measured() else "", shown(of(name, "compiling"), ".1%"), results.errors(name, profile) or "none")
