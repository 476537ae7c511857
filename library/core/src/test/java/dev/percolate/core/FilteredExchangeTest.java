package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class FilteredExchangeTest {

  private final FakeExchange exchange = new FakeExchange();
  private final Response res = exchange.response();
  private final List<String> told = new ArrayList<>();

  /** Puts a mark before each chunk, and holds back empty chunks. */
  private class Marking implements BodyFilter {

    private final String mark;

    Marking(String mark) {
      this.mark = mark;
    }

    @Override
    public ByteBuffer write(ByteBuffer piece) {
      return piece.hasRemaining() ? marked("w", piece) : piece;
    }

    @Override
    public ByteBuffer flush(ByteBuffer piece) {
      return marked("f", piece);
    }

    @Override
    public ByteBuffer end(ByteBuffer last) {
      told.add(mark + " ended");
      return marked("e", last);
    }

    @Override
    public void close() {
      told.add(mark + " closed");
    }

    private ByteBuffer marked(String kind, ByteBuffer piece) {
      String text = StandardCharsets.UTF_8.decode(piece).toString();
      return ByteBuffer.wrap((mark + kind + text).getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Fails after a number of chunks. */
  private final class Failing extends Marking {

    private int left;

    Failing(int left) {
      super("");
      this.left = left;
    }

    @Override
    public ByteBuffer write(ByteBuffer piece) {
      if (left-- == 0) {
        throw new IllegalStateException("no more");
      }
      return piece;
    }
  }

  @Test
  void filtersGetTheBytesInTheOrderOfTheirHooks() throws Exception {
    res.onHeaders(() -> filter(new Marking("b")));
    res.onHeaders(() -> filter(new Marking("a")));
    res.write("1").flush().end("2");
    assertEquals("bwaw1bfafbeae2", exchange.body());
    exchange.finish(null);
    assertEquals(List.of("a ended", "b ended", "a closed", "b closed"), told);
  }

  @Test
  void withoutALengthTheBodyIsSentInChunks() {
    res.onHeaders(() -> filter(new Marking("a")));
    res.end("1");
    assertEquals(List.of("start", "write", "end"), exchange.calls);
  }

  @Test
  void aLengthIsKept() {
    res.onHeaders(() -> filter(new Marking("")));
    res.set("Content-Length", "2").end("1");
    assertEquals(List.of("start", "end"), exchange.calls);
    assertEquals("e1", exchange.body());
  }

  @Test
  void aWrongLengthIsCorrectedOrClosesTheConnectionAfterTheHead() throws Exception {
    res.onHeaders(() -> filter(new Marking("long")));
    res.set("Content-Length", "1").end("1");
    assertEquals(List.of("start", "end"), exchange.calls);
    assertEquals("6 longe1", exchange.header("Content-Length") + " " + exchange.body());

    FakeExchange other = new FakeExchange();
    Response pieces = other.response();
    pieces.onHeaders(() -> pieces.filter(new Marking("long")));
    pieces.set("Content-Length", "8");
    assertThrows(IllegalStateException.class, () -> pieces.write("1").write("2"));
    assertEquals(List.of("start", "write", "abort"), other.calls);
    assertEquals("longw1", other.body());
  }

  @Test
  void aFlushThatExceedsTheLengthClosesTheConnection() throws Exception {
    res.onHeaders(() -> filter(new Marking("long")));
    res.set("Content-Length", "3");
    assertThrows(IllegalStateException.class, () -> res.flush());
    assertEquals(List.of("start", "write", "abort"), exchange.calls);
  }

  @Test
  void hooksSeeTheLengthOfAWholeBody() throws Exception {
    res.onHeaders(() -> told.add("" + res.bodyLength()));
    res.end("abc");
    Response pieces = new FakeExchange().response();
    pieces.onHeaders(() -> told.add("" + pieces.bodyLength()));
    pieces.write("abc").end();
    assertEquals(List.of("3", "-1"), told);
  }

  @Test
  void filtersAreCalledForAResponseWithoutABody() {
    exchange.method = "HEAD";
    Response head = exchange.response();
    head.onHeaders(() -> head.filter(new Marking("a")));
    head.end("1");
    assertEquals("", exchange.body());
    assertEquals(List.of("a ended"), told);
  }

  @Test
  void aFileIsFiltered(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("f.txt"), "0123456789");
    res.onHeaders(
        () -> {
          res.remove("Content-Length");
          filter(new Marking("a"));
        });
    res.sendFile(file, FileOptions.none().start(2).end(4));
    assertEquals("ae234", exchange.body());
  }

  @Test
  void aFailedResponseDropsItsFilters() {
    res.onHeaders(
        () -> {
          throw new IllegalStateException("no");
        });
    res.onHeaders(
        () -> {
          res.set("Content-Encoding", "marks");
          filter(new Marking("a"));
        });
    assertThrows(IllegalStateException.class, () -> res.send("x"));
    assertEquals(List.of("a closed"), told);
    res.send("page");
    assertEquals("page", exchange.body());
    assertNull(exchange.header("Content-Encoding"));
  }

  @Test
  void anEndThatFailsClosesTheConnection() {
    res.onHeaders(
        () ->
            filter(
                new Marking("a") {
                  @Override
                  public ByteBuffer end(ByteBuffer last) {
                    throw new UncheckedIOException(new IOException("store"));
                  }
                }));
    assertThrows(UncheckedIOException.class, () -> res.end("x"));
    assertEquals(List.of("abort"), exchange.calls);
  }

  @Test
  void aChunkThatFailsIsLoggedAndClosesTheConnection() {
    res.onHeaders(() -> filter(new Failing(1)));
    try (LogLines log = new LogLines()) {
      assertThrows(IOException.class, () -> res.write("1").write("2"));
      assertEquals(List.of("SEVERE a body filter failed"), log.lines());
    }
    assertEquals(List.of("start", "write", "abort"), exchange.calls);
  }

  @Test
  void aFileThatFailsIsLoggedAndClosesTheConnection(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("f.bin"), new byte[100_000]);
    res.onHeaders(() -> filter(new Failing(1)));
    try (LogLines log = new LogLines()) {
      res.sendFile(file);
      assertEquals(List.of("SEVERE a body filter failed"), log.lines());
    }
    assertEquals(List.of("start", "write", "abort", "abort"), exchange.calls);
  }

  @Test
  void aStreamThatFailsIsA500OrClosesTheConnection() {
    try (LogLines log = new LogLines()) {
      res.onHeaders(() -> filter(new Failing(0)));
      res.send(new ByteArrayInputStream(new byte[40_000]));
      assertEquals(500, exchange.status);
      assertEquals(List.of("start", "end"), exchange.calls);

      FakeExchange other = new FakeExchange();
      Response late = other.response();
      late.onHeaders(() -> late.filter(new Failing(1)));
      late.send(new ByteArrayInputStream(new byte[40_000]));
      assertEquals(List.of("start", "write", "abort", "abort"), other.calls);
      assertEquals(2, log.lines().size());
    }
  }

  @Test
  void onlyHooksMayFilter() {
    assertThrows(IllegalStateException.class, () -> res.filter(new Marking("a")));
    res.send("x");
    assertThrows(IllegalStateException.class, () -> res.filter(new Marking("a")));
  }

  private void filter(BodyFilter filter) {
    Object ignored = res.filter(filter);
  }
}
