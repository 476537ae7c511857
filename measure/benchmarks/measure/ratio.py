"""The median of paired measurements with its interval, of 90 % unless told, and what a goal makes of it."""
import math, statistics

# So many rotations a verdict takes.
FEWEST = 9
CONFIDENCE = 0.9
# What stands in place of a figure where no request was answered, or no CPU counted.
NOT_MEASURED = "not measured"


class Figure:
    """A median, and the values between which it is, as far as so few measurements can tell (`sure`). Of None, "not measured", it knows nothing."""

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
        """Tells whether the figure is at or below its goal."""
        if not self.sure:
            return "UNDECIDED"
        return "PASS" if self.high <= goal else "FAIL" if self.low > goal else "UNDECIDED"


def interval_rank(count, confidence):
    """Gives the place of the lowest of the ordered values that bound the median, and whether they do so in as many of all cases."""
    outside, rank = 0.0, -1
    while rank + 1 <= (count - 1) // 2:
        outside += 2 * math.comb(count, rank + 1) / 2**count
        if outside > 1 - confidence:
            break
        rank += 1
    return max(rank, 0), rank >= 0


def known(median, low, high, sure=True):
    """Makes a figure of an interval that something else has found."""
    return Figure.__new__(Figure)._set(median, low, high, sure)


def ratio(ours, theirs, confidence=CONFIDENCE):
    """Compares rotation by rotation, so that what slows both down counts for neither; a rotation in which one was not measured is left out."""
    return Figure([a / b for a, b in zip(ours, theirs) if a and b], confidence)


def difference(ours, theirs):
    return Figure([a - b for a, b in zip(ours, theirs) if None not in (a, b)])
