"""G20 HTTP/2: many clients with many streams each get all of their responses, over TLS and with prior knowledge."""
import tempfile

from trial.goal import Outcome
from trial.h2load import H2load
from trial.server import class_path, with_http2
from trial.tls import make_store

REQUESTS = 300_000


def crowds(trial):
    """Returns pairs: the number of clients, and of streams that each has open at once."""
    many = trial.of(4_000, 400)
    return (100, 25), (100, 100), (many, 25), (many, 100)


def loads(trial, scheme, **settings):
    with trial.server(path=with_http2(class_path()), **settings) as server:
        for clients, streams in crowds(trial):
            requests = max(trial.of(REQUESTS, REQUESTS // 10), clients * streams)
            found = H2load(server.port, clients, streams, requests=requests, scheme=scheme).result()
            name = f"{scheme} {clients} x {streams}"
            yield name, found.succeeded == requests and not found.errors, f"{found.succeeded:,} of {requests:,} {found.errors}".strip()


def run(trial):
    if trial.peer or not H2load.available():
        return Outcome(None, "needs h2load, of nghttp2-client" if not trial.peer else "for Percolate only")
    with tempfile.TemporaryDirectory() as folder:
        found = [*loads(trial, "https", key_store=make_store(folder, "RSA")), *loads(trial, "http", http2PriorKnowledge="true")]
    return Outcome(all(passed for _, passed, _ in found), ", ".join(f"{name}: {figures}" for name, _, figures in found))
