"""G23 computing handlers: as many as there are processors disable no protection; new clients get a response or a 503, silent ones are closed, and TERM ends the process."""
import os, signal, socket, time

from trial.goal import Outcome

GET = b"GET /plaintext HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
HALF = b"GET /plaintext HTTP/1.1\r\nHo"
HEAD_TIMEOUT = 10
KINDS = {"virtual": ["virtual"], "virtual, loops too": ["virtual", "-Dpercolate.loops=virtual"], "pool": ["pool"], "event loop": ["event loop"]}


def asks(port):
    """Returns after how many seconds a new client gets its response, and the status code."""
    started = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), 5) as client:
        client.sendall(GET)
        answer = b""
        while piece := client.recv(4096):
            answer += piece
    return time.monotonic() - started, answer[9:12]


def burn(port, seconds):
    """Lets a handler compute; if handlers run on event loops, each new client goes to another one."""
    client = socket.create_connection(("127.0.0.1", port), 5)
    client.sendall(b"GET /burn?ms=%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % (seconds * 1000))
    return client


def closed_after(client, seconds):
    """Waits for the end of a connection; returns its time, or None if it did not end."""
    client.settimeout(seconds)
    try:
        client.recv(4096)
    except ConnectionResetError:
        pass
    except TimeoutError:
        return None
    return time.monotonic()


def tried(trial, kind):
    threads, *jvm = KINDS[kind]
    trial.threads = threads
    with trial.server(pinned=[], jvm=jvm) as server:
        for _ in range(200):
            asks(server.port)
        silent = socket.create_connection(("127.0.0.1", server.port), 5)
        silent.sendall(HALF)
        opened = time.monotonic()
        burning = [burn(server.port, HEAD_TIMEOUT + 2) for _ in range(os.cpu_count())]
        time.sleep(1)
        answers = []
        while time.monotonic() - opened < HEAD_TIMEOUT - 2:
            answers.append(asks(server.port))
            time.sleep(0.1)
        end = closed_after(silent, 4)
        server.process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        server.process.wait(40)
        stopped = time.monotonic() - began
    for client in (silent, *burning):
        client.close()
    late = max(seconds for seconds, _ in answers)
    statuses = sorted({status.decode() for _, status in answers})
    passed = late <= 1 and set(statuses) <= {"200", "503"} and end is not None and end - opened <= HEAD_TIMEOUT + 1 and stopped <= 33
    cut = f"after {end - opened:.1f} s" if end else "not"
    return passed, f"{kind}: {len(answers)} new clients {'/'.join(statuses)} within {late * 1000:.0f} ms, a silent one closed {cut}, the end {stopped:.1f} s after TERM"


def run(trial):
    before = trial.threads
    found = [tried(trial, kind) for kind in ([before] if before in KINDS else KINDS)]
    trial.threads = before
    return Outcome(all(passed for passed, _ in found), "; ".join(text for _, text in found))
