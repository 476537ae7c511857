"""The median of paired measurements with its interval (90 % by default), and the verdict for a goal."""
import math, statistics

# The minimum number of rotations for a verdict.
FEWEST = 9
CONFIDENCE = 0.9
# Printed instead of a figure if there was no response or no CPU time.
NOT_MEASURED = "not measured"


class Figure:
    """A median with its interval, and whether there are enough measurements for it (`sure`). Values of None are ignored."""

    def __init__(self, values, confidence=CONFIDENCE):
        ordered = sorted(value for value in values if value is not None)
        if not ordered:
            self._set(None, None, None, False)
            return
        self.median = statistics.median(ordered)
        rank, enough = interval_rank(len(ordered), confidence)
        self.sure = enough and len(ordered) >= FEWEST
        self.low, self.high = ordered[rank], ordered[-1 - rank]

    def __contains__(self, value):
        return self.measured() and value is not None and self.low <= value <= self.high

    def __format__(self, form):
        if not self.measured():
            return NOT_MEASURED
        return f"{self.median:{form}} [{self.low:{form}}, {self.high:{form}}]"

    def measured(self):
        return self.median is not None

    def times(self, factor):
        if not self.measured():
            return self
        return Figure.__new__(Figure)._set(self.median * factor, self.low * factor, self.high * factor, self.sure)

    def _set(self, median, low, high, sure):
        self.median, self.low, self.high, self.sure = median, low, high, sure
        return self

    def verdict(self, goal):
        """Returns PASS if the interval is at or below the goal, FAIL if it is above, otherwise UNDECIDED."""
        if not self.sure:
            return "UNDECIDED"
        return "PASS" if self.high <= goal else "FAIL" if self.low > goal else "UNDECIDED"


def interval_rank(count, confidence):
    """Returns the index of the lower bound of the median among the ordered values, and whether it has the given confidence."""
    outside, rank = 0.0, -1
    while rank + 1 <= (count - 1) // 2:
        outside += 2 * math.comb(count, rank + 1) / 2**count
        if outside > 1 - confidence:
            break
        rank += 1
    return max(rank, 0), rank >= 0


def known(median, low, high, sure=True):
    """Creates a figure from a known interval."""
    return Figure.__new__(Figure)._set(median, low, high, sure)


def ratio(ours, theirs, confidence=CONFIDENCE):
    """Returns the ratio of each rotation, so that conditions that slow down both do not matter. Skips rotations without a measurement."""
    return Figure([a / b for a, b in zip(ours, theirs) if a and b], confidence)


def difference(ours, theirs):
    return Figure([a - b for a, b in zip(ours, theirs) if None not in (a, b)])
