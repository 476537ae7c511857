package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.Isolated;

/** Responses that handlers leave to an event loop that waits for many of them. */
@Isolated("computes on all processors")
@Timeout(30)
@EnabledForJreRange(min = JRE.JAVA_21)
final class BatchedResponsesTest {

  private static final int CLIENTS = 64;
  private static final int ROUNDS = 20;

  /** How many requests may begin before a loop has many at once. */
  private static final int ALONE = 16;

  /** The minimum number of busy handlers that have responded meanwhile. */
  private static final int COMPUTING =
      Math.min(Runtime.getRuntime().availableProcessors(), CLIENTS - ALONE);

  @Test
  void responsesAreSentWhileTheHandlersAreStillBusy() throws Exception {
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger over = new AtomicInteger();
    Handler handler =
        (req, res) -> {
          int round = Integer.parseInt(req.path().substring(1));
          boolean computes = begun.incrementAndGet() > ALONE;
          res.end("ok");
          while (computes && over.get() < round) {
            Thread.onSpinWait();
          }
        };
    List<Socket> clients = new ArrayList<>();
    try (Server server = listen(handler)) {
      try {
        for (int i = 0; i < CLIENTS; i++) {
          Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port());
          client.setSoTimeout(10_000);
          clients.add(client);
        }
        for (int round = 1; round <= ROUNDS; round++) {
          begun.set(0);
          ask(clients, round);
          while (answered(clients) < ALONE + COMPUTING) {
            Thread.sleep(1);
          }
          over.set(round); // requests that have not run yet run now
          for (Socket client : clients) {
            assertTrue(answer(client).endsWith("\r\n\r\nok"));
          }
          assertEquals(0, answered(clients), "unexpected responses");
        }
      } finally {
        over.set(ROUNDS); // before the server waits for them
      }
    } finally {
      for (Socket client : clients) {
        client.close();
      }
    }
  }

  private static void ask(List<Socket> clients, int round) throws Exception {
    byte[] get = "GET /%d HTTP/1.1\r\nHost: a\r\n\r\n".formatted(round).getBytes(US_ASCII);
    for (Socket client : clients) {
      client.getOutputStream().write(get);
    }
  }

  private static Server listen(Handler handler) throws Exception {
    return new NioEngine()
        .listen(
            Chain.service(new Settings(), handler),
            ListenOptions.ofPort(0).host("127.0.0.1").threads(ThreadMode.VIRTUAL));
  }

  /** Counts the clients that have received a response. */
  private static int answered(List<Socket> clients) throws Exception {
    int count = 0;
    for (Socket client : clients) {
      count += client.getInputStream().available() > 0 ? 1 : 0;
    }
    return count;
  }

  private static String answer(Socket client) throws Exception {
    StringBuilder read = new StringBuilder();
    while (!read.toString().endsWith("ok")) {
      int b = client.getInputStream().read();
      assertTrue(b >= 0, "closed after " + read);
      read.append((char) b);
    }
    return read.toString();
  }
}
