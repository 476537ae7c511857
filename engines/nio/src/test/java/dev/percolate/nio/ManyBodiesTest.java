package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.fixtures.RawSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** More bodies than fit in the memory budget. */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.percolate.nio.TestedTransport#slow")
final class ManyBodiesTest extends ServerFixture {

  private static final int LENGTH = 99_000;
  private static final int CLIENTS = 60;

  private final BodyMemory memory = BodyMemory.of("1mb");

  /** Collects a body and responds with its length. */
  private static class Collecting implements ChunkReader {

    private final Response res;
    private final Next next;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Collecting(Response res, Next next) {
      this.res = res;
      this.next = next;
    }

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
  }

  /** Reserves memory for the whole body when its first chunk arrives, like parsers. */
  private static final class Keeping extends Collecting {

    private final Request req;

    Keeping(Request req, Response res, Next next) {
      super(res, next);
      this.req = req;
    }

    @Override
    public long bufferedBytes(long announced) {
      return announced;
    }

    @Override
    public boolean chunk(ByteBuffer piece) {
      RequestControl.reserve(req, LENGTH);
      return super.chunk(piece);
    }
  }

  private static final Middleware COLLECTING =
      (req, res, next) -> req.read(new Collecting(res, next));

  private Server limited(ListenOptions options, Middleware step) throws IOException {
    Settings settings = new Settings().set("env", "test");
    return engine().listen(Chain.service(settings, step), options.bodyMemory(memory));
  }

  private static String head(int length) {
    return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("DOS-11: large bodies do not exceed the budget, and small ones need not wait")
  @EnumSource
  void largeBodiesDoNotExceedTheBudgetAndSmallOnesNeedNotWait(ThreadMode threads) throws Exception {
    assumeTrue(threads != ThreadMode.VIRTUAL || VirtualThreads.available());
    List<RawSocket> crowd = new ArrayList<>();
    try (Server server = limited(options().threads(threads), COLLECTING)) {
      String most = head(LENGTH) + "x".repeat(LENGTH - 1000);
      for (int i = 0; i < CLIENTS; i++) {
        RawSocket client = new RawSocket(server);
        crowd.add(client);
        start(() -> client.send(most));
      }
      await(() -> memory.waiting() > CLIENTS / 2);
      try (RawSocket small = new RawSocket(server)) {
        for (int i = 0; i < 20; i++) {
          small.send(head(1000) + "y".repeat(1000)).readTo("1000 bytes");
        }
      }
      assertTrue(memory.maxHeld() <= memory.budget(), memory::toString);
      for (RawSocket client : crowd) {
        client.close();
      }
      await(() -> memory.held() == 0 && memory.waiting() == 0);
    }
  }

  @Test
  void waitingBodiesAreReadInOrder() throws Exception {
    try (Server server = limited(options(), COLLECTING)) {
      List<RawSocket> crowd = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        RawSocket client = new RawSocket(server);
        client.send(head(LENGTH) + "x".repeat(2000));
        crowd.add(client);
      }
      await(() -> memory.waiting() > 0);
      for (RawSocket client : crowd) {
        start(() -> client.send("x".repeat(LENGTH - 2000)));
      }
      for (RawSocket client : crowd) {
        client.readTo(LENGTH + " bytes");
        client.close();
      }
      await(() -> memory.held() == 0);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void bodiesThatAreReservedCompletelyWaitForMemoryToo(ThreadMode threads) throws Exception {
    assumeTrue(threads != ThreadMode.VIRTUAL || VirtualThreads.available());
    Middleware keeping = (req, res, next) -> req.read(new Keeping(req, res, next));
    try (Server server = limited(options().threads(threads), keeping)) {
      List<RawSocket> crowd = new ArrayList<>();
      String most = head(LENGTH) + "x".repeat(LENGTH - 1000);
      for (int i = 0; i < 12; i++) {
        RawSocket client = new RawSocket(server);
        crowd.add(client);
        start(() -> client.send(most));
      }
      await(() -> memory.waiting() == 12 - 5); // five use the memory for arriving bodies
      for (RawSocket client : crowd) {
        start(() -> client.send("x".repeat(1000)));
      }
      for (RawSocket client : crowd) {
        client.readTo(LENGTH + " bytes");
        client.close();
      }
      await(() -> memory.held() == 0);
    }
  }

  @Test
  void memoryOfUnreadBodiesIsReleased() throws Exception {
    Middleware early =
        (req, res, next) -> {
          await(() -> memory.held() > 0); // so that part of the body has arrived
          res.send("early");
        };
    try (Server server = limited(options(), early);
        RawSocket client = new RawSocket(server)) {
      for (int i = 0; i < 20; i++) {
        client.send(head(LENGTH) + "x".repeat(LENGTH)).readTo("early");
        await(() -> memory.held() == 0);
      }
      try (RawSocket leaving = new RawSocket(server)) {
        leaving.send(head(LENGTH) + "x".repeat(LENGTH / 2)).readTo("early");
      }
      await(() -> memory.held() == 0);
    }
  }

  @Test
  void bodiesThatGetNoMemoryInTimeGet503() throws Exception {
    List<BodyMemory.Reservation> others = new ArrayList<>();
    boolean isFree = true;
    while (isFree) {
      BodyMemory.Reservation other = memory.share().reservation();
      others.add(other);
      isFree = other.take(LENGTH, BodyMemory.Purpose.BODY);
    }
    try (Server server = limited(options().bodyTimeout(Duration.ofMillis(80)), COLLECTING)) {
      try (RawSocket client = new RawSocket(server)) {
        String status = client.send(head(LENGTH) + "x".repeat(3000)).readTo("\r\n");
        assertTrue(status.startsWith("HTTP/1.1 503 "), status);
      }
      others.forEach(BodyMemory.Reservation::release);
      await(() -> memory.held() == 0);
    }
  }

  @Test
  void bodiesLargerThanAnyMayBeGet413() throws Exception {
    try (Server server = limited(options(), (req, res, next) -> req.read(new Whole(next)));
        RawSocket client = new RawSocket(server)) {
      String rejected = client.send(head(1 << 20) + "x".repeat(3000)).readTo("413");
      assertTrue(rejected.startsWith("HTTP/1.1 413"), rejected);
    }
  }

  @Test
  void aStreamThatIsForwardedUsesMemoryForOneChunkOnly() throws Exception {
    Middleware passing =
        (req, res, next) -> {
          long passed = req.inputStream(8 << 20).transferTo(OutputStream.nullOutputStream());
          res.end(passed + " bytes");
        };
    try (Server server = limited(options(), passing);
        RawSocket client = new RawSocket(server)) {
      client.send(head(4 << 20) + "x".repeat(4 << 20)).readTo((4 << 20) + " bytes");
      assertTrue(memory.maxHeld() <= 256 << 10, memory::toString);
    }
  }

  @Test
  @DisplayName("Concurrent streams use memory for buffered bytes only; none waits")
  void streamsThatAreReadConcurrentlyDoNotWaitForEachOther() throws Exception {
    Handler reading =
        (req, res) -> {
          byte[] buffer = new byte[64 << 10];
          long all = 0;
          try (InputStream in = req.inputStream(1L << 31)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
              all += count;
            }
          }
          res.send(all + " bytes");
        };
    uploadHalvesAtOnce(reading, false);
    assertTrue(memory.maxHeld() <= memory.budget() / 2, memory::toString);
  }

  @ParameterizedTest(name = "chunked: {0}")
  @ValueSource(booleans = {false, true})
  void bodiesThatAreCollectedConcurrentlyAllGetAResponse(boolean chunked) throws Exception {
    Handler collecting =
        (req, res) -> res.send(req.inputStream(200_000).readAllBytes().length + " bytes");
    uploadHalvesAtOnce(collecting, chunked);
    assertTrue(memory.maxHeld() <= memory.budget(), memory::toString);
  }

  /** Uploads bodies that together exceed the budget. Half of each arrives before any ends. */
  private void uploadHalvesAtOnce(Handler handler, boolean chunked) throws Exception {
    int length = 160_000;
    String half = "x".repeat(length / 2);
    String piece = chunked ? Integer.toHexString(length / 2) + "\r\n" + half + "\r\n" : half;
    String head =
        chunked ? "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" : head(length);
    CountDownLatch begun = new CountDownLatch(CLIENTS / 2);
    List<RawSocket> crowd = new ArrayList<>();
    try (Server server = limited(options(), handler)) {
      for (int i = 0; i < CLIENTS / 2; i++) {
        RawSocket client = new RawSocket(server);
        crowd.add(client);
        client.send(head + piece.substring(0, 8000));
        begun.countDown();
        start(
            () -> {
              client.send(piece.substring(8000));
              begun.await();
              return client.send(piece + (chunked ? "0\r\n\r\n" : ""));
            });
      }
      for (RawSocket client : crowd) {
        client.readTo(length + " bytes");
        client.close();
      }
      await(() -> memory.held() == 0 && memory.waiting() == 0);
    }
  }

  @Test
  void chunksOfOneByteUseLittleMemory() throws Exception {
    try (Server server = limited(options(), COLLECTING);
        RawSocket client = new RawSocket(server)) {
      client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      client.send("1\r\nx\r\n".repeat(5000) + "0\r\n\r\n").readTo("5000 bytes");
      assertFalse(memory.maxHeld() > 256 << 10, memory::toString);
      assertEquals(0, memory.waiting());
    }
  }

  /** Runs a task until it fails, for example at the end of the test. */
  private static void start(Callable<?> task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                Object ignored = task.call();
              } catch (Exception over) {
                // the connection has been closed
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static void await(BooleanSupplier there) throws InterruptedException {
    while (!there.getAsBoolean()) {
      Thread.sleep(10);
    }
  }

  /** Announces that it keeps the whole body. */
  private record Whole(Next next) implements ChunkReader {

    @Override
    public long bufferedBytes(long announced) {
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
