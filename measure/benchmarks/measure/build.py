"""Builds the servers and lists their jars."""
import shutil, subprocess, sys
from pathlib import Path

from trial.jdk import tool
from trial.server import ROOT, beside, folder, with_http2

HOME = folder("benchmarks")
# The microbenchmark that needs its own class path.
OBSERVED = "ObserveBench"
# The directory of programs that are built only for measurements.
MADE = HOME / "target" / "measure"
JAVA = tool("java")


def build():
    """Builds the modules and writes target/class-path of each, also for the scripts of reliability."""
    subprocess.run(["mvn", "-q", "-pl", ":percolate-benchmarks,:percolate-reliability,:percolate-arena,:percolate-http2,:percolate-observability,:percolate-inspector,:percolate-demo", "-am", "package", "-Dmaven.test.skip", "-Dmaven.javadoc.skip", "-Dspotless.check.skip",
                    "dependency:build-classpath", "-Dmdep.outputFile=target/class-path", "-DincludeScope=runtime"],
                   cwd=ROOT, check=True, stdout=sys.stderr)


def class_path():
    if not (HOME / "target" / "class-path").exists():
        build()
    return path_of(HOME)


def path_of(home):
    """Returns the class path of built benchmarks, which may be those of another checkout."""
    return f"{home / 'target' / 'classes'}:{(home / 'target' / 'class-path').read_text().strip()}"


def microbenchmarks(given):
    """Returns the command that runs JMH. Only ObserveBench has the observe module, whose trace context would slow down the others."""
    path = class_path()
    if given[:1] == [OBSERVED]:
        path = beside(beside(path, "observability"), "inspector")
    else:
        given = [*given, "-e", OBSERVED]
    return [JAVA, "-cp", path, "org.openjdk.jmh.Main", *given]


def whole_path(home=HOME):
    """Returns the class path including HTTP/2."""
    return with_http2(path_of(home), home.parents[1])


def processes(program, *given, quick):
    """Runs a program nine times (three with quick), because no two processes are compiled alike. Returns the cells of all lines."""
    command = [JAVA, "-Xmx1g", "-Dpercolate.env=production", "-cp", class_path(), f"dev.percolate.benchmarks.{program}", *given]
    for _ in range(3 if quick else 9):
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        yield from (line.split("\t") for line in done.stdout.splitlines())


def jars(module):
    """Returns the jar of a module and its dependencies."""
    target = folder(module) / "target"
    own = [jar for jar in target.glob("percolate*.jar") if not jar.name.endswith(("-sources.jar", "-javadoc.jar", "-tests.jar"))]
    return own + [Path(jar) for jar in (target / "class-path").read_text().strip().split(":") if jar]


def megabytes(files):
    return sum(file.stat().st_size for file in files) / 1e6


def versions():
    java = subprocess.run([JAVA, "-version"], capture_output=True, text=True).stderr.splitlines()[0]
    node = shutil.which("node") and subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
    return java + (f", node {node}" if node else "")
