"""Writes results as Markdown."""
import datetime, os

from .build import jars, megabytes, versions
from .ratio import NOT_MEASURED, Figure, ratio
from .results import median
from .rivals import rival

# The servers that each server is compared with, if they were measured.
COMPARED = {"Vert.x": lambda one: one.base(), "Jooby": lambda one: one.jooby(), "Netty": lambda one: "Netty", "Helidon": lambda one: "Helidon SE",
            "floor": lambda one: "Floor"}
TITLES = {"idle": "Idle", "allocated": "Bytes allocated", "start": "Start, and the first seconds after it"}


def markdown(results, chart=None):
    date = datetime.date.today().isoformat()
    places = "which run on one processor" if results.processors == 1 else "which share two processors with the clients"
    clients = "on another." if results.processors == 1 else "on the same ones."
    lines = [f"# {date}, side by side", "",
             f"{versions()}; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {results.rotations} rotations of {results.seconds} s, spread over "
             f"{results.forks} starts of all servers, {places}, 64 clients (block: 1,000) {clients}",
             "Compare CPU µs per request, and only within this run. Ratios are to the bare engine, to Jooby in the same thread mode, and to others:",
             "the median of the rotations with its 90 % interval. Compiling is the share of this CPU time that the JIT compilers took."]
    if chart:
        lines += ["", f"![CPU microseconds per request]({chart})"]
    for label in results.labels():
        lines += ["", f"## {TITLES.get(label, label)}", "", *TABLES.get(label, table)(results, label)]
        left_out = "; ".join(f"{name} {fault}" for name, fault in results.left_out.get(label, {}).items())
        lines += ["", f"Excluded: {left_out}."] if left_out else []
    lines += ["", "## First response, RSS, size", "", *sizes(results)] if results.start else []
    return "\n".join(lines) + "\n"


def shown(values, form):
    """Returns the median of the measured values."""
    middle = median(values)
    return NOT_MEASURED if middle is None else f"{middle:{form}}"


def span(values, form):
    known = [value for value in values if value is not None]
    return f"{min(known):{form}} to {max(known):{form}}" if known else ""


def ratios(results, label, value="micros"):
    """Returns the headings of the ratio columns, and a function that returns their cells for a server."""
    names = results.names(label)
    columns = {head: other for head, other in COMPARED.items() if any(other(rival(name)) in names for name in names)}

    def cells(name):
        for other in columns.values():
            theirs = results.of(other(rival(name)), label, value)
            yield f"{ratio(results.of(name, label, value), theirs):.2f}" if theirs else ""

    return [f"to {head}" for head in columns], cells


def row(*cells):
    return "| " + " | ".join(cells) + " |"


def table(results, label):
    heads, cells = ratios(results, label)
    yield row("server", "CPU µs per request", "min to max", *heads, "requests/s", "p50 ms", "p99 ms", "compiling", "errors")
    yield "|---|--:|--:|" + "--:|" * len(heads) + "--:|--:|--:|--:|---|"
    for name in results.names(label):
        def of(value):
            return results.of(name, label, value)

        yield row(name, shown(of("micros"), ".2f"), span(of("micros"), ".2f"), *cells(name), shown(of("rate"), ",.0f"), shown(of("p50"), ".2f"),
                  shown(of("p99"), ".2f"), compiling(results, name, label), results.errors(name, label) or "none")


def compiling(results, name, label):
    return shown(results.of(name, label, "compiling"), ".1%") if rival(name).jvm() else ""


def idle(results, label):
    yield row("server", "% of a processor without connections", "with 64 open")
    yield "|---|--:|--:|"
    for name in results.names(label):
        yield row(name, *(f"{Figure(results.of(name, label, value)).times(100):.2f}" for value in ("none", "open")))


def allocated(results, label):
    yield row("server", "bytes allocated per plaintext request")
    yield "|---|--:|"
    for name in results.names(label):
        yield row(name, f"{Figure(results.of(name, label, 'allocated')):,.0f}")


def start(results, label):
    heads, cells = ratios(results, label)
    yield row("server", "CPU ms until the first response", "ms", "CPU µs per request in the first 4 s", *heads, "compiling",
              "bytes of heap per idle connection", "errors")
    yield "|---|--:|--:|--:|" + "--:|" * len(heads) + "--:|--:|---|"
    for name in results.names(label):
        cpu, millis, micros, connection = (Figure(results.of(name, label, value)) for value in ("cpu", "millis", "micros", "connection"))
        yield row(name, f"{cpu:.0f}", f"{millis:.0f}", f"{micros:.1f}", *cells(name), compiling(results, name, label), f"{connection:,.0f}",
                  results.errors(name, label) or "none")


TABLES = {"idle": idle, "allocated": allocated, "start": start}


def sizes(results):
    yield "| server | first response after ms | RSS after load, MB | jars | MB |"
    yield "|---|--:|--:|--:|--:|"
    for name, millis in results.start.items():
        resident = max((row.resident for (of, _), rows in results.rows.items() if of == name for row in rows), default=0)
        files = libraries(rival(name))
        size = f"{len(files)} | {megabytes(files):.1f}" if files else " | "
        yield f"| {name} | {shown(millis, '.0f')} | {resident * 1.048576:.0f} | {size} |"


def libraries(rival):
    """Returns the jars of a server on the JVM. Those of peers include the JSON library of the service."""
    if not rival.jvm():
        return []
    return jars("percolate") if rival.peer is None else jars(f"peers/{rival.peer}")
