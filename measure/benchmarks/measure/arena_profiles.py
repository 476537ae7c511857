"""The profiles of HttpArena, with fewer connections: requests in rotation, and the response of each."""
import json
from dataclasses import dataclass

from .arena_data import DATASET, FILES
from .works import Work, multiplexed

JSON, BYTES, TEXT = "application/json", "application/octet-stream", "text/plain"
PAIRS = ((1, 3), (5, 7), (10, 2), (15, 5), (25, 4), (40, 8), (50, 6))
UPLOADS = (500 << 10, 2 << 20, 10 << 20, 20 << 20)
# Bodies of more bytes are made by the script of wrk, instead of being part of it.
LONG = 64 << 10
# Parts of a request that the script of wrk replaces: a random id, the next new id, a random page.
ID, NEW, PAGE = "@id@", "@new@", "@page@"


@dataclass
class Profile:
    """Requests that are sent in turn, and how. `reconnect` is the number of requests of a connection, 0 for no limit."""

    name: str
    works: list
    connections: int = 64
    scheme: str = "http"
    pipeline: int = 1
    reconnect: int = 0
    streams: int = 0
    database: bool = False
    sockets: bool = False
    # The requests that are checked before the measurement, if they differ from those of the load.
    checks: tuple = ()

    def checked(self):
        return self.checks or [work for work in self.works if work.answer is not None]

    def script(self):
        """Returns a script for wrk."""
        templates = ",\n".join(f"{{{lua(head(work, False))}, {lua(head(work, True))}, {body(work)}}}" for work in self.works)
        return SCRIPT % (templates, self.pipeline, self.reconnect, "true" if any(marked(work) for work in self.works) else "false")


SCRIPT = """local templates = {
%s
}
local pipeline, reconnect, varied = %d, %d, %s
local sent, new, ready = 0, 100000, {}
for i, one in ipairs(templates) do ready[i] = {one[1] .. one[3], one[2] .. one[3]} end
local function following()
  new = new + 1
  return tostring(new)
end
local function next_request()
  sent = sent + 1
  local last = reconnect > 0 and sent %% reconnect == 0
  local text = ready[(sent - 1) %% #ready + 1][last and 2 or 1]
  if varied then
    text = text:gsub("@id@", function() return string.format("%%05d", math.random(10000, 50000)) end)
    text = text:gsub("@new@", following):gsub("@page@", function() return tostring(math.random(1, 10)) end)
  end
  return text
end
request = function()
  if pipeline == 1 then return next_request() end
  local all = {}
  for i = 1, pipeline do all[i] = next_request() end
  return table.concat(all)
end
"""


def head(work, last):
    """Returns the head of a request, whose body may contain marks that are replaced by as many or fewer bytes."""
    whole = work.request()
    text = whole[:len(whole) - len(work.body)].decode()
    if marked(work) and work.body:
        length = len(work.body.decode().replace(NEW, "100001"))
        text = text.replace(f"Content-Length: {len(work.body)}", f"Content-Length: {length}")
    if work.method() != "GET" and work.verb:
        text = text.replace("POST ", work.verb + " ", 1)
    return text.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1) if last else text


def marked(work):
    return any(mark in work.target or mark.encode() in work.body[:LONG] for mark in (ID, NEW, PAGE))


def lua(text):
    return '"' + "".join(f"\\{byte:03d}" for byte in text.encode()) + '"'


def body(work):
    return f'string.rep("x", {len(work.body)})' if len(work.body) > LONG else lua(work.body.decode())


@dataclass
class Request(Work):
    """A request with any method. Its answer is not checked if it is None."""

    verb: str = None
    chunked: bool = False

    def method(self):
        return "POST" if self.body else "GET"

    def request(self):
        whole = super().request()
        length = f"Content-Length: {len(self.body)}\r\n".encode()
        return whole.replace(length, b"Transfer-Encoding: chunked\r\n", 1) if self.chunked else whole


def get(target, answer=None, **headers):
    return Request(target, answer, {name.replace("_", "-"): value for name, value in headers.items()})


def send(target, content, kind, answer=None, verb=None):
    return Request(target, answer, {"Content-Type": kind}, content, verb=verb)


def items(count, factor):
    """Returns the request for the first items of the dataset, with the expected response."""
    priced = [{**item, "total": item["price"] * item["quantity"] * factor} for item in DATASET[:count]]
    return get(f"/json/{count}?m={factor}", {"items": priced, "count": count})


def compressed(work):
    return get(work.target, None, Accept_Encoding="gzip, br")


def found(limit):
    return get(f"/async-db?min=10&max=50&limit={limit}")


SUMS = [get("/baseline11?a=13&b=42", "55"), send("/baseline11?a=13&b=42", b"20", TEXT, "75"),
        Request("/baseline11?a=13&b=42", "75", {"Content-Type": TEXT}, b"2\r\n20\r\n0\r\n\r\n", chunked=True)]
PRICED = [items(*pair) for pair in PAIRS]
STATIC = [get(f"/static/{name}", None, Accept_Encoding="br;q=1, gzip;q=0.8") for name in FILES]
PLAIN = tuple(get(f"/static/{name}", FILES[name].decode()) for name in ("reset.css", "app.js", "manifest.json"))
UPDATE = {"name": "Updated Product", "category": "test", "price": 200, "quantity": 25}
CREATE = '{"id":%s,"name":"New Product","category":"test","price":150,"quantity":30}' % NEW
CRUD = [*(get(f"/crud/items/{ID}") for _ in range(15)),
        *(send(f"/crud/items/{ID}", json.dumps(UPDATE).encode(), JSON, verb="PUT") for _ in range(3)),
        get(f"/crud/items?category=office&page={PAGE}&limit=10"), send("/crud/items", CREATE.encode(), JSON)]
QUERIES = [found(limit) for limit in (5, 10, 20, 35, 50)]
NOTHING = (get("/async-db?min=9999&max=9999&limit=50", {"items": [], "count": 0}),)

PROFILES = {profile.name: profile for profile in [
    Profile("baseline", SUMS),
    Profile("pipelined", [get("/pipeline", "ok")], pipeline=16),
    Profile("limited-conn", SUMS, reconnect=10),
    Profile("json", PRICED),
    Profile("json-comp", [compressed(items(*pair)) for pair in PAIRS[4:]], checks=tuple(PRICED[4:])),
    Profile("json-tls", PRICED, scheme="https"),
    Profile("upload", [send("/upload", b"x" * size, BYTES, str(size)) for size in UPLOADS], connections=8),
    Profile("static", STATIC, checks=PLAIN),
    Profile("async-db", QUERIES, database=True, checks=NOTHING),
    Profile("crud", CRUD, reconnect=200, database=True, checks=NOTHING),
    Profile("api-4", [SUMS[0]] * 3 + [items(50, 1)] * 3 + [found(50)] * 2, reconnect=5, database=True, checks=(SUMS[0], items(50, 1), *NOTHING)),
    Profile("baseline-h2", [get("/baseline2?a=1&b=1", "2")], connections=8, scheme="h2", streams=100),
    Profile("static-h2", STATIC, connections=8, scheme="h2", streams=32, checks=PLAIN),
    Profile("baseline-h2c", [get("/baseline2?a=1&b=1", "2")], connections=8, scheme="h2c", streams=100),
    Profile("json-h2c", PRICED, connections=8, scheme="h2c", streams=32),
    Profile("echo-ws", [], sockets=True),
]}

assert all(bool(profile.streams) == multiplexed(profile.scheme) for profile in PROFILES.values())
