"""A WebSocket client like a web page, and one that reconnects with the last id it received."""
import base64, json, os, random, socket, ssl, struct, threading, time, urllib.parse


class WebSocket:
    def __init__(self, port, path, source="127.0.0.1", tls=False, headers=""):
        plain = socket.create_connection(("127.0.0.1", port), 30, (source, 0))
        self.connection = untrusting().wrap_socket(plain) if tls else plain
        scheme, key = "https" if tls else "http", base64.b64encode(os.urandom(16)).decode()
        self.connection.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {scheme}://127.0.0.1:{port}\r\n"
                                 f"Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                 f"Sec-WebSocket-Key: {key}\r\n{headers}\r\n").encode())
        self.file = self.connection.makefile("rb")
        self.status = int((self.file.readline().split() or [0, 0])[1])
        while self.file.readline().strip():
            pass

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        self.frame(0x81, bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)), mask)

    def frame(self, first, masked, mask):
        length = bytes([0x80 | len(masked)]) if len(masked) < 126 else b"\xfe" + struct.pack(">H", len(masked))
        self.connection.sendall(bytes([first]) + length + mask + masked)

    def text(self):
        """Returns the next text, or None at the end."""
        while True:
            head = self.file.read(2)
            if len(head) < 2 or head[0] & 15 == 8:
                return None
            length = head[1] & 127
            if length > 125:
                length = int.from_bytes(self.file.read(2 if length == 126 else 8), "big")
            data = self.file.read(length)
            if head[0] & 15 == 9:
                mask = os.urandom(4)
                self.frame(0x8A, bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)), mask)
            elif head[0] & 15 == 1:
                return data.decode()

    def close(self):
        # Another thread may be reading, and closing the file does not wake it.
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.connection.close()


def untrusting():
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class Listener(threading.Thread):
    """Reads a topic or a room, and reconnects to one of the ports whenever its connection ends."""

    def __init__(self, path, *ports):
        super().__init__(daemon=True)
        self.ports, self.path, self.got, self.ids, self.going, self.begun, self.ends = ports, path, [], {}, True, threading.Event(), 0
        self.socket = None

    def run(self):
        while self.going:
            try:
                self.socket = WebSocket(random.choice(self.ports), f"{self.path}?{urllib.parse.urlencode(self.ids)}")
                if self.socket.status == 101 and self.going:
                    self.hear()
            except OSError:
                pass
            self.ends += self.going
            time.sleep(0.05)

    def hear(self):
        while (text := self.socket.text()) is not None:
            frame = json.loads(text)
            if "userId" in frame:
                self.ids["lastUserId"] = frame["userId"]
            else:
                self.ids["lastEventId"] = frame["id"]
                self.begun.set()
            if "data" in frame:
                self.got.append(frame["data"])

    def stop(self):
        self.going = False
        if self.socket:
            self.socket.close()
