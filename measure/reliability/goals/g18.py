"""G18 faults from outside: no file descriptors left, and a client that resets its connection after any byte; the server then works as before."""
import resource, socket, struct, time

from trial.goal import Outcome

RESET_ON_CLOSE = struct.pack("ii", 1, 0)
REQUEST = (b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 700\r\n\r\n"
           + b'"' + b"a" * 698 + b'"')


def answers(server, seconds=5):
    """Returns true if a request gets its response within this time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            return server.get("/plaintext") == b"Hello, World!"
        except OSError:
            time.sleep(0.1)
    return False


def no_files_left(server, seconds):
    """Uses up all descriptors with idle connections, then closes these.

    Returns the CPU share used meanwhile, and whether the server works again.
    """
    pid, (_, hard) = server.pid, resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (server.files() + 50, hard))
    crowd = []
    for _ in range(100):
        crowd.append(socket.create_connection(("127.0.0.1", server.port), 5))
    before, began = server.cpu(), time.monotonic()
    time.sleep(seconds)
    share = (server.cpu() - before) / (time.monotonic() - began)
    for connection in crowd:
        connection.close()
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (hard, hard))
    return share, answers(server, 1)


def resets(server, step):
    """Resets after each byte of a request, and after each part of its response; returns the number of resets."""
    count = 0
    for sent in range(1, len(REQUEST) + 1, step):
        with socket.create_connection(("127.0.0.1", server.port), 5) as client:
            client.sendall(REQUEST[:sent])
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        count += 1
    for taken in range(1, 700, step):
        with socket.create_connection(("127.0.0.1", server.port), 5) as client:
            client.sendall(REQUEST)
            client.recv(taken)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        count += 1
    return count


def run(trial):
    seconds = trial.of(30, 2)
    with trial.server() as server:
        answers(server)
        time.sleep(1)
        files = server.files()
        share, well = no_files_left(server, seconds)
        count = resets(server, trial.of(1, 3))
        freed = server.files_fall_to(files + 4, 5)
        alive = answers(server)
        traces = server.said().count("\tat ")
    passed = well and alive and freed is not None and share < 0.05
    after = f"freed in {freed:.1f} s" if freed is not None else "not freed in 5 s"
    return Outcome(passed, f"without descriptors {share:.0%} of a processor for {seconds} s, then {'responses' if well else 'no response'}; "
                           f"{count} resets, {after}, then {'responses' if alive else 'no response'}; {traces} lines of stack traces")
