"""G19 mutations: the tests detect nearly all changes that PIT makes to the code that parses and escapes."""
import os, subprocess, sys
from xml.etree import ElementTree

from trial.goal import Outcome
from trial.server import ROOT, folder

LEAST = 0.85
CLASSES = {
    "http": ["http.*"],
    "core": ["core.FilePath", "core.FoundFile", "core.SetCookie", "core.Jsonp", "core.Location", "core.Redirect"],
    "parsers": ["parsers.*"],
}
UNNOTICED = {"SURVIVED", "NO_COVERAGE"}


def noticed(module):
    """Returns the number of mutations of a module, and of those that made a test fail; target/pit-reports lists all of them."""
    report = ElementTree.parse(folder(module) / "target" / "pit-reports" / "mutations.xml")
    states = [mutation.get("status") for mutation in report.iter("mutation")]
    return len(states), sum(state not in UNNOTICED for state in states)


def run(trial):
    if trial.peer or trial.quick:
        return Outcome(None, "for the tests of Percolate, not with --quick")
    classes = ",".join("dev.percolate." + name for names in CLASSES.values() for name in names)
    subprocess.run(["mvn", "-q", "-Dspotless.check.skip", "-pl", ",".join(":percolate-" + module for module in CLASSES), "-am", "test-compile", "pitest:mutationCoverage",
                    f"-DtargetClasses={classes}"], cwd=ROOT, check=True, stdout=sys.stderr,
                   preexec_fn=lambda: os.sched_setaffinity(0, range(os.cpu_count() or 1)))
    found = {module: noticed(module) for module in CLASSES}
    figures = ", ".join(f"{module} {killed / every:.1%} of {every}" for module, (every, killed) in found.items())
    return Outcome(all(killed >= LEAST * every for every, killed in found.values()), f"detected: {figures}")
