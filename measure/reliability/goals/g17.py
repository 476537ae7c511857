"""G17 constant time: the time it takes to reject a forged signature does not depend on how much of it is right."""
from trial.goal import Outcome
from trial.server import run_java


def run(trial):
    if trial.peer:
        return Outcome(None, "for signatures of Percolate only")
    status, out = run_java("ConstantTime", trial.of(1_000_000, 100_000))
    return Outcome(status == 0, out[:300])
