package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadModeTest {

  @ParameterizedTest
  @CsvSource({"virtual,VIRTUAL,true", "pool,POOL,false", "event loop,EVENT_LOOP,false"})
  void aModeHasItsNameAndOnlyVirtualThreadsPark(String name, ThreadMode mode, boolean parks) {
    assertSame(mode, ThreadMode.of(name));
    assertEquals(name, mode.toString());
    assertEquals(parks, mode.parks());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Virtual", "EVENT_LOOP", "event_loop", "pool "})
  void otherNamesAreRejected(String name) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ThreadMode.of(name)).getMessage();
    assertTrue(message.startsWith("threads(\"" + name + "\")"), message);
    assertTrue(message.contains("event loop"), message);
  }

  @Test
  void theDefaultIsVirtualSinceJdk21AndAPoolBefore() {
    boolean modern = Runtime.version().feature() >= 21;
    assertSame(modern ? ThreadMode.VIRTUAL : ThreadMode.POOL, ThreadMode.ofThisJdk());
  }

  @Test
  void onlyVirtualIsUnavailableAndOnlyBeforeJdk21() {
    ThreadMode.POOL.checkAvailable();
    ThreadMode.EVENT_LOOP.checkAvailable();
    if (VirtualThreads.available()) {
      ThreadMode.VIRTUAL.checkAvailable();
    } else {
      String message =
          assertThrows(IllegalArgumentException.class, ThreadMode.VIRTUAL::checkAvailable)
              .getMessage();
      assertEquals(
          "threads(\"virtual\"): needs JDK 21 or later, but this is " + Runtime.version().feature(),
          message);
    }
  }

  @Test
  void isCurrentReturnsTrueOnAVirtualThread() throws Exception {
    assertFalse(VirtualThreads.isCurrent());
    assumeTrue(VirtualThreads.available());
    FutureTask<Boolean> asked = new FutureTask<>(VirtualThreads::isCurrent);
    VirtualThreads.factory(null).newThread(asked).start();
    assertTrue(asked.get());
  }

  @Test
  void anExecutorStartsAVirtualThreadForEachTask() throws Exception {
    assumeTrue(VirtualThreads.available());
    ExecutorService executor = VirtualThreads.executor("step-");
    Callable<String> name =
        () -> Thread.currentThread().getName() + " " + VirtualThreads.isCurrent();
    assertEquals("step-0 true", executor.submit(name).get());
    assertEquals("step-1 true", executor.submit(name).get());
  }
}
