package dev.percolate.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.BodyMemory.Purpose;
import dev.percolate.engine.ListenOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class BodyBufferTest {

  private static final int KIB = 1 << 10;
  private static final ListenOptions OPTIONS =
      ListenOptions.ofPort(0).bodyTimeout(Duration.ofSeconds(60)).minBodyRate(0);

  private final BodyMemory memory = BodyMemory.of("800kb"); // large bodies 450 KiB
  private final long begun = System.nanoTime();

  private static final class Body extends BodyBuffer {

    Body(BodyMemory.Reservation reservation) {
      super(new Connection(), 290 * KIB, reservation, null);
    }

    @Override
    public int take(byte[] data, int from, int to) {
      add(data, from, to);
      return to;
    }
  }

  private static final class Connection implements BodyBuffer.Flow {

    @Override
    public void pause() {}

    @Override
    public void resume() {}
  }

  private Body readBody() {
    BodyMemory.Reservation reservation = memory.share().reservation();
    assertTrue(reservation.take(290 * KIB, Purpose.BODY));
    Body body = new Body(reservation);
    body.read((chunk, failure) -> {});
    return body;
  }

  /** Checks a body ten times a second, and returns the seconds until it is overdue. */
  private double overdueAfter(Body body) {
    for (int tenth = 1; ; tenth++) {
      if (body.isOverdue(begun + TimeUnit.MILLISECONDS.toNanos(100L * tenth), OPTIONS)) {
        return tenth / 10.0;
      }
    }
  }

  @Test
  void aSilentClientWhoseMemoryOthersWaitForIsOverdueAfterFiveSeconds() {
    Body body = readBody();
    BodyMemory.Reservation other = memory.share().reservation();
    other.await(290 * KIB, Purpose.BODY, Duration.ofMinutes(1), granted -> {});
    assertEquals(1, memory.waiting());
    assertEquals(5, overdueAfter(body), 1);
    other.release();
  }

  @Test
  void aLongBodyArrivesInLongPiecesWhileItsHandlerKeepsUp() {
    Body body = readBody();
    assertEquals(BodyBuffer.MAX_PIECE, body.mostRead());
    byte[] half = new byte[BodyBuffer.LONG_PIECE / 2];
    assertEquals(half.length, body.take(half, 0, half.length)); // to the handler that waits
    assertEquals(BodyBuffer.MAX_PIECE, body.mostRead());
    assertEquals(half.length, body.take(half, 0, half.length)); // kept
    assertEquals(BodyBuffer.MAX_PIECE, body.mostRead());
    body.read((chunk, failure) -> {});
    assertEquals(BodyBuffer.LONG_PIECE, body.mostRead());
  }

  @Test
  void aSilentClientIsOverdueAfterTheBodyTimeout() {
    Body body = readBody();
    assertEquals(60, overdueAfter(body), 1);
  }
}
