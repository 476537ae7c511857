"""A Redis server for a trial."""
import os, signal, socket, subprocess, sys, time
from pathlib import Path

from .server import free_port


def wait_for(port):
    for _ in range(400):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit(f"no process listens on {port}")


class Redis:
    # The time that a request waits, in milliseconds, and the time until all servers use it again after a restart, in seconds.
    name, timeout, back = "Redis", 250, 0.5

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder), "--save", "",
             "--appendonly", "yes"], stdout=subprocess.DEVNULL)
        wait_for(self.port)

    def say(self, *words):
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
            text = f"*{len(words)}\r\n" + "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
            connection.sendall(text.encode())
            return connection.recv(65536).decode()

    def stop(self):
        self.process.kill()
        self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def cpu(self):
        """Returns its CPU seconds."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, words[11:13])) / os.sysconf("SC_CLK_TCK")

    def reject_writes(self, reject):
        self.say("CONFIG", "SET", "maxmemory", "1" if reject else "0")

    def close(self):
        self.resume()
        self.stop()
