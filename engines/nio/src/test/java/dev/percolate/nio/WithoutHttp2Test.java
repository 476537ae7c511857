package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.fixtures.TestCertificate;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of servers without the HTTP/2 module. */
final class WithoutHttp2Test {

  private static final Logger LOG = Logger.getLogger("dev.percolate.nio");

  private final Service service =
      Chain.service(new Settings(), (Middleware) (req, res, next) -> res.send("in"));

  /** Records log messages. */
  private static final class Lines extends Handler {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord line) {
      lines.add(new SimpleFormatter().formatMessage(line));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void withTlsTheStartupMessageReportsThatHttp2IsMissing(@TempDir Path folder) throws Exception {
    ListenOptions options =
        ListenOptions.ofPort(0).host("127.0.0.1").tls(TestCertificate.make(folder).tls());
    Lines log = new Lines();
    LOG.addHandler(log);
    try (Server server = new NioEngine().listen(service, options)) {
      String threads = String.valueOf(options.threads());
      assertEquals(
          List.of(
              "listening at %s, threads: %s; HTTP/1.1 only, add percolate-http2 for HTTP/2"
                  .formatted(server.uri(), threads)),
          log.lines);
    } finally {
      LOG.removeHandler(log);
    }
  }

  @Test
  void priorKnowledgeNeedsTheModule() {
    ListenOptions options = ListenOptions.ofPort(0).http2PriorKnowledge(true);
    IllegalArgumentException rejected =
        assertThrows(
            IllegalArgumentException.class, () -> new NioEngine().listen(service, options));
    assertEquals(
        "http2PriorKnowledge(true) needs percolate-http2 on the class path or module path",
        rejected.getMessage());
  }
}
