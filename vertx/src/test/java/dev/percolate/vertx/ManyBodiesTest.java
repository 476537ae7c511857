package dev.percolate.vertx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.BodyMemory;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.ListenOptions;
import dev.percolate.core.Middleware;
import dev.percolate.core.Server;
import dev.percolate.core.Service;
import dev.percolate.core.Settings;
import dev.percolate.core.Threads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** More bodies than there is room for in memory. */
@Timeout(60)
final class ManyBodiesTest {

  private static final int LENGTH = 99_000;
  private static final int CLIENTS = 60;

  private final BodyMemory memory = BodyMemory.of("1mb");

  /** Collects a body and answers with its length. */
  private static final Middleware COLLECTING =
      (req, res, next) ->
          req.read(
              new ChunkReader() {
                private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

                @Override
                public boolean chunk(ByteBuffer piece) {
                  while (piece.hasRemaining()) {
                    bytes.write(piece.get());
                  }
                  return true;
                }

                @Override
                public void done(@Nullable Throwable failure) {
                  if (failure == null) {
                    res.end(bytes.size() + " bytes");
                  } else {
                    next.fail(failure);
                  }
                }
              });

  private Server serve(ListenOptions options, Middleware step) throws IOException {
    Settings settings = new Settings().set("env", "test");
    return new VertxEngine()
        .listen(Service.of(settings, step), options.bodyMemory(memory).host("127.0.0.1"));
  }

  private static ListenOptions options() {
    return ListenOptions.ofPort(0);
  }

  private static String head(int length) {
    return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
  }

  @ParameterizedTest
  @EnumSource
  void theyTakeNoMoreThanTheBudgetAndSmallOnesPassThemBy(Threads threads) throws Exception {
    List<RawSocket> crowd = new ArrayList<>();
    try (Server server = serve(options().threads(threads), COLLECTING)) {
      String most = head(LENGTH) + "x".repeat(LENGTH - 1000);
      for (int i = 0; i < CLIENTS; i++) {
        RawSocket client = new RawSocket(server);
        crowd.add(client);
        Thread sending =
            new Thread(
                () -> {
                  try {
                    client.send(most);
                  } catch (IOException closed) {
                    // at the end of the test
                  }
                });
        sending.setDaemon(true);
        sending.start();
      }
      await(() -> memory.waiting() > CLIENTS / 2);
      try (RawSocket small = new RawSocket(server)) {
        for (int i = 0; i < 20; i++) {
          small.send(head(1000) + "y".repeat(1000)).readTo("1000 bytes");
        }
      }
      assertTrue(memory.mostHeld() <= memory.budget(), memory::toString);
      for (RawSocket client : crowd) {
        client.close();
      }
      await(() -> memory.held() == 0 && memory.waiting() == 0);
    }
  }

  @Test
  void whatWaitsIsReadInTurnAndAnswered() throws Exception {
    try (Server server = serve(options(), COLLECTING)) {
      List<RawSocket> crowd = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        RawSocket client = new RawSocket(server);
        client.send(head(LENGTH) + "x".repeat(2000));
        crowd.add(client);
      }
      await(() -> memory.waiting() > 0);
      for (RawSocket client : crowd) {
        Thread sending =
            new Thread(
                () -> {
                  try {
                    client.send("x".repeat(LENGTH - 2000));
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
        sending.start();
      }
      for (RawSocket client : crowd) {
        client.readTo(LENGTH + " bytes");
        client.close();
      }
      await(() -> memory.held() == 0);
    }
  }

  @Test
  void whatFindsNoRoomInTimeIs503() throws Exception {
    try (Server server = serve(options().bodyTimeout(Duration.ofSeconds(2)), COLLECTING)) {
      List<RawSocket> crowd = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        RawSocket client = new RawSocket(server);
        client.send(head(LENGTH) + "x".repeat(3000));
        crowd.add(client);
      }
      await(() -> memory.waiting() > 0);
      Thread trickle =
          new Thread(
              () -> {
                try {
                  while (true) {
                    Thread.sleep(200);
                    for (RawSocket client : crowd.subList(0, 4)) {
                      client.send("x".repeat(100));
                    }
                  }
                } catch (IOException | InterruptedException over) {
                  // the end of the test
                }
              });
      trickle.setDaemon(true);
      trickle.start();
      String refused = crowd.get(7).readToClose();
      assertTrue(refused.startsWith("HTTP/1.1 503 "), refused);
      trickle.interrupt();
      for (RawSocket client : crowd) {
        client.close();
      }
      await(() -> memory.held() == 0);
    }
  }

  @Test
  void whatNoBodyMayEverTakeIs413() throws Exception {
    try (Server server = serve(options(), (req, res, next) -> req.read(new Whole(next)));
        RawSocket client = new RawSocket(server)) {
      String refused = client.send(head(1 << 20) + "x".repeat(3000)).readTo("413");
      assertTrue(refused.startsWith("HTTP/1.1 413"), refused);
    }
  }

  @Test
  void aStreamThatIsPassedOnTakesRoomForAPieceOnly() throws Exception {
    Middleware passing =
        (req, res, next) -> {
          long passed =
              req.inputStream(8 << 20).transferTo(java.io.OutputStream.nullOutputStream());
          res.end(passed + " bytes");
        };
    try (Server server = serve(options(), passing);
        RawSocket client = new RawSocket(server)) {
      client.send(head(4 << 20) + "x".repeat(4 << 20)).readTo((4 << 20) + " bytes");
      assertTrue(memory.mostHeld() <= 256 << 10, memory::toString);
    }
  }

  @Test
  void bytesOnTheirOwnDoNotTakeMoreThanTheyAre() throws Exception {
    try (Server server = serve(options(), COLLECTING);
        RawSocket client = new RawSocket(server)) {
      client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      client.send("1\r\nx\r\n".repeat(5000) + "0\r\n\r\n").readTo("5000 bytes");
      assertFalse(memory.mostHeld() > 256 << 10, memory::toString);
      assertEquals(0, memory.waiting());
    }
  }

  private static void await(BooleanSupplier there) throws InterruptedException {
    while (!there.getAsBoolean()) {
      Thread.sleep(10);
    }
  }

  /** Says that it keeps the whole body. */
  private record Whole(dev.percolate.core.Next next) implements ChunkReader {

    @Override
    public long keeps(long announced) {
      return announced;
    }

    @Override
    public boolean chunk(ByteBuffer bytes) {
      return true;
    }

    @Override
    public void done(@Nullable Throwable failure) {
      if (failure == null) {
        next.run();
      } else {
        next.fail(failure);
      }
    }
  }
}
