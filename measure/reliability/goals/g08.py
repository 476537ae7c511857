"""G8 the cost of parsing: no body of 100 KiB takes more than 50 ms of CPU or 10 MiB, and twice the size less than 2.5 times as long."""
import re

from trial.goal import Outcome
from trial.server import run_java


def run(trial):
    if trial.peer:
        return Outcome(None, "for the parsers of Percolate only")
    status, out = run_java("ParseCost")
    costs = re.findall(r"^(\S.*?) +([\d.]+) +([\d.]+) +([\d.]+|-) (PASS|FAIL)", out, re.M)
    grown = [cost for cost in costs if cost[3] != "-"]
    if not grown:
        return Outcome(False, "no body took long enough to be measured: " + out[:300])
    slowest = max(costs, key=lambda cost: float(cost[1]))
    largest = max(costs, key=lambda cost: float(cost[2]))
    steepest = max(grown, key=lambda cost: float(cost[3]))
    dear = "; too expensive: " + ", ".join(cost[0] for cost in costs if cost[4] == "FAIL") if status else ""
    return Outcome(status == 0, f"{len(costs)} kinds of bodies of 100 KiB: at most {slowest[1]} ms ({slowest[0]}), {largest[2]} MiB "
                                f"({largest[0]}), twice the size x {steepest[3]} ({steepest[0]}){dear}")
