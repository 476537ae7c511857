package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Carriers that do not run the task as they should. */
final class CarriedContextTest {

  private static void fail() {
    throw new IllegalArgumentException("of the task");
  }

  private static CarriedContext<String> carriedBy(Consumer<Runnable> way) {
    ContextCarrier<String> carrier =
        new ContextCarrier<>() {
          @Override
          public String capture() {
            return "context";
          }

          @Override
          public void run(String context, Runnable task) {
            way.accept(task);
          }
        };
    return new CarriedContext<>(carrier, "context", null);
  }

  private static void assertThrown(CarriedContext<?> context) {
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> CarriedContext.run(context, CarriedContextTest::fail));
    assertEquals("of the task", thrown.getMessage());
  }

  @Test
  void anExceptionThatACarrierCatchesReachesTheCaller() {
    assertThrown(
        carriedBy(
            task -> {
              RuntimeException caught = assertThrows(RuntimeException.class, task::run);
              assertEquals("of the task", caught.getMessage());
            }));
  }

  @Test
  void anExceptionThatACarrierWrapsReachesTheCallerUnwrapped() {
    assertThrown(
        carriedBy(
            task -> {
              try {
                task.run();
              } catch (IllegalArgumentException e) {
                throw new IllegalStateException("wrapped", e);
              }
            }));
  }

  @Test
  void aTaskRunsOnceIfItsCarrierFails() {
    int[] runs = new int[1];
    CarriedContext.run(
        carriedBy(
            task -> {
              throw new IllegalStateException("before the task");
            }),
        () -> runs[0]++);
    CarriedContext.run(
        carriedBy(
            task -> {
              task.run();
              throw new IllegalStateException("after the task");
            }),
        () -> runs[0]++);
    assertEquals(2, runs[0]);
  }
}
