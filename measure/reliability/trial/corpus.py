"""Reads the corpus of malformed requests, whose first lines describe the format, and files of the same format."""
import re

from trial.server import ROOT

CORPUS = ROOT / "engines/nio/src/test/resources/dev/percolate/nio/MalformedRequestsTest.txt"
# Follows each entry on its connection.
AFTER = b"GET /after HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
TITLE = re.compile(r"(\S+) (\S+) enters (\d+): (.*)")
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|\((\d+)\*(.*?)\\\)|(.))")
PLAIN = {"r": "\r", "n": "\n", "t": "\t", "s": " ", "\\": "\\"}


def unescape(text):
    def plain(hit):
        code, times, repeated, letter = hit.groups()
        if code:
            return chr(int(code, 16))
        return unescape(repeated) * int(times) if times else PLAIN[letter]

    return ESCAPE.sub(plain, text)


class Entry:
    """The bytes of a request, or of several, with the expected status codes, and the number of requests that may reach handlers."""

    def __init__(self, title):
        self.row, answers, entered, self.name = TITLE.match(title).groups()
        self.answers = [{int(status) for status in answer.split("|")} for answer in answers.split(",")]
        self.entered = int(entered)
        self.text = ""

    def bytes(self):
        return unescape(self.text).encode("latin-1")


def entries(path=CORPUS):
    found = []
    for line in path.read_text("ascii").splitlines():
        if line.startswith("  "):
            found[-1].text += line.strip()
        elif line and not line.startswith("#"):
            found.append(Entry(line))
    return found
