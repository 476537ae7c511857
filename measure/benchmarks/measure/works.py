"""The requests as bytes, and the expected response of each."""
import json
from dataclasses import dataclass

HELLO = "Hello, World!"
MEBI = 1 << 20
FIELDS = {"name": "Ann Example", "street": "1 Main Street", "city": "Springfield", "country": "US", "mail": "ann@example.com",
          "phone": "+1 555 0100", "item": "4711", "count": "2", "gift": "yes", "comment": "leave it at the door"}
BROWSER = {
    "Connection": "keep-alive", "Cache-Control": "max-age=0", "Upgrade-Insecure-Requests": "1",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Referer": "http://localhost/start",
    "Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "en-US,en;q=0.9",
}
MANY = {f"X-Item-{i}": f"the value of item {i}" for i in range(79)} | {"Cookie": "; ".join(f"cookie{i}=value-of-cookie-{i}" for i in range(20))}


@dataclass
class Work:
    """A request, its expected response (text, or a JSON value), and the number of connections."""

    target: str
    answer: object
    headers: dict = None
    body: bytes = b""
    connections: int = 64

    def request(self):
        length = {"Content-Length": len(self.body)} if self.body else {}
        headers = {"Host": "127.0.0.1", **(self.headers or {}), **length}
        head = f"{'POST' if self.body else 'GET'} {self.target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return head.encode() + b"\r\n" + self.body

    def lines(self):
        """Returns the headers for any HTTP version. HTTP/2 has no connection headers."""
        return {name: value for name, value in (self.headers or {}).items() if name != "Connection"}

    def closes(self):
        return (self.headers or {}).get("Connection") == "close"


def orders(count):
    return [{"id": 1000 + i, "customer": "Ann Example", "paid": i % 2 == 0, "total": i + 0.25, "tags": ["new", "gift"], "note": None,
             "address": {"street": "1 Main Street", "city": "Springfield"}} for i in range(count)]


ORDERS = {"orders": orders(6), "comment": "x" * 75}
JSON, FORM = "application/json", "application/x-www-form-urlencoded"

WORKS = {
    "plaintext": Work("/plaintext", HELLO),
    "json": Work("/json", {"message": HELLO}),
    "params": Work("/users/4711/posts/12", "4711 12"),
    "echo": Work("/echo", ORDERS, {"Content-Type": JSON}, json.dumps(ORDERS, separators=(",", ":")).encode()),
    "browser": Work("/plaintext", HELLO, BROWSER),
    "headers": Work("/header", MANY["X-Item-40"], MANY),
    "form": Work("/fields", " ".join(FIELDS.values()), {"Content-Type": FORM},
                 "&".join(f"{name}={value.replace('+', '%2B').replace('@', '%40').replace(' ', '+')}" for name, value in FIELDS.items()).encode()),
    "list": Work("/list", orders(130)),
    "mebibyte": Work("/mebibyte", "x" * MEBI),
    "close": Work("/plaintext", HELLO, {"Connection": "close"}),
    "8 connections": Work("/plaintext", HELLO, connections=8),
    "1000 connections": Work("/plaintext", HELLO, connections=1_000),
    "10000 connections": Work("/plaintext", HELLO, connections=10_000),
    "block": Work("/slow?ms=100", "slept", connections=1_000),
}

# The schemes. With TLS, HTTP/2 is negotiated by ALPN; without it, clients use prior knowledge.
SCHEMES = ("http", "https", "h2", "h2c")


def secure(scheme):
    return scheme in ("https", "h2")


def multiplexed(scheme):
    return scheme in ("h2", "h2c")


def label(work, scheme):
    return work if scheme == "http" else f"{work} over {scheme}"
