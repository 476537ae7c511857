package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
final class WriteGateTest {

  private static final int MUCH = 65 << 10;

  private final WriteGate gate = new WriteGate(Exchange::park);

  @Test
  void aThreadThatMustNotBlockMayWriteOneMebibyteAhead() {
    assertTrue(gate.admits(5 << 20)); // no bytes are unwritten
    assertEquals(1 << 20, gate.passed(1 << 20));
    assertFalse(gate.admits(1));
    assertTrue(gate.written(1 << 20, null));
    assertTrue(gate.admits(1));
  }

  @Test
  void aWaitEndsWhenTheClientHasReceivedMostBytes() throws Exception {
    assertEquals(MUCH, gate.passed(MUCH));
    Thread writer = new Thread(gate::await);
    writer.start();
    assertFalse(gate.written(30 << 10, null));
    assertTrue(gate.written(5 << 10, null));
    gate.wake();
    writer.join();
  }

  @Test
  void aWaitCanBeLimited() {
    assertEquals(MUCH, gate.passed(MUCH));
    assertFalse(gate.await(Duration.ofMillis(10)));
  }

  @Test
  void aFailedWriteEndsTheWait() {
    assertEquals(MUCH, gate.passed(MUCH));
    assertTrue(gate.written(1, new IOException("connection reset")));
    gate.wake();
    assertTrue(gate.await(Duration.ofMinutes(1)));
    assertThrows(ClientDisconnectedException.class, gate::failIfBroken);
  }

  @Test
  void fewUnwrittenBytesDoNotBlock() {
    assertEquals(64 << 10, gate.passed(64 << 10));
    gate.await();
    assertTrue(gate.await(Duration.ZERO));
  }
}
