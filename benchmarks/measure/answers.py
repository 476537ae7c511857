"""Whether all servers do the same work: each is asked once before it is measured."""
import http.client, json, socket


def fault(port, work):
    """Gives what is wrong with the answer, in a few words; none if nothing is."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(work.request())
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            body = answer.read()
            if answer.status != 200:
                return f"answers {answer.status}"
            if not right(work, body):
                return f"answers something else: {body[:40]!r}"
            return unlike(connection, answer, work)
    except (OSError, http.client.HTTPException) as error:
        return f"does not answer: {error!r}"


def right(work, body):
    if isinstance(work.answer, str):
        return body.decode(errors="replace") == work.answer
    try:
        return json.loads(body) == work.answer
    except ValueError:
        return False


def unlike(connection, answer, work):
    """Tells whether the connection is kept where it must be closed, or the other way round."""
    connection.settimeout(2 if work.closes() else 0.1)
    try:
        closed = connection.recv(1) == b""
    except TimeoutError:
        closed = False
    if work.closes():
        return None if closed else "does not close the connection"
    return "closes the connection" if closed or answer.will_close else None
