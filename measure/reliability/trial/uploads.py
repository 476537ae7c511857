"""Clients that upload at a chosen rate, over HTTP/1.1 and HTTP/2. They use no library, so they control each frame and each pause."""
import asyncio, multiprocessing, struct, time

PIECE = 0.05  # seconds from one piece to the next
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW = 0, 1, 3, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
STATUS = {8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500}  # of the static table of HPACK
FRAME = 16_384


async def pieces(body, speed, stops_at=None):
    """Yields a body in pieces at a number of bytes per second, or at once. Stops at a length, like a client that stalls."""
    end, started, at = len(body) if stops_at is None else stops_at, time.monotonic(), 0
    step = max(1, int(speed * PIECE)) if speed else 65_536
    while at < end:
        yield body[at:min(end, at + step)]
        at += step
        if speed:
            await asyncio.sleep(max(0, started + at / speed - time.monotonic()))


class Http1:
    """One connection that uploads one body after the other."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port):
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def post(self, path, body, headers, speed=None, chunked=False, stops_at=None):
        framing = "transfer-encoding: chunked" if chunked else f"content-length: {len(body)}"
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.writer.write(f"POST {path} HTTP/1.1\r\nhost: a\r\n{lines}{framing}\r\n\r\n".encode())
        sending = asyncio.create_task(self.send(body, speed, chunked, stops_at))
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        finally:
            sending.cancel()
        length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")), 0)
        await self.reader.readexactly(length)
        status = int(head[9:12])
        if stops_at is not None or status != 200:
            self.close()
        return status

    async def send(self, body, speed, chunked, stops_at):
        async for piece in pieces(body, speed, stops_at):
            self.writer.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
            await self.writer.drain()
        if chunked and stops_at is None:
            self.writer.write(b"0\r\n\r\n")
            await self.writer.drain()

    def close(self):
        self.writer.close()


class Http2:
    """One connection with many streams, which obeys the server's flow-control windows."""

    def __init__(self, reader, writer):
        self.reader, self.writer, self.next = reader, writer, 1
        self.window, self.initial, self.windows, self.answers = 65_535, 65_535, {}, {}
        self.changed = asyncio.Condition()

    @classmethod
    async def open(cls, port):
        made = cls(*await asyncio.open_connection("127.0.0.1", port))
        made.writer.write(PREFACE + made.frame(SETTINGS, 0, 0, struct.pack(">HI", 1, 0)))  # no dynamic table for headers
        made.reading = asyncio.create_task(made.read())
        return made

    @staticmethod
    def frame(kind, flags, stream, payload):
        return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload

    @staticmethod
    def literal(name, value):
        name, value = name.encode(), value.encode()
        return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value

    async def read(self):
        try:
            while True:
                head = await self.reader.readexactly(9)
                length, kind, flags, stream = int.from_bytes(head[:3], "big"), head[3], head[4], int.from_bytes(head[5:], "big")
                await self.take(kind, flags, stream, await self.reader.readexactly(length))
        except (OSError, EOFError) as failure:
            self.fail(failure)

    async def take(self, kind, flags, stream, payload):
        if kind == SETTINGS and not flags & ACK:
            for at in range(0, len(payload), 6):
                name, value = struct.unpack(">HI", payload[at:at + 6])
                if name == 4:
                    for one in self.windows:
                        self.windows[one] += value - self.initial
                    self.initial = value
            self.writer.write(self.frame(SETTINGS, ACK, 0, b""))
        elif kind == PING and not flags & ACK:
            self.writer.write(self.frame(PING, ACK, 0, payload))
        elif kind == WINDOW:
            more = int.from_bytes(payload, "big")
            if stream == 0:
                self.window += more
            elif stream in self.windows:
                self.windows[stream] += more
        elif kind == HEADERS:
            self.answer(stream, self.status(payload))
        elif kind == RESET:
            self.answer(stream, f"reset {int.from_bytes(payload, 'big')}")
        elif kind == GOAWAY:
            self.fail(ConnectionError(f"GOAWAY {payload!r}"))
        elif kind == DATA and payload:
            self.writer.write(self.frame(WINDOW, 0, 0, struct.pack(">I", len(payload))))
        async with self.changed:
            self.changed.notify_all()

    @staticmethod
    def status(block):
        while block and block[0] & 0xE0 == 0x20:  # the size of the table
            block = block[1:]
        if block[0] & 0x80:
            return STATUS.get(block[0] & 0x7F, 0)
        text = block[2:2 + (block[1] & 0x7F)]
        return int(text) if not block[1] & 0x80 else int(huffman_digits(text))

    def answer(self, stream, status):
        future = self.answers.get(stream)
        if future and not future.done():
            future.set_result(status)

    def fail(self, failure):
        for future in self.answers.values():
            if not future.done():
                future.set_exception(failure)

    async def post(self, path, body, headers, speed=None, chunked=False, stops_at=None):
        stream, self.next = self.next, self.next + 2
        self.windows[stream] = self.initial
        future = self.answers[stream] = asyncio.get_running_loop().create_future()
        fields = {":method": "POST", ":scheme": "http", ":path": path, ":authority": "a", **headers}
        if not chunked:
            fields["content-length"] = str(len(body))
        block = b"".join(self.literal(name, value) for name, value in fields.items())
        self.writer.write(self.frame(HEADERS, END_HEADERS, stream, block))
        sending = asyncio.create_task(self.send(stream, body, speed, stops_at))
        try:
            return await future
        finally:
            sending.cancel()
            del self.answers[stream], self.windows[stream]

    async def send(self, stream, body, speed, stops_at):
        async for piece in pieces(body, speed, stops_at):
            while piece:
                async with self.changed:
                    await self.changed.wait_for(lambda: self.window > 0 and self.windows[stream] > 0)
                    count = min(len(piece), FRAME, self.window, self.windows[stream])
                    self.window -= count
                    self.windows[stream] -= count
                self.writer.write(self.frame(DATA, 0, stream, piece[:count]))
                await self.writer.drain()
                piece = piece[count:]
        if stops_at is None:
            self.writer.write(self.frame(DATA, END_STREAM, stream, b""))

    def close(self):
        self.reading.cancel()
        self.writer.close()


def huffman_digits(data):
    """Returns the three digits of a status that HPACK has compressed (RFC 7541, appendix B)."""
    codes = {format(n, "05b"): str(n) for n in range(3)} | {format(n + 22, "06b"): str(n) for n in range(3, 10)}
    bits, text, code = "".join(format(byte, "08b") for byte in data), "", ""
    for bit in bits:
        code += bit
        if code in codes and len(text) < 3:
            text, code = text + codes[code], ""
    return text


async def small_posts(port, two, ended, seen):
    """Posts JSON of 1, 20 and 90 KB one after the other, and records the status and the time of each."""
    connection = await (Http2 if two else Http1).open(port)
    while not ended.is_set():
        for size in (1_000, 20_000, 90_000):
            started = time.monotonic()
            try:
                text = b'{"a":"' + b"a" * size + b'"}'
                status = await asyncio.wait_for(connection.post("/json", text, {"content-type": "application/json"}), 60)
            except (OSError, EOFError, asyncio.TimeoutError) as failure:
                status = type(failure).__name__
            seen.append((status, time.monotonic() - started))
            if status != 200:
                connection = await (Http2 if two else Http1).open(port)
        await asyncio.sleep(0.02)
    connection.close()


class SmallPosts:
    """Posts small bodies over both protocols from a separate process, so that it does not wait for the uploading clients."""

    def __init__(self, port):
        self.ended, self.found = multiprocessing.Event(), multiprocessing.Queue()
        self.process = multiprocessing.Process(target=self.run, args=(port,), daemon=True)
        self.process.start()

    def run(self, port):
        async def both():
            seen = []
            await asyncio.gather(*(small_posts(port, two, self.ended, seen) for two in (False, True)))
            return seen
        self.found.put(asyncio.run(both()))

    def end(self):
        """Returns the status and the seconds of each post."""
        self.ended.set()
        return self.found.get(timeout=120)
