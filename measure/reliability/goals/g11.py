"""G11 one response: in a chain with random failures each request gets one response or is cancelled, and has one log line."""
import time

from trial.goal import Outcome
from trial.server import run_java


def run(trial):
    if trial.peer:
        return Outcome(None, "for chains of Percolate only")
    seed = int(time.time())
    status, out = run_java("RandomFaults", trial.of(1_000_000, 20_000), seed)
    return Outcome(status == 0, out[:400])
