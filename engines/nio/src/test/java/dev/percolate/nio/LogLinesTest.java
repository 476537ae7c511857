package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.engine.Server;
import java.nio.ByteBuffer;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Log messages at any level about invalid input of clients. */
final class LogLinesTest extends ServerFixture {

  private static final int CONNECTIONS = 64;
  private static final String ODD = "\u001b[31m\u0080\u00e4\u00ff\u0007";

  private final Logger logger = Logger.getLogger("");
  private final Logger ours = Logger.getLogger("dev.percolate");
  private final List<Handler> before = List.of(logger.getHandlers());
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private final Handler gathering =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          Object[] parameters = line.getParameters();
          lines.add(
              parameters == null
                  ? line.getMessage()
                  : MessageFormat.format(line.getMessage(), parameters));
          for (Throwable t = line.getThrown(); t != null; t = t.getCause()) {
            lines.add(String.valueOf(t.getMessage()));
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    before.forEach(logger::removeHandler);
    gathering.setLevel(Level.ALL);
    logger.addHandler(gathering);
    ours.setLevel(Level.ALL);
  }

  @AfterEach
  void restore() {
    logger.removeHandler(gathering);
    before.forEach(logger::addHandler);
    ours.setLevel(null);
  }

  @Test
  void noLogMessageContainsControlOrNonAsciiCharacters() throws Exception {
    List<byte[][]> corpus = new ArrayList<>();
    for (MalformedRequest request : MalformedRequest.corpus()) {
      corpus.add(new byte[][] {request.bytes().getBytes(ISO_8859_1)});
      String odd = ODD + request.bytes() + ODD + "\r\n\r\n" + ODD;
      corpus.add(new byte[][] {odd.getBytes(ISO_8859_1)});
    }
    for (String odd : List.of(ODD, "\r", "\n", "\u0085", "\0")) {
      String named = "GET /" + odd + " HTTP/1.1\r\nHost: a\r\nX: " + odd + "\r\n" + odd + ": 1";
      corpus.add(new byte[][] {(named + "\r\n\r\n").getBytes(ISO_8859_1)});
    }
    Middleware reading = (req, res, next) -> req.read(new Failing(next));
    try (Server server = serve(options(), reading)) {
      for (int from = 0; from < corpus.size(); from += CONNECTIONS) {
        int to = Math.min(corpus.size(), from + CONNECTIONS);
        try (Volley volley = new Volley(server, corpus.subList(from, to))) {
          volley.disconnect();
        }
      }
    }
    assertTrue(lines.stream().anyMatch(line -> line.contains("malformed body")), lines::toString);
    List<String> raw = lines.stream().filter(line -> !line.matches("[ -~]*")).toList();
    assertEquals(List.of(), raw);
  }

  /** Fails each request at the end of its body, so that an error is logged. */
  private record Failing(Next next) implements ChunkReader {

    @Override
    public boolean chunk(ByteBuffer bytes) {
      return true;
    }

    @Override
    public void done(@Nullable Throwable failure) {
      next.fail(failure == null ? new IllegalStateException("read") : failure);
    }
  }
}
