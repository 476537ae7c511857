package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Forms are split or rejected in the same way as by the parser of Jetty. */
final class JettyComparisonTest {

  private static final String[] PIECES = {
    "--X",
    "--X--",
    "--",
    "-",
    "X",
    "\r\n",
    "\r\n",
    "\r\n--X\r\n",
    "\r\n--X--",
    "A: b\r\n",
    "Content-Disposition: form-data; name=\"a\"\r\n\r\n",
    "\r",
    "text",
    "~",
    "\r\n\r\n"
  };

  @Test
  void bodiesAreSplitAsByJetty() {
    Random random = new Random(11);
    int read = 0;
    for (int run = 0; run < 100_000; run++) {
      StringBuilder body = new StringBuilder("--X\r\nA: b\r\n\r\n");
      for (int count = random.nextInt(10); count > 0; count--) {
        body.append(PIECES[random.nextInt(PIECES.length)]);
      }
      body.append(random.nextInt(3) == 0 ? "" : "\r\n--X--");
      byte[] bytes = body.toString().getBytes(StandardCharsets.ISO_8859_1);
      String theirs = byJetty(bytes);
      String ours = byOurs(bytes, 1 + random.nextInt(bytes.length));
      if (!theirs.equals("refused")) {
        read++;
        assertEquals(theirs, ours, () -> body.toString().replace("\r", "\\r").replace("\n", "\\n"));
      }
    }
    assertTrue(read > 1000, "read by Jetty: " + read);
  }

  private static String byOurs(byte[] body, int size) {
    StringBuilder seen = new StringBuilder();
    PartParser parser =
        new PartParser(
            "X".getBytes(StandardCharsets.US_ASCII),
            1000,
            new PartParser.Listener() {
              @Override
              public void begin() {
                seen.append('<');
              }

              @Override
              public void header(String name, String value) {
                seen.append(name).append('=').append(value).append(',');
              }

              @Override
              public void headersEnd() {
                seen.append('|');
              }

              @Override
              public void content(ByteBuffer piece) {
                seen.append(StandardCharsets.ISO_8859_1.decode(piece));
              }

              @Override
              public void end() {
                seen.append('>');
              }
            });
    try {
      for (int at = 0; at < body.length; at += size) {
        parser.parse(ByteBuffer.wrap(body, at, Math.min(size, body.length - at)));
      }
    } catch (HttpError e) {
      return "refused";
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return parser.isComplete() ? seen.toString() : "refused";
  }

  /** The body is passed whole, since that parser may add a line break at the end of a chunk. */
  private static String byJetty(byte[] body) {
    StringBuilder seen = new StringBuilder();
    boolean[] complete = new boolean[1];
    boolean[] failed = new boolean[1];
    MultiPart.Parser parser =
        new MultiPart.Parser(
            "X",
            new MultiPart.Parser.Listener() {
              @Override
              public void onPartBegin() {
                seen.append('<');
              }

              @Override
              public void onPartHeader(String name, String value) {
                seen.append(name).append('=').append(value).append(',');
              }

              @Override
              public void onPartHeaders() {
                seen.append('|');
              }

              @Override
              public void onPartContent(Content.Chunk chunk) {
                seen.append(StandardCharsets.ISO_8859_1.decode(chunk.getByteBuffer().slice()));
              }

              @Override
              public void onPartEnd() {
                seen.append('>');
              }

              @Override
              public void onComplete() {
                complete[0] = true;
              }

              @Override
              public void onFailure(@Nullable Throwable error) {
                failed[0] = true;
              }
            });
    parser.setMaxParts(-1);
    parser.parse(Content.Chunk.from(ByteBuffer.wrap(body), false));
    parser.parse(Content.Chunk.EOF);
    return complete[0] && !failed[0] ? seen.toString() : "refused";
  }
}
