"""Compares what both sides have counted of conversations: WebSockets and event streams."""

SHOWN = 5
STREAMS = ("live-events-called", "live-events-waiting")
TOPIC_STREAM = "live-topic-events"
# The code that a server records if the client closed without a code, and its reply.
NO_CODE, NORMAL = 1005, 1000


def of_clients(rows):
    """Returns the output of the clients: for each id the kind, the end, the code, and what was sent and received."""
    return {row[2]: (row[1], row[3], *map(int, row[4:9])) for row in rows if row[0] == "live"}


def of_server(text):
    """Returns the contents of a ledger: for each id the kind, and the values after it."""
    rows = (line.split("\t") for line in text.splitlines())
    return {row[1]: (row[0], *map(int, row[2:])) for row in rows}


def told(fault, servers):
    """Returns the server's record of the conversation that a fault names, or an empty text."""
    names = [word.strip(":,") for word in fault.split()]
    return "".join(f"; the server recorded {list(servers[name])}" for name in names if name in servers)


def compare(clients, servers):
    """Returns the number of conversations that ended cleanly, the number of their messages, and the differences between both sides."""
    clean = messages = 0
    faults = [f"{kind[0]} {name}: unknown to all clients" for name, kind in servers.items() if name not in clients]
    for name, (kind, end, code, *client) in clients.items():
        server = servers.get(name)
        if server is None:
            # The ledger does not count the events of a topic's stream.
            if end != "UNOPENED" and kind != TOPIC_STREAM:
                faults.append(f"{kind} {name}: unknown to the server")
            continue
        if end == "UNOPENED":
            continue
        check = differs_stream if kind in STREAMS else differs_socket
        if check(end, code, client, server[1:]):
            faults.append(f"{kind} {name}, {end.lower()}: {code} {client}, server: {list(server[1:])}")
        clean += end == "CLEAN"
        messages += client[0] + client[1] if end == "CLEAN" else 0
    return clean, messages, faults


def differs_socket(end, code, client, server):
    sent, received, bytes_sent, bytes_received = client
    closed, messages_in, messages_out, bytes_in, bytes_out = server
    if end == "CLEAN":
        same_code = code == (NORMAL if closed == NO_CODE else closed)
        return (sent, received, bytes_sent, bytes_received) != (messages_in, messages_out, bytes_in, bytes_out) or not same_code
    return messages_in > sent or received > messages_out or bytes_in > bytes_sent or bytes_received > bytes_out


def differs_stream(end, code, client, server):
    received, (begun, sent) = client[1], server
    if end == "CLEAN":
        # A stream may have been ended by a stop between the sending of an event and its return.
        return not sent <= received <= begun
    return received > begun
