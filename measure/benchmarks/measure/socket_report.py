"""Writes the WebSocket measurements and goals as Markdown."""
import datetime, os

from .build import versions
from .ratio import Figure, ratio
from .report import row, shown
from .sockets import BARE, JOOBYS, NETTY, NODE_WS, OUR_LOOP, OUR_VIRTUAL, OURS, TALKS

ECHO, FANOUT, IDLE = (TALKS[load].title for load in ("echo", "fanout", "idle"))
# The compared servers, and the limit of the ratio of CPU times.
BOUNDS = [
    *((OUR_LOOP, other, ECHO, goal) for other, goal in ((NETTY, 1.25), (JOOBYS[0], 1), (NODE_WS, 1))),
    *((OUR_VIRTUAL, other, ECHO, goal) for other, goal in ((NETTY, 1.4), (JOOBYS[1], 1), (NODE_WS, 1))),
    *((ours, BARE, FANOUT, 1.6) for ours in (OUR_LOOP, OUR_VIRTUAL)),
]
MOST_IDLE = 12
COMPARED = {ECHO: (NETTY, *JOOBYS, NODE_WS), FANOUT: (BARE,)}


def markdown(results, command):
    lines = [f"# {datetime.date.today().isoformat()}, WebSockets", "",
             f"`{command}`; {versions()}; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {results.rotations} rotations of {results.seconds} s, spread over "
             f"{results.forks} starts of all servers, which run on one processor, their client on another. Texts are not compressed. Ratios are of CPU time,",
             "rotation by rotation: the median with its 90 % interval. Compiling is the share of this CPU time that the JIT compilers took."]
    for label in results.labels():
        lines += ["", f"## {label[0].upper() + label[1:]}", "", *(idle if label == IDLE else talked)(results, label)]
    return "\n".join([*lines, "", "## Goals", "", *goals(results)]) + "\n"


def talked(results, label):
    others = [name for name in COMPARED[label] if name in results.names(label)]
    yield row("server", "CPU µs for each", *(f"to {name}" for name in others), "per second", "p50 ms", "p99 ms", "compiling", "errors")
    yield "|---|--:|" + "--:|" * len(others) + "--:|--:|--:|--:|---|"
    for name in results.names(label):
        def of(value):
            return results.of(name, label, value)

        yield row(name, f"{Figure(of('micros')):,.2f}", *(f"{ratio(of('micros'), results.of(other, label, 'micros')):.2f}" for other in others),
                  shown(of("rate"), ",.0f"), shown(of("p50"), ".2f"), shown(of("p99"), ".2f"), "" if name == NODE_WS else shown(of("compiling"), ".1%"),
                  results.errors(name, label) or "none")


def idle(results, label):
    """Writes the memory of idle sockets. The buffers of the kernel are not part of the resident memory."""
    yield row("server", "bytes of heap", "outside the heap", "both", "resident", "errors")
    yield "|---|--:|--:|--:|--:|---|"
    for name in results.names(label):
        yield row(name, *(f"{Figure(results.of(name, label, value)):,.0f}" for value in ("connection", "direct", "memory", "resident")),
                  results.errors(name, label) or "none")


def goals(results):
    for ours, other, label, goal in BOUNDS:
        figure = ratio(results.of(ours, label, "micros"), results.of(other, label, "micros"))
        errors = "; ".join(filter(None, (results.errors(name, label) for name in (ours, other))))
        if figure.measured():
            yield f"- {'UNDECIDED' if errors else figure.verdict(goal)} {label}: {ours} compared with {other}: {figure:.2f}, goal {goal:g}" + (f" ({errors})" if errors else "")
    for name in OURS:
        figure = Figure(results.of(name, IDLE, "memory")).times(1 / 1024)
        if figure.measured():
            yield f"- {figure.verdict(MOST_IDLE)} KiB of an idle socket: {name}: {figure:.2f}, goal {MOST_IDLE}"
