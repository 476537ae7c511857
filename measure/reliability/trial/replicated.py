"""A Redis master with two replicas and three sentinels, each server behind a proxy that can discard the data of its connections."""
import signal, socket, subprocess, sys, time
from pathlib import Path

from .redis import wait_for
from .server import free_port

MASTER = "main"
SWALLOW = Path(__file__).resolve().parent / "swallow.py"

def say(port, *words):
    """Sends one command; returns the raw reply."""
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        connection.sendall((f"*{len(words)}\r\n" + "".join(f"${len(word)}\r\n{word}\r\n" for word in words)).encode())
        return connection.recv(1 << 20).decode()


class Member:
    """One server, known to all others by the port of its proxy."""

    def __init__(self, folder, master, options):
        self.port, self.own = free_port(), free_port()
        self.folder = folder / f"redis-{self.port}"
        self.folder.mkdir()
        self.options, self.stopped = options, False
        self.proxy = subprocess.Popen([sys.executable, str(SWALLOW), str(self.port), str(self.own)])
        self.start(master)
        wait_for(self.port)

    def start(self, master=None):
        follow = ["--replicaof", "127.0.0.1", str(master.port)] if master else []
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.own), "--bind", "127.0.0.1", "--dir", str(self.folder), "--save", "", "--appendonly", "yes",
             "--replica-announce-ip", "127.0.0.1", "--replica-announce-port", str(self.port), "--repl-diskless-sync-delay", "0",
             *self.options, *follow], stdout=subprocess.DEVNULL)
        wait_for(self.own)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def swallow(self):
        self.proxy.send_signal(signal.SIGUSR1)

    def close(self):
        for process in (self.process, self.proxy):
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


class Replicated:
    name, timeout = "Redis", 250
    FAULTS = ("planned failover", "killed master", "hung master", "half-open connection")

    def __init__(self, folder, options=(), down_after=1500):
        self.members = [Member(folder, None, options)]
        self.members += [Member(folder, self.members[0], options) for _ in range(2)]
        self.sentinels, self.ports = [], []
        for _ in range(3):
            port = free_port()
            file = folder / f"sentinel-{port}.conf"
            file.write_text(f"port {port}\nbind 127.0.0.1\ndir {folder}\nsentinel monitor {MASTER} 127.0.0.1 {self.members[0].port} 2\n"
                            f"sentinel down-after-milliseconds {MASTER} {down_after}\nsentinel failover-timeout {MASTER} 20000\n")
            self.sentinels.append(subprocess.Popen(["redis-sentinel", str(file)], stdout=subprocess.DEVNULL))
            self.ports.append(port)
            wait_for(port)
        self.url = "redis-sentinel://" + ",".join(f"127.0.0.1:{port}" for port in self.ports) + "#" + MASTER
        self.await_whole()

    def masters(self):
        """Returns the port of the master that each sentinel names."""
        return [int(say(port, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER).split("\r\n")[4]) for port in self.ports]

    def master(self):
        known = self.masters()[0]
        return next(one for one in self.members if one.port == known)

    def await_switch(self, before, seconds=60):
        """Returns the time at which the first sentinel named another master."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if any(port != before.port for port in self.masters()):
                return time.monotonic()
            time.sleep(0.02)
        return None

    def whole(self):
        if len(set(self.masters())) > 1:
            return False
        told = [say(port, "SENTINEL", "MASTER", MASTER).split("\r\n") for port in self.ports]
        of = lambda words, name: words[words.index(name) + 2]
        return (all(of(words, "num-other-sentinels") == "2" and of(words, "num-slaves") == "2" and of(words, "flags") == "master" for words in told)
                and say(self.master().own, "INFO", "replication").count("state=online") == 2)

    def await_whole(self, seconds=60):
        """Waits until the master has both replicas, and all sentinels know."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.whole():
                    return True
            except (OSError, ValueError, IndexError):
                pass
            time.sleep(0.1)
        return False

    def inject(self, fault):
        """Injects a fault into the master; returns the times from which recovery is measured."""
        master = self.master()
        if fault == "half-open connection":
            master.swallow()
            return [time.monotonic()]
        if fault == "planned failover":
            for port in self.ports:
                if "OK" in say(port, "SENTINEL", "FAILOVER", MASTER):
                    break
        elif fault == "killed master":
            master.kill()
        else:
            master.process.send_signal(signal.SIGSTOP)
        at = self.await_switch(master)
        if fault == "killed master":
            time.sleep(1)
            master.start(self.master())
        elif fault == "hung master":
            time.sleep(2)
            master.process.send_signal(signal.SIGCONT)
        return [at] if at else []

    def close(self):
        for process in self.sentinels:
            process.kill()
            process.wait()
        for one in self.members:
            one.close()
