"""PostgreSQL servers for a trial. They refuse to run as root, so root runs them as the user `postgres` of their package."""
import os, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path

from .server import free_port

USER = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}


def program(name):
    """Returns a program of PostgreSQL, which Debian does not put on the path."""
    found = shutil.which(name) or next((str(one) for one in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None)
    return found or sys.exit(f"{name} of PostgreSQL is not installed")


class Server:
    """One server, new or a standby of another one."""

    def __init__(self, primary=None):
        self.port, self.folder = free_port(), Path(tempfile.mkdtemp(prefix="postgres"))
        self.data = self.folder / "data"
        if USER:
            shutil.chown(self.folder, "postgres", "postgres")
        self.fill(primary)
        self.start()

    def fill(self, primary):
        """Creates the files of a new server, or of a standby of this primary."""
        shutil.rmtree(self.data, ignore_errors=True)
        make = (["pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "-U", "test", "-h", "127.0.0.1", "-p", str(primary.port)]
                if primary else ["initdb", "-D", self.data, "-U", "test", "-A", "trust"])
        subprocess.run([program(make[0]), *make[1:]], check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **USER)

    def start(self):
        options = {"listen_addresses": "127.0.0.1", "unix_socket_directories": self.folder, "max_connections": "200", "log_min_messages": "panic",
                   # Until a standby has connected again, commits wait: 5 s by default.
                   "wal_retrieve_retry_interval": "200ms"}
        self.process = subprocess.Popen([program("postgres"), "-D", self.data, "-p", str(self.port), *(f"--{key}={value}" for key, value in options.items())],
                                        cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **USER)
        end = time.monotonic() + 60
        while self.ask("select 1", check=False) != "1":
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit(f"PostgreSQL did not start in {self.folder}")
            time.sleep(0.02)

    def ask(self, sql, check=True):
        """Returns the result of a statement."""
        done = subprocess.run([program("psql"), "-h", "127.0.0.1", "-p", str(self.port), "-U", "test", "-d", "postgres", "-Atc", sql],
                              capture_output=True, text=True)
        if check and done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def set(self, name, value):
        self.ask(f"alter system set {name} = {value}")
        self.ask("select pg_reload_conf()")

    def processes(self):
        """Returns the ids of the server and its connections."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]

    def signal(self, which):
        for pid in self.processes():
            try:
                os.kill(pid, which)
            except ProcessLookupError:  # a connection was closed meanwhile
                pass

    def pause(self):
        self.signal(signal.SIGSTOP)

    def resume(self):
        self.signal(signal.SIGCONT)

    def stop(self):
        """Closes all connections at once and stops."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait()

    def kill(self):
        """Kills all processes, as a crash does."""
        self.signal(signal.SIGKILL)
        self.process.wait()

    def cpu(self):
        """Returns the CPU seconds of all processes, including those of closed connections."""
        total = 0
        for pid in self.processes():
            try:
                words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            total += sum(map(int, words[11:15] if pid == self.process.pid else words[11:13]))
        return total / os.sysconf("SC_CLK_TCK")

    def close(self):
        if self.process.poll() is None:
            self.resume()
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres:
    """A server, and from `with_standby` on also a synchronous standby: a commit waits until the standby has it."""

    name, timeout, back = "PostgreSQL", 1500, 2
    FAULTS = ("restart", "killed primary, promoted standby", "hang of 3 s")

    def __init__(self, folder=None):
        self.primary, self.standby = Server(), None
        self.hosts = f"127.0.0.1:{self.primary.port}"

    @property
    def url(self):
        return f"jdbc:postgresql://{self.hosts}/postgres?user=test&targetServerType=primary&connectTimeout=1&hostRecheckSeconds=1"

    def with_standby(self):
        self.follow()
        self.hosts += f",127.0.0.1:{self.standby.port}"
        return self

    def follow(self):
        self.standby = Server(self.primary)
        self.primary.set("synchronous_standby_names", "'*'")

    def await_whole(self, seconds=60):
        """Waits until the standby is in step."""
        end = time.monotonic() + seconds
        while self.standby and self.primary.ask("select sync_state from pg_stat_replication", check=False) not in ("sync", "quorum"):
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
        return True

    def inject(self, fault):
        """Injects a fault; returns the time from which recovery is measured."""
        if fault == "killed primary, promoted standby":
            return [self.promote()]
        if fault == "restart":
            self.primary.stop()
            self.primary.start()
        else:
            self.primary.pause()
            time.sleep(3)
            self.primary.resume()
        return [time.monotonic()]

    def promote(self):
        """Kills the primary, promotes the standby, and makes the old primary a standby of it; returns the time of the promotion."""
        old = self.primary
        old.kill()
        self.primary = self.standby
        self.primary.ask("select pg_promote()")
        at = time.monotonic()
        old.fill(self.primary)
        old.start()
        self.standby = old
        self.primary.set("synchronous_standby_names", "'*'")
        return at

    # The same as for Redis in trial/redis.py.
    def start(self):
        self.primary.start()

    def stop(self):
        self.primary.kill()

    def pause(self):
        self.primary.pause()

    def resume(self):
        self.primary.resume()

    def cpu(self):
        return self.primary.cpu()

    def reject_writes(self, reject):
        self.primary.set("default_transaction_read_only", "on" if reject else "off")

    def close(self):
        for one in (self.primary, self.standby):
            if one:
                one.close()
