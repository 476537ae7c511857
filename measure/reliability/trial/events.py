"""A client of server-sent events that reconnects with the last id it received, like a web page."""
import http.client, json, socket, threading, time


class Stream(threading.Thread):
    def __init__(self, port, path):
        super().__init__(daemon=True)
        self.port, self.path, self.got, self.at, self.id, self.going, self.begun, self.ends = port, path, [], [], "", True, threading.Event(), 0
        self.connection = None

    def run(self):
        while self.going:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=40)
            try:
                self.connection.request("GET", self.path, headers={"Last-Event-ID": self.id} if self.id else {})
                answer = self.connection.getresponse()
                if answer.status == 200:
                    self.hear(answer)
            except (OSError, http.client.HTTPException, ValueError, AttributeError):
                pass  # disconnected or stopped
            self.ends += self.going
            self.connection.close()
            time.sleep(0.05)

    def hear(self, answer):
        self.begun.set()
        id_, data = "", ""
        while self.going and (line := answer.readline()):
            text = line.decode().rstrip("\r\n")
            if text.startswith("id:"):
                id_ = text[3:].strip()
            elif text.startswith("data:"):
                data = text[5:].strip()
            elif text == "" and data:
                # Only a complete event counts.
                self.id, value = id_, json.loads(data)
                self.got.append(value)
                self.at.append((time.monotonic(), value))
                data = ""

    def stop(self):
        self.going = False
        try:
            # The reading thread holds the lock that close needs.
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass  # it has just ended
