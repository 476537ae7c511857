package dev.percolate.http2;

import static dev.percolate.http2.ErrorCode.COMPRESSION_ERROR;
import static dev.percolate.http2.FrameClient.request;
import static dev.percolate.http2.FrameType.END_STREAM;
import static dev.percolate.http2.Row.answers;
import static dev.percolate.http2.Row.connectionEnds;
import static dev.percolate.http2.Row.row;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compressed headers, and the required reaction of a server, by sections of RFC 7541. */
final class Rfc7541Test extends RowsTest {

  /** GET, http, the path /, and a host, all from the static table or without one. */
  private static final String GET = "82" + "86" + "84" + "010161";

  static Stream<Row> all() {
    return Stream.concat(good().stream(), broken().stream());
  }

  private static List<Row> good() {
    return List.of(
        row("2.3.1 the static table", c -> send(c, GET), answers(1, "200 hello")),
        row(
            "2.3.2 the dynamic table",
            c -> {
              send(c, "828684" + "410161"); // the host is remembered
              assertEquals("200 hello", c.answer(1));
              c.headers(3, END_STREAM, hex("828684" + "be"));
            },
            answers(3, "200 hello")),
        row(
            "4.2 a smaller table at the beginning",
            c -> send(c, "3f01" + GET),
            answers(1, "200 hello")),
        row(
            "4.2 an empty table, then the largest, at the beginning",
            c -> send(c, "20" + "3fe11f" + GET),
            answers(1, "200 hello")),
        row("5.2 Huffman", c -> send(c, GET + "0085f2b24a84ff824951"), answers(1, "200 hello")),
        row("6.2.3 never indexed", c -> send(c, "828684" + "110161"), answers(1, "200 hello")));
  }

  private static List<Row> broken() {
    return List.of(
        broken("2.3.3 an index of zero", "80"),
        broken("2.3.3 an index beyond the tables", "be"),
        broken("2.3.3 an index far beyond the tables", "ff80808001"),
        broken("4.2 a table that is resized after lines", "20"),
        broken("5.1 a number that does not end", "ff8080808080808080808001"),
        broken("5.1 a number beyond 2^31", "ffffffffff7f"),
        broken("5.2 more padding than 7 bits", "0085f2b24a84ff834951ff"),
        broken("5.2 padding of zeros", "0085f2b24a84ff83495000"),
        broken("5.2 EOS", "0085f2b24a84ff8751fffffffffa7f"),
        broken("5.2 a string longer than the block", "00" + "0161" + "7f80ff03"),
        broken("6.1 a name beyond the tables", "7e0161"),
        broken("6.2 a truncated line", "000161"),
        inFront("6.3 a table larger than allowed", "3fe21f"),
        inFront("6.3 a table much larger than allowed", "3fffffffff07"),
        inFront("6.3 a truncated size", "3f80"),
        inFront("6.3 three sizes", "202020"));
  }

  private static Row broken(String name, String behind) {
    return row(name, c -> send(c, GET + behind), connectionEnds(COMPRESSION_ERROR));
  }

  private static Row inFront(String name, String begin) {
    return row(name, c -> send(c, begin + GET), connectionEnds(COMPRESSION_ERROR));
  }

  private static void send(FrameClient client, String block) throws IOException {
    client.headers(1, END_STREAM, hex(block));
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  @Test
  void responsesRespectTheTableSizeOfTheClient() throws IOException {
    try (FrameClient client = FrameClient.open(server.port(), PeerSettings.HEADER_TABLE_SIZE, 0)) {
      Set<Integer> lengths = new HashSet<>();
      for (int stream = 1; stream < 20; stream += 2) {
        client.get(stream, "/");
        Frame head = client.awaitHead(stream);
        assertEquals("200", head.status());
        // The first response starts with the size update, a byte.
        lengths.add(head.payload().length - (stream == 1 ? 1 : 0));
      }
      assertEquals(1, lengths.size(), "as long as the first: " + lengths);
    }
  }

  @Test
  void theSmallestTableBetweenTwoResponsesIsSignaled() throws IOException {
    try (FrameClient client = FrameClient.open(server.port())) {
      assertEquals("200 hello", client.get(1, "/").answer(1));
      client.settings(PeerSettings.HEADER_TABLE_SIZE, 0, PeerSettings.HEADER_TABLE_SIZE, 4096);
      Frame second = client.get(3, "/").awaitHead(3);
      assertEquals(0x20, second.payload()[0] & 0xff); // an empty table
      Frame third = client.get(5, "/").awaitHead(5);
      assertEquals("3fe11f", HexFormat.of().formatHex(third.payload(), 0, 3)); // 4096 again
      assertEquals("200", third.status());
    }
  }

  @Test
  void responsesUseTheTable() throws IOException {
    try (FrameClient client = FrameClient.open(server.port())) {
      client.get(1, "/");
      int first = client.awaitHead(1).payload().length;
      client.headers(3, END_STREAM, request("GET", "/"));
      Frame second = client.awaitHead(3);
      assertEquals("200", second.status());
      assertEquals("text/html; charset=utf-8", second.headers().get("content-type"));
      assertTrue(second.payload().length < first);
    }
  }
}
