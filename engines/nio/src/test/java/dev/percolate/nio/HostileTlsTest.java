package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTPS with clients that violate the protocol. */
@Timeout(60)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class HostileTlsTest extends HostileTls {

  /** Longer than any test waits. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @Test
  void recordsThatAreTooLongCloseTheConnection() throws Exception {
    try (Server server = serve(options())) {
      assertEquals(0, answer(server, new byte[] {22, 3, 1, (byte) 0xff, (byte) 0xff, 1}).length);
      try (RecordClient client = agreed(server, "TLSv1.3")) {
        client.sendRaw(new byte[] {23, 3, 3, 0x41, 0x01, 0, 0});
        assertTrue(client.isClosed());
      }
    }
  }

  @Test
  void renegotiationIsRejected() throws Exception {
    try (Server server = serve(options());
        RecordClient client = agreed(server, "TLSv1.2")) {
      client.send(GET);
      client.readTo("\r\n\r\nx");
      client.sendRaw(client.again());
      assertTrue(client.isClosed());
    }
  }

  @Test
  void occasionalKeyUpdatesAreAcceptedAndAFloodIsNot() throws Exception {
    try (Server server = serve(options());
        RecordClient client = agreed(server, "TLSv1.3")) {
      for (int i = 0; i < 40; i++) {
        client.sendRaw(client.again());
        client.send(GET);
        client.readTo("\r\n\r\nx");
      }
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      for (int i = 0; i < 400; i++) {
        byte[] update = client.again();
        assertTrue(update.length > 20);
        flood.writeBytes(update);
      }
      client.sendRaw(flood.toByteArray());
      assertTrue(client.isClosed());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void aFloodOfEmptyRecordsClosesTheConnection(String version) throws Exception {
    byte[] changeCipherSpec = {20, 3, 3, 0, 1, 1};
    try (Server server = serve(options());
        RecordClient client = agreed(server, version)) {
      client.send(GET);
      client.readTo("\r\n\r\nx");
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      for (int i = 0; i < 1000; i++) {
        flood.writeBytes(changeCipherSpec);
      }
      client.sendRaw(flood.toByteArray());
      assertTrue(client.isClosed());
    }
    try (Server server = serve(options().headerTimeout(Duration.ofSeconds(30)))) {
      byte[] hello = hello(server, version);
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      flood.writeBytes(hello);
      for (int i = 0; i < 100_000; i++) {
        flood.writeBytes(changeCipherSpec);
      }
      long begun = System.nanoTime();
      int ignored = answer(server, flood.toByteArray()).length;
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(millis < 10_000, millis + " ms");
    }
  }

  @Test
  void recordsOfOneByteDoNotDelayOthers() throws Exception {
    Handler reading =
        (req, res) -> {
          int ignored = req.inputStream(1 << 16).readAllBytes().length;
          res.send("x");
        };
    try (Server server = serve(options(), reading)) {
      List<RecordClient> all = new ArrayList<>();
      List<CompletableFuture<Void>> sending = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        RecordClient client = agreed(server, "TLSv1.3");
        all.add(client);
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000\r\n\r\n");
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int j = 0; j < 8_000; j++) {
          records.writeBytes(client.seal("x"));
        }
        sending.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    client.sendRaw(records.toByteArray());
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                }));
      }
      for (int i = 0; i < 8; i++) {
        long begun = System.nanoTime();
        try (RecordClient other = agreed(server, "TLSv1.3")) {
          other.send(GET);
          other.readTo("\r\n\r\nx");
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(millis < 2_000, millis + " ms");
      }
      for (CompletableFuture<Void> one : sending) {
        one.get(20, TimeUnit.SECONDS);
      }
      for (RecordClient client : all) {
        client.readTo("\r\n\r\nx");
        client.send(GET);
        client.readTo("\r\n\r\nx");
        client.close();
      }
    }
  }

  @Test
  void recordsThatArriveByteByByteAreRead() throws Exception {
    try (Server server = serve(options());
        RecordClient client = new RecordClient(server, certificate, "TLSv1.3")) {
      for (byte b : client.hello()) {
        client.sendRaw(new byte[] {b});
      }
    }
    try (Server server = serve(options());
        RecordClient client = agreed(server, "TLSv1.3")) {
      for (byte b : concat(client.seal(GET), client.seal(GET))) {
        client.sendRaw(new byte[] {b});
      }
      client.readTo("\r\n\r\nx");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void aConnectionClosedWithoutCloseNotifyCountsAsAborted(String version) throws Exception {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Handler silent = (req, res) -> res.onFinish(() -> ended.complete(res.finished()));
    try (Server server = serve(options(), silent);
        RecordClient client = agreed(server, version)) {
      client.send(GET);
      TimeUnit.MILLISECONDS.sleep(50);
      long begun = System.nanoTime();
      client.shutdown();
      assertFalse(ended.get(20, TimeUnit.SECONDS));
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(millis < 1_500, millis + " ms");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void theLastResponseIsFollowedByCloseNotify(String version) throws Exception {
    String get = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    try (Server server = serve(options(), (req, res) -> res.send("#".repeat(9000)))) {
      try (RecordClient client = agreed(server, version)) {
        client.send(get);
        assertTrue(client.readToCloseNotify().endsWith("#"));
      }
      try (RecordClient client = agreed(server, version)) { // bytes after that request are not read
        client.sendRaw(concat(client.seal(get), client.seal(GET.repeat(100))));
        assertTrue(client.readToCloseNotify().endsWith("#"));
      }
    }
  }

  @Test
  void anIdleConnectionIsClosedWithCloseNotify() throws Exception {
    ListenOptions options = options().idleTimeout(Duration.ofMillis(80));
    try (Server server = serve(options);
        RecordClient client = agreed(server, "TLSv1.3")) {
      client.send(GET);
      client.readTo("\r\n\r\nx");
      assertEquals("", client.readToCloseNotify());
    }
  }

  @Test
  void anAbortedResponseHasNoCloseNotify() throws Exception {
    Handler cut =
        (req, res) -> {
          res.write("begun");
          throw new IllegalStateException("on purpose");
        };
    try (Server server = serve(options(), cut);
        RecordClient client = agreed(server, "TLSv1.3")) {
      client.send("GET / HTTP/1.0\r\n\r\n");
      assertThrows(IOException.class, client::readToCloseNotify);
    }
    log.messages().clear();
  }

  @Test
  void inTls13AClientThatHasSentCloseNotifyStillGetsItsResponse() throws Exception {
    Handler late =
        (req, res) -> {
          Thread.sleep(80);
          res.send("late");
        };
    ListenOptions patient = options().threads(ThreadMode.POOL).idleTimeout(LONG);
    try (Server server = serve(patient, late);
        RecordClient client = agreed(server, "TLSv1.3")) {
      client.sendRaw(concat(client.seal(GET), client.closeNotify()));
      assertTrue(client.readToCloseNotify().endsWith("late"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void aClientThatSendsTooMuchStillReadsTheWholeRejection(String version) throws Exception {
    String rejection = "#".repeat(3000) + "!";
    Handler rejecting = (req, res) -> res.status(413).set("Connection", "close").send(rejection);
    try (Server server = serve(options(), rejecting);
        RecordClient client = agreed(server, version)) {
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n");
      for (int i = 0; i < 250; i++) {
        client.send("x".repeat(16_000));
      }
      assertTrue(client.readToCloseNotify().endsWith("#!"));
    }
  }

  @Test
  void aClientThatEndsWithinItsRequestGetsCloseNotify() throws Exception {
    try (Server server = serve(options().headerTimeout(LONG));
        RecordClient client = agreed(server, "TLSv1.3")) {
      client.sendRaw(concat(client.seal("GET / HT"), client.closeNotify()));
      assertEquals("", client.readToCloseNotify());
    } catch (EOFException e) {
      throw new AssertionError(e);
    }
  }
}
