"""Builds the servers and lists their jars."""
import shutil, subprocess, sys
from pathlib import Path

from trial.jdk import tool
from trial.server import ROOT, beside, folder, with_http2

HOME = folder("benchmarks")
# The microbenchmark that has a class path of its own.
OBSERVED = "ObserveBench"
# What is built for measuring alone.
MADE = HOME / "target" / "measure"
JAVA = tool("java")


def build():
    """Leaves the jars of each module in its target/class-path, for the scripts of reliability too."""
    subprocess.run(["mvn", "-q", "-pl", ":percolate-benchmarks,:percolate-reliability,:percolate-http2,:percolate-observability,:percolate-inspector,:percolate-demo", "-am", "package", "-Dmaven.test.skip", "-Dmaven.javadoc.skip", "-Dspotless.check.skip",
                    "dependency:build-classpath", "-Dmdep.outputFile=target/class-path", "-DincludeScope=runtime"],
                   cwd=ROOT, check=True, stdout=sys.stderr)


def class_path():
    if not (HOME / "target" / "class-path").exists():
        build()
    return path_of(HOME)


def path_of(home):
    """Gives the class path of benchmarks that are built, maybe of another checkout."""
    return f"{home / 'target' / 'classes'}:{(home / 'target' / 'class-path').read_text().strip()}"


def microbenchmarks(given):
    """Gives the command that runs those of JMH. What watches requests is there for one of them alone: its context of traces would cost all others something."""
    path = class_path()
    if given[:1] == [OBSERVED]:
        path = beside(beside(path, "observability"), "inspector")
    else:
        given = [*given, "-e", OBSERVED]
    return [JAVA, "-cp", path, "org.openjdk.jmh.Main", *given]


def whole_path(home=HOME):
    """Gives the same with HTTP/2."""
    return with_http2(path_of(home), home.parents[1])


def processes(program, *given, quick):
    """Runs a program of the benchmarks nine times, three if it shall be quick, since no two processes are compiled alike; gives the cells of all lines."""
    command = [JAVA, "-Xmx1g", "-Dpercolate.env=production", "-cp", class_path(), f"dev.percolate.benchmarks.{program}", *given]
    for _ in range(3 if quick else 9):
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        yield from (line.split("\t") for line in done.stdout.splitlines())


def jars(module):
    """Gives the jar of a module and those that it needs."""
    target = folder(module) / "target"
    own = [jar for jar in target.glob("percolate*.jar") if not jar.name.endswith(("-sources.jar", "-javadoc.jar", "-tests.jar"))]
    return own + [Path(jar) for jar in (target / "class-path").read_text().strip().split(":") if jar]


def megabytes(files):
    return sum(file.stat().st_size for file in files) / 1e6


def versions():
    java = subprocess.run([JAVA, "-version"], capture_output=True, text=True).stderr.splitlines()[0]
    node = shutil.which("node") and subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
    return java + (f", node {node}" if node else "")
