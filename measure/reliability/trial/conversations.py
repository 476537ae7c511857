"""What both sides have counted of conversations: WebSockets and streams of events."""

SHOWN = 5
STREAMS = ("live-events-called", "live-events-waiting")
TOPIC_STREAM = "live-topic-events"
# What a server notes where the client has closed without a code, and what it answers then.
NO_CODE, NORMAL = 1005, 1000


def of_clients(rows):
    """Gives what clients have printed: for each id the kind, the end, the code, and what was sent and received."""
    return {row[2]: (row[1], row[3], *map(int, row[4:9])) for row in rows if row[0] == "live"}


def of_server(text):
    """Gives what a ledger tells: for each id the kind, and what follows it."""
    rows = (line.split("\t") for line in text.splitlines())
    return {row[1]: (row[0], *map(int, row[2:])) for row in rows}


def told(fault, servers):
    """Gives what the server tells of the conversation that a fault names, if it names one."""
    names = [word.strip(":,") for word in fault.split()]
    return "".join(f"; the server has {list(servers[name])}" for name in names if name in servers)


def compare(clients, servers):
    """Gives how many conversations have ended cleanly, how many messages those had, and where both sides differ."""
    clean = messages = 0
    faults = [f"{kind[0]} {name}: no client knows of it" for name, kind in servers.items() if name not in clients]
    for name, (kind, end, code, *client) in clients.items():
        server = servers.get(name)
        if server is None:
            # The ledger does not count what a topic's stream sends.
            if end != "UNOPENED" and kind != TOPIC_STREAM:
                faults.append(f"{kind} {name}: the server does not know of it")
            continue
        if end == "UNOPENED":
            continue
        check = differs_stream if kind in STREAMS else differs_socket
        if check(end, code, client, server[1:]):
            faults.append(f"{kind} {name}, {end.lower()}: {code} {client} for {list(server[1:])} of the server")
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
        # A stream that a stop has ended may have done so between the sending of an event and its return.
        return not sent <= received <= begun
    return received > begun
