"""A Redis server for a trial."""
import socket, subprocess, sys, time

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
