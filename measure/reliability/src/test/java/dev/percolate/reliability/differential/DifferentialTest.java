package dev.percolate.reliability.differential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.nio.NioReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plays a few thousand of the connections of {@code reliability/differential} in each build. */
final class DifferentialTest {

  private static final int CONNECTIONS = 10_000;
  private static final Path CORPUS =
      Path.of("../../engines/nio/src/test/resources/dev/percolate/nio/MalformedRequestsTest.txt");
  private static final Path DIFFERENCES = Path.of("differences.txt");
  private static final String HEAD = "POST / HTTP/1.1\r\nHost: a\r\n";
  private static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n\r\n";

  @Test
  void everyDifferenceToOtherServersIsExplained() throws Exception {
    assertTrue(new Differential(CORPUS, DIFFERENCES, 25).play(CONNECTIONS));
  }

  @Test
  void everyRuleHasAnExplanation() throws Exception {
    assertEquals(Rules.names(), new Explanations(DIFFERENCES).rules());
  }

  @Test
  void allReadersReadAGoodConnectionTheSame() {
    String bytes =
        CHUNKED
            + "2;a=\"b\"\r\nab\r\n0\r\nX: 1\r\n\r\n"
            + (HEAD + "content-length:3\r\n\r\nabc")
            + "GET /x?y HTTP/1.0\r\n\r\n";
    Reading ours = read(new NioReader(), bytes);
    assertEquals(List.of("ab", "abc", ""), ours.messages().stream().map(Message::body).toList());
    assertNull(ours.rejected());
    for (RequestReader other : List.of(new NettyReader(), new JettyReader())) {
      assertNull(Difference.between(bytes.getBytes(ISO_8859_1), ours, read(other, bytes)));
    }
  }

  @Test
  void acceptingWhatAnotherRejectsIsADifference() throws Exception {
    String bytes = "GET / HTTP/1.1\nHost: a\r\n\r\n";
    Reading ours = read(new NioReader(), bytes);
    Reading theirs = read(new JettyReader(), bytes);
    Difference stricter = Difference.between(bytes.getBytes(ISO_8859_1), ours, theirs);
    assertEquals(Difference.Kind.STRICTER, stricter == null ? null : stricter.kind());
    assertEquals("bare-lf", new Explanations(DIFFERENCES).rule("jetty", stricter));
    Difference laxer = Difference.between(bytes.getBytes(ISO_8859_1), theirs, ours);
    assertEquals(Difference.Kind.LAXER, laxer == null ? null : laxer.kind());
    assertEquals("head 0", laxer == null ? null : laxer.rejectedByThem());
    assertNull(stricter == null ? "" : stricter.rejectedByThem());
  }

  @Test
  void differentBodyIsADifference() {
    byte[] bytes = (HEAD + "Content-Length: 3\r\n\r\nabcd").getBytes(ISO_8859_1);
    Reading ours = new NioReader().read(bytes);
    Message other = new Message("POST", "/", ours.messages().get(0).headers(), "abcd", true);
    Reading theirs = Reading.of(List.of(other), null);
    Difference difference = Difference.between(bytes, ours, theirs);
    assertEquals(Difference.Kind.BODY, difference == null ? null : difference.kind());
  }

  private static Reading read(RequestReader reader, String bytes) {
    return reader.read(bytes.getBytes(ISO_8859_1));
  }
}
