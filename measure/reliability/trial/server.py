"""The server under trial: runs on one processor and is measured from outside."""
import os, re, shlex, signal, socket, subprocess, sys, tempfile, time, urllib.request
from pathlib import Path

from . import tls
from .jdk import tool

ROOT = Path(__file__).resolve().parents[3]
# Servers without a JVM: those on Node, and one in C.
NODE = ("express5", "express3", "fastify", "ws")
FLOOR = "floor"
MEBI = 1 << 20
LISTENING = "0A"
JVM = ["-Xmx256m", "-XX:MaxDirectMemorySize=128m", "-XX:NativeMemoryTracking=summary"]
# Touches all of the heap at the start: pages that are first touched during a collection delay all
# requests, 25 ms instead of 5. Not used where resident memory is judged.
TOUCHED = ["-Xms256m", "-XX:+AlwaysPreTouch"]
# One processor for the server, the other for its clients; if there is only one, they share it.
PINNED = ["taskset", "-c", "0"] if (os.cpu_count() or 1) > 1 else []


def folder(module, root=ROOT):
    """Returns the folder of a module, which is in that of its group."""
    return next(root.glob(f"*/{module}/pom.xml")).parent


def class_path(module="benchmarks"):
    """Returns the class path of benchmarks, or of reliability, which includes that of benchmarks."""
    listing = folder(module) / "target" / "class-path"
    if not listing.exists():
        subprocess.run([str(ROOT / "measure" / "benchmarks" / "run"), "build"], check=True, stdout=sys.stderr)
    return f"{listing.parent / 'classes'}:{listing.read_text().strip()}"


def beside(path, module, root=ROOT):
    """Returns a class path with an optional module at its start, if that has been built."""
    target = folder(module, root) / "target"
    listing = target / "class-path"
    return f"{target / 'classes'}:{path}:{listing.read_text().strip()}" if listing.exists() else path


def with_http2(path, root=ROOT):
    return beside(path, "http2", root)


def run_java(main_class, *arguments):
    """Runs a main class of reliability; returns its status and output."""
    done = subprocess.run([*PINNED, tool("java"), "-Xmx256m", "-Dpercolate.env=production", "-cp", class_path("reliability"),
                           "dev.percolate.reliability." + main_class, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, (done.stdout or done.stderr).strip()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Percolate, or the peer of this name.

    `settings` are system properties for Percolate's server only. `jvm` options follow `options`; `path` is another class path.
    `count=False` turns off the request counter, which costs a little. `key_store` turns on HTTPS. `pinned` is the command that
    binds the server to one processor; if empty, it uses all of them. `program` is another server, with its module before its name.
    `port` is the port of an earlier server. `environment` are further environment variables.
    """

    def __init__(self, peer=None, threads=None, file=None, jvm=(), options=JVM, count=True, path=None, pinned=PINNED,
                 program="benchmarks.PercolateServer", key_store=None, port=None, environment=None, **settings):
        self.peer, self.port, self.scheme = peer, port or free_port(), "https" if key_store else "http"
        self.errors = tempfile.TemporaryFile("w+")
        environment = {**os.environ, **(environment or {})}
        if peer:
            options = "--max-old-space-size=256" if peer in NODE else " ".join([*options, *jvm])
            environment.update(PEER_OPTIONS=options, PEER_COUNT=str(count).lower(), PEER_NO_OPS=settings.get("noOps", "0"),
                               PEER_PRIOR_KNOWLEDGE=settings.get("http2PriorKnowledge", "false"), PEER_HTTP2=settings.get("http2", "false"),
                               PEER_SOCKETS=str("sockets" in settings).lower())
            if file:
                environment["PEER_FILE"] = str(file)
            if key_store:
                environment["PEER_KEY_STORE"] = str(key_store)
            start = [str(ROOT / "measure" / "peers" / "start"), peer, str(self.port), *([threads] if threads else []), "--print"]
            command = shlex.split(subprocess.run(start, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout)
        else:
            settings.update(port=self.port, count=str(count).lower(), threads=threads or "virtual")
            if file:
                settings["file"] = file
            if key_store:
                settings["keyStore"] = key_store
            command = [tool("java"), *options, *jvm, "-Dpercolate.env=production",
                       *(f"-D{name}={value}" for name, value in settings.items()), "-cp", path or class_path(program.split(".")[0]),
                       "dev.percolate." + program]
        self.started = time.monotonic()
        self.process = subprocess.Popen([*pinned, *command], stdout=subprocess.PIPE, stderr=self.errors, text=True,
                                        env=environment)
        self.pid = self.process.pid
        for line in self.process.stdout:
            if line.startswith("ready"):
                return
        sys.exit(f"{peer or 'the server'} did not start: {self.said()[:2000]}")

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(35)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.errors.close()

    def jvm(self):
        return self.peer not in (*NODE, FLOOR)

    def lives(self):
        return self.process.poll() is None

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def get(self, target):
        with urllib.request.urlopen(f"{self.scheme}://127.0.0.1:{self.port}{target}", timeout=30, context=tls.clients() if self.scheme == "https" else None) as answer:
            return answer.read()

    def entered(self):
        return int(self.get("/count"))

    def cpu(self):
        """Returns the CPU seconds of all its threads, including ended ones, to the nanosecond. For the clock's name see clock_getcpuclockid(3)."""
        return time.clock_gettime_ns(~self.pid << 3 | 2) / 1e9

    def compilers(self):
        """Returns the CPU seconds of each live JIT compiler thread; empty without a JVM."""
        found = {}
        for thread in Path(f"/proc/{self.pid}/task").iterdir():
            try:
                if re.match("C[12] CompilerThre", (thread / "comm").read_text()):
                    found[thread.name] = int((thread / "schedstat").read_text().split()[0]) / 1e9
            except OSError:  # compiler threads start and end
                continue
        return found

    def compiled(self, before):
        """Returns the CPU seconds of the JIT compilers since an earlier result of compilers()."""
        return sum(now - before.get(thread, 0) for thread, now in self.compilers().items())

    def status(self, name):
        return int(re.search(name + r":\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text()).group(1))

    def resident(self):
        """Returns the resident memory, in MiB."""
        return self.status("VmRSS") / 1024

    def threads(self):
        return self.status("Threads")

    def connections(self):
        """Counts open file descriptors, whether or not the client has closed them."""
        rows = [line.split() for table in ("tcp", "tcp6") for line in Path(f"/proc/{self.pid}/net/{table}").read_text().splitlines()[1:]]
        return sum(int(row[1].rsplit(":", 1)[1], 16) == self.port and row[3] != LISTENING and row[9] != "0" for row in rows)

    def files(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def files_fall_to(self, most, seconds):
        """Returns after how many seconds at most this number of files is open, or None if that does not happen."""
        started = time.monotonic()
        while time.monotonic() - started < seconds:
            if self.files() <= most:
                return time.monotonic() - started
            time.sleep(0.1)
        return None

    def heap(self, collect=True):
        """Returns the heap use after a full collection, in MiB; None without a JVM."""
        if not self.jvm():
            return None
        if collect:
            self.command("GC.run")
        lines = self.command("GC.heap_info").splitlines()
        return sum(int(used) for line in lines if "Metaspace" not in line and "class space" not in line
                   for used in re.findall(r"total .*used (\d+)K", line)) / 1024

    def direct(self):
        """Returns the direct memory, in MiB: buffers and other allocations besides the heap. None without a JVM."""
        if not self.jvm():
            return None
        return int(re.search(r"Other \(reserved=\d+KB, committed=(\d+)KB", self.command("VM.native_memory")).group(1)) / 1024

    def command(self, name):
        return subprocess.run([tool("jcmd"), str(self.pid), name], capture_output=True, text=True).stdout
