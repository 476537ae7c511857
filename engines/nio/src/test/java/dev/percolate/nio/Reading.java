package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.Headers;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the bytes of a connection without a connection. Returns the result as text for comparison.
 */
final class Reading {

  static final int MAX_LINE = 200;
  static final int MAX_HEADERS = 400;

  private static final ListenOptions OPTIONS =
      ListenOptions.ofPort(0).maxTargetLength(MAX_LINE).maxHeaderBytes(MAX_HEADERS);

  private final StringBuilder seen = new StringBuilder();
  private final HeadParser head = new HeadParser(OPTIONS, new RecentValues());
  private @Nullable BodyDecoder body;
  private boolean over;

  /** Parses bytes in parts of a size; the last one may be shorter. */
  static String of(byte[] data, int size) {
    Reading reading = new Reading();
    for (int at = 0; at < data.length; at += size) {
      int count = Math.min(size, data.length - at);
      // Bytes around the part must not be read.
      byte[] piece = new byte[count + 3];
      Arrays.fill(piece, (byte) '\n');
      System.arraycopy(data, at, piece, 1, count);
      reading.take(piece, 1, count + 1);
    }
    return reading.seen.toString();
  }

  private void take(byte[] data, int from, int to) {
    int at = from;
    while (at < to && !over) {
      int before = at;
      BodyDecoder reader = body;
      if (reader == null) {
        at = head.parse(data, at, to);
        takeHead();
      } else {
        at = reader.decode(data, at, to);
        seen.append(new String(data, before, reader.decoded(), ISO_8859_1));
        over = reader.isMalformed();
        seen.append(over ? "malformed" : "");
        body = reader.isOver() || over ? null : reader;
      }
      assertTrue(at > before, "no progress");
      assertTrue(at <= to, "read beyond the end");
    }
  }

  private void takeHead() {
    if (head.state() == HeadParser.State.REFUSED) {
      over = true;
      seen.append("\nrefused ").append(head.status());
    } else if (head.state() == HeadParser.State.WHOLE) {
      enter(head.bodyLength());
      head.reset();
    }
  }

  private void enter(long length) {
    int rejection =
        length == HeadParser.DOUBTFUL
            ? 400
            : HeadGuard.rejection(
                head.version(),
                head.method(),
                head.target(),
                head.headers(),
                ListenOptions.ofPort(0));
    seen.append('\n').append(rejection).append(' ').append(head.method());
    over = rejection != 0;
    if (!over) {
      seen.append(' ').append(head.target()).append('\n').append(head.headers()).append(length);
      assertFramed(head.headers());
      if (length != HeadParser.NO_BODY && length != 0) {
        body = new BodyDecoder(length, MAX_HEADERS, 100);
      }
    }
  }

  private static void assertFramed(Headers headers) {
    List<String> lengths = headers.all("Content-Length");
    List<String> codings = headers.all("Transfer-Encoding");
    assertTrue(lengths.size() + codings.size() <= 1, () -> "framed twice: " + headers);
    assertTrue(lengths.stream().allMatch(length -> length.matches("[0-9]+")), lengths::toString);
    assertTrue(codings.stream().allMatch("chunked"::equalsIgnoreCase), codings::toString);
    headers.forEach(
        (name, value) -> {
          assertTrue(name.matches("[!#-'*+.^_`|~0-9A-Za-z-]+"), name);
          assertTrue(value.chars().noneMatch(c -> (c < ' ' && c != '\t') || c == 0x7f), value);
          assertEquals(value.strip(), value);
        });
  }
}
