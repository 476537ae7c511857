"""All measurements, and the file that stores them."""
import json, statistics
from pathlib import Path

from .loads import Row

KEPT = ("rotations", "seconds", "forks", "processors")


class Results:
    """The results of all rotations, by server and label (a work, a work at a rate, or another load)."""

    def __init__(self, rotations, seconds, forks=1, processors=1):
        self.rotations, self.seconds, self.forks, self.processors = rotations, seconds, forks, processors
        self.rows, self.start, self.left_out = {}, {}, {}

    def add(self, name, label, row):
        self.rows.setdefault((name, label), []).append(row)

    def of(self, name, label, value):
        """Returns a value of all rotations, with None where it could not be measured; empty if the server has not run."""
        return [getattr(row, value, None) for row in self.rows.get((name, label), [])]

    def labels(self):
        return list(dict.fromkeys(label for _, label in self.rows))

    def names(self, label):
        return [name for name, of in self.rows if of == label]

    def errors(self, name, label):
        return "; ".join(dict.fromkeys(row.errors for row in self.rows.get((name, label), []) if row.errors))

    def save(self, path):
        rows = [{"name": name, "work": label, "rows": [vars(row) for row in rows]} for (name, label), rows in self.rows.items()]
        kept = {name: getattr(self, name) for name in KEPT}
        path.write_text(json.dumps({**kept, "start": self.start, "left out": self.left_out, "rows": rows}) + "\n")

    @staticmethod
    def load(path):
        kept = json.loads(Path(path).read_text())
        results = Results(*(kept.get(name, 1) for name in KEPT))
        # Older files contain only the median of all starts.
        results.start = {name: millis if isinstance(millis, list) else [millis] for name, millis in kept["start"].items()}
        results.left_out = kept.get("left out", {})
        results.rows = {(one["name"], one["work"]): [Row(**row) for row in one["rows"]] for one in kept["rows"]}
        return results

    def with_more(self, other):
        """Adds the results of another run for other labels. Rotations of two runs cannot be paired."""
        both = set(self.labels()) & set(other.labels())
        if both:
            raise SystemExit(f"both runs contain: {', '.join(sorted(both))}")
        self.rows.update(other.rows)
        return self


def median(values):
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None
