package dev.percolate.reliability.differential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Creates connections: valid and malformed requests, alone and in a row, with a few random changes.
 */
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide the CR LF
final class MutatedRequests {

  /** Longer entries of the corpus cost much, and show the same. */
  private static final int LONGEST = 10_000;

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  private static final List<String> GOOD =
      List.of(
          GET,
          "GET /p?q=1 HTTP/1.1\r\nHost: a.example:80\r\nAccept: */*\r\nX: \r\n\r\n",
          "HEAD / HTTP/1.0\r\n\r\n",
          "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET http://b/x HTTP/1.1\r\nHost: b\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde",
          "POST / HTTP/1.0\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\nabc",
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
          "PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
              + "00a;n=v;q=\"a\\\"b\"\r\n0123456789\r\n1\r\nx\r\n000\r\nX-T: 1\r\nY-T: 2\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: a\r\nConnection: close, x\r\nCookie: a=b\r\nTE: trailers\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 27\r\n\r\n" + GET);

  /** Pieces that may be hard for a reader. */
  private static final List<String> PIECES =
      List.of(
          "\r\n",
          "\n",
          "\r",
          " ",
          "\t",
          ":",
          ",",
          ";",
          "\"",
          "\\",
          "/",
          "?",
          "%",
          "@",
          "[",
          "]",
          "=",
          "+",
          "-",
          "_",
          ".",
          "\0",
          "\u0001",
          "\u000b",
          "\u001b",
          "\u007f",
          "\u0080",
          "\u00ff",
          "0",
          "1",
          "9",
          "a",
          "f",
          "F",
          "x",
          "0x",
          "00000000",
          "7fffffff",
          "80000000",
          "ffffffffffffffff",
          "9223372036854775807",
          "chunked",
          "gzip",
          "identity",
          "close",
          "Transfer-Encoding: chunked\r\n",
          "Transfer-Encoding: gzip\r\n",
          "Content-Length: 5\r\n",
          "Content-Length: 0\r\n",
          "content-length: 05\r\n",
          "Host: b\r\n",
          "Host:\r\n",
          "Expect: 100-continue\r\n",
          "Connection: close\r\n",
          "X: y\r\n",
          " folded\r\n",
          "HTTP/1.1",
          "HTTP/1.0",
          "HTTP/2.0",
          "http/1.1",
          "GET ",
          "POST ",
          "CONNECT ",
          "/",
          "http://a/",
          "*",
          "\r\n\r\n",
          "\n\n",
          "0\r\n\r\n",
          "1\r\nZ\r\n",
          GET);

  private final List<String> seeds = new ArrayList<>();
  private final SplittableRandom random;

  MutatedRequests(List<String> corpus, long seed) {
    random = new SplittableRandom(seed);
    for (String entry : corpus) {
      if (entry.length() <= LONGEST) {
        seeds.add(entry);
      }
    }
    int share = 4 * seeds.size() / GOOD.size();
    for (int i = 0; i < share; i++) { // four of five begin with a valid request
      seeds.addAll(GOOD);
    }
  }

  /** Returns the bytes of the next connection. */
  byte[] next() {
    StringBuilder bytes = new StringBuilder(one(seeds));
    while (random.nextInt(3) == 0) {
      bytes.append(one(GOOD));
    }
    for (int changes = random.nextInt(1 + random.nextInt(4)); changes >= 0; changes--) {
      change(bytes);
    }
    bytes.append(GET); // completes the last line
    return bytes.toString().getBytes(ISO_8859_1);
  }

  private void change(StringBuilder bytes) {
    int from = random.nextInt(bytes.length() + 1);
    int to = Math.min(bytes.length(), from + 1 + random.nextInt(12));
    switch (random.nextInt(8)) {
      case 0 -> bytes.insert(from, one(PIECES));
      case 1 -> bytes.replace(from, Math.min(bytes.length(), from + 1), one(PIECES));
      case 2 -> bytes.replace(from, to, one(PIECES));
      case 3 -> bytes.delete(from, to);
      case 4 -> bytes.insert(to, bytes.substring(from, to));
      case 5 -> bytes.insert(from, (char) random.nextInt(256));
      case 6 -> bytes.insert(from, (char) random.nextInt('!', 127));
      default -> bytes.delete(from, Math.min(bytes.length(), from + 1));
    }
  }

  private String one(List<String> texts) {
    return texts.get(random.nextInt(texts.size()));
  }
}
