"""Thousands of connections on one thread, with epoll."""
import collections, errno, os, select, socket, struct, threading, time

ETHERNET = 1460  # with packets of 64 KiB, as within one machine, the kernel buffers a megabyte at once for each slow reader
RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Client:
    """One connection. Subclasses define what it sends at first, after each pause, and whenever its peer can take more."""

    first = b""
    pause = None  # seconds between two drops
    reads = True
    sip = 0  # bytes read after each pause, if it does not read continuously
    window = None  # the size of the receive buffer, in bytes
    segment = None  # the size of a packet, in bytes
    kept = 4096  # the stored bytes of the response

    def __init__(self):
        self.opened = self.closed = self.heard = self.answered = None
        self.answer = b""
        self.taken = 0
        self.reset = False

    def drop(self):
        """Returns the bytes to send after each pause."""
        return b""

    def more(self):
        """Returns the bytes to send whenever the socket is writable, without an end."""
        return b""

    def done(self):
        """Returns true if the client got what it needs and may disconnect."""
        return False

    def status(self):
        return int(self.answer[9:12]) if self.answer[9:12].isdigit() else 0


class Crowd(threading.Thread):
    """Opens a connection for each client, at a rate, and serves them until all are closed or it is told to end."""

    def __init__(self, port, clients, rate=1000):
        super().__init__(daemon=True)
        self.port, self.clients, self.rate = port, clients, rate
        self.ended = threading.Event()
        self.opened = threading.Event()
        self.sockets, self.rest, self.due = {}, {}, collections.deque()
        self.stirred = time.monotonic()

    def run(self):
        # At a lower priority than the probe: this measures the server, not how clients share a processor.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 5)
        self.poll = select.epoll()
        started, number = time.monotonic(), 0
        while not self.ended.is_set() and (number < len(self.clients) or self.sockets):
            wanted = min(len(self.clients), int((time.monotonic() - started) * self.rate) + 1)
            while number < wanted:
                self.open(self.clients[number])
                number += 1
            if number == len(self.clients):
                self.opened.set()
            for file, event in self.poll.poll(0.005 if number < len(self.clients) else 0.02, 512):
                if file in self.sockets:
                    self.serve(file, event)
            self.drip()
        for file in list(self.sockets):
            self.sockets[file][0].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            self.sockets.pop(file)[0].close()
        self.poll.close()
        self.opened.set()

    def settle(self, seconds):
        """Waits until all have disconnected, or nothing has been sent or received for some seconds; then ends."""
        while self.is_alive() and time.monotonic() - self.stirred < seconds:
            self.join(0.05)
        self.end()

    def end(self):
        self.ended.set()
        self.join()

    def open(self, client):
        connection = socket.socket()
        connection.setblocking(False)
        if client.window:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, client.window)
        if client.segment:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, client.segment)
        connection.connect_ex(("127.0.0.1", self.port))
        file = connection.fileno()
        client.opened = time.monotonic()
        self.sockets[file] = (connection, client)
        self.rest[file] = memoryview(client.first)
        self.poll.register(file, (select.EPOLLIN if client.reads else 0) | select.EPOLLOUT | select.EPOLLRDHUP)
        if client.pause:
            self.due.append((client.opened + client.pause, file, client))

    def serve(self, file, event):
        connection, client = self.sockets[file]
        self.stirred = time.monotonic()
        try:
            if event & (select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR):
                self.receive(file, connection, client)
            if event & select.EPOLLOUT and file in self.sockets:
                self.send(file, connection, client)
        except OSError as failure:
            client.reset = failure.errno in (errno.ECONNRESET, errno.EPIPE)
            self.close(file, client)

    def send(self, file, connection, client):
        """Sends one piece only: filling the socket would delay the other clients."""
        rest = self.rest[file] or memoryview(client.more())
        if not rest:
            self.rest[file] = rest
            events = (select.EPOLLIN if client.reads else 0) | select.EPOLLRDHUP
            self.poll.modify(file, events)
            return
        try:
            self.rest[file] = rest[connection.send(rest):]
        except BlockingIOError:
            self.rest[file] = rest
        except (BrokenPipeError, ConnectionResetError):
            # There may still be unread bytes that the peer sent before.
            self.rest[file] = memoryview(b"")
            client.more = lambda: b""
            self.poll.modify(file, select.EPOLLIN | select.EPOLLRDHUP)

    def receive(self, file, connection, client):
        try:
            piece = connection.recv(65536)
        except BlockingIOError:
            return
        if not piece:
            self.close(file, client)
            return
        client.heard = client.heard or time.monotonic()
        client.taken += len(piece)
        client.answer = (client.answer + piece)[:client.kept]
        if client.answered is None and b"\r\n\r\n" in client.answer:
            client.answered = time.monotonic()
        if client.done():
            self.close(file, client)

    def drip(self):
        now = time.monotonic()
        while self.due and self.due[0][0] <= now:
            _, file, client = self.due.popleft()
            if file not in self.sockets or self.sockets[file][1] is not client:
                continue
            self.due.append((now + client.pause, file, client))
            try:
                piece = client.drop()
                if piece:
                    self.stirred = now
                    self.sockets[file][0].send(piece)
                if client.sip:
                    client.taken += len(self.sockets[file][0].recv(client.sip))
            except BlockingIOError:
                pass
            except OSError:
                client.reset = True
                self.close(file, client)

    def close(self, file, client):
        client.closed = time.monotonic()
        self.sockets.pop(file)[0].close()
        self.rest.pop(file, None)
