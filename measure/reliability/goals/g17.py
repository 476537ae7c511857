"""G17 constant time: how much of a forged signature is right cannot be told from the time it takes to refuse it."""
from trial.goal import Outcome
from trial.server import run_java


def run(trial):
    if trial.peer:
        return Outcome(None, "signatures of Percolate only")
    status, out = run_java("ConstantTime", trial.of(1_000_000, 100_000))
    return Outcome(status == 0, out[:300])
