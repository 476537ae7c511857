"""G25 rejected uploads: each client that sends 2 MB to a limit of 100 KB gets its whole 413, directly and through a proxy."""
import shutil, socket, subprocess, tempfile, time
from pathlib import Path

from trial.crowd import Client, Crowd
from trial.goal import Outcome
from trial.server import free_port

SIZE = 2_000_000
BLOCK = bytes(64 << 10)
HEAD = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % SIZE
PROXY = """
worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/error warn;
events {{ worker_connections 4096; }}
http {{
  access_log off; client_max_body_size 10m; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  upstream server {{ server 127.0.0.1:{server}; keepalive 32; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass http://server; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_request_buffering {buffering}; }}
  }}
}}
"""


class Refused(Client):
    first = HEAD

    def __init__(self):
        super().__init__()
        self.left = SIZE

    def more(self):
        piece = BLOCK[:max(0, self.left)]
        self.left -= len(piece)
        return piece

    def whole(self):
        """Returns true if the response is complete, as announced by its head."""
        head, _, body = self.answer.partition(b"\r\n\r\n")
        lengths = [int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        return self.status() == 413 and lengths == [len(body)]

    def done(self):
        return self.whole()


class Proxy:
    """An nginx proxy before a server, with or without request buffering."""

    def __init__(self, server, buffering):
        self.port, self.folder = free_port(), tempfile.TemporaryDirectory()
        Path(self.folder.name).chmod(0o777)  # its workers run as another user
        config = Path(self.folder.name) / "conf"
        config.write_text(PROXY.format(folder=self.folder.name, server=server, port=self.port, buffering=buffering))
        self.process = subprocess.Popen(["nginx", "-c", str(config)], stderr=subprocess.DEVNULL)

    def __enter__(self):
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                time.sleep(0.05)
        raise OSError("nginx did not start")

    def __exit__(self, *failure):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def refused(port, count):
    """Returns the number of clients that got their whole response."""
    crowd = Crowd(port, [Refused() for _ in range(count)], rate=500)
    crowd.start()
    crowd.opened.wait(60)
    crowd.settle(5)
    return sum(client.whole() for client in crowd.clients)


def run(trial):
    count, found = trial.of(1000, 100), {}
    with trial.server() as server:
        refused(server.port, count)
        found["itself"] = refused(server.port, count)
        if shutil.which("nginx"):
            for buffering in ("on", "off"):
                with Proxy(server.port, buffering) as proxy:
                    found[f"nginx, buffering {buffering}"] = refused(proxy.port, count)
    missing = "" if shutil.which("nginx") else "; nginx is not installed"
    return Outcome(all(read == count for read in found.values()),
                   ", ".join(f"{how}: {read}/{count} read their whole 413" for how, read in found.items()) + missing)
