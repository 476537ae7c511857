"""Checks with one request that each server does the same work, before it is measured."""
import http.client, json, socket, subprocess

from trial import tls

from .works import multiplexed


def fault(server, work, scheme="http"):
    """Describes a wrong response; returns None if the response is right."""
    if multiplexed(scheme):
        return fault_on_stream(server, work, scheme)
    try:
        with connect(server) as connection:
            connection.sendall(work.request())
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            body = answer.read()
            if answer.status != 200:
                return f"responds with {answer.status}"
            if not right(work, body):
                return f"sends another body: {body[:40]!r}"
            return unlike(connection, answer, work)
    except (OSError, http.client.HTTPException) as error:
        return f"does not respond: {error!r}"


def connect(server):
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=5)
    return tls.clients().wrap_socket(connection) if server.scheme == "https" else connection


def fault_on_stream(server, work, scheme):
    """Sends the request with curl."""
    command = ["curl", "--silent", "--insecure", "--max-time", "5", "--http2" if scheme == "h2" else "--http2-prior-knowledge", "--write-out", "%{http_version} %{http_code}"]
    for name, value in work.lines().items():
        command += ["--header", f"{name}: {value}"]
    if work.body:
        command += ["--data-binary", work.body.decode()]
    out = subprocess.run([*command, f"{server.scheme}://127.0.0.1:{server.port}{work.target}"], capture_output=True).stdout
    body, said = out[:-len("2 200")], out[-len("2 200"):]
    if said != b"2 200":
        return f"responds with {out[-60:]!r}"
    return None if right(work, body) else f"sends another body: {body[:40]!r}"


def right(work, body):
    if isinstance(work.answer, str):
        return body.decode(errors="replace") == work.answer
    try:
        return json.loads(body) == work.answer
    except ValueError:
        return False


def unlike(connection, answer, work):
    """Describes a connection that is kept although it must be closed, or the reverse."""
    connection.settimeout(2 if work.closes() else 0.1)
    try:
        closed = connection.recv(1) == b""
    except TimeoutError:
        closed = False
    if work.closes():
        return None if closed else "does not close the connection"
    return "closes the connection" if closed or answer.will_close else None
