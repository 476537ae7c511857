package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StepNextTest {

  private final FakeExchange exchange = new FakeExchange();
  private final Request request = exchange.request();
  private final List<String> passed = new ArrayList<>();
  private final Exception error = new Exception("error");
  private final LogLines log = new LogLines();

  @AfterEach
  void closeLog() {
    log.close();
  }

  /** Calls a handler on the serial executor and returns what it passed on. */
  private List<String> call(Middleware step) {
    Recording dispatch = new Recording();
    exchange.executor().execute(() -> dispatch.call(step, null));
    return passed;
  }

  private void assertFaults(long nexts, long late) {
    assertEquals(
        List.of(nexts, late),
        List.of(
            exchange.appState.counters().duplicateNextCalls(),
            exchange.appState.counters().lateErrors()));
  }

  @Test
  void runFailRouteAndAnExceptionPassOnOnce() {
    call((q, r, next) -> next.run());
    call((q, r, next) -> next.fail(error));
    call((q, r, next) -> next.route());
    call(
        (q, r, next) -> {
          throw error;
        });
    assertEquals(List.of("on", "error", "route", "error"), passed);
    assertFaults(0, 0);
  }

  @Test
  void aHandlerThatDoesNothingDoesNotPassOn() {
    assertEquals(List.of(), call((q, r, next) -> {}));
  }

  @Test
  void aSecondRunIsIgnoredAndCounted() {
    assertEquals(
        List.of("on"),
        call(
            (q, r, next) -> {
              next.run();
              next.run();
              next.route();
            }));
    assertFaults(2, 0);
  }

  @Test
  void runAfterFailIsIgnoredAndCounted() {
    assertEquals(
        List.of("error"),
        call(
            (q, r, next) -> {
              next.fail(error);
              next.run();
            }));
    assertFaults(1, 0);
  }

  @Test
  void anErrorDivertedToAnOuterDispatchUsesTheNextOfTheHandler() {
    Recording outer = new Recording();
    List<String> inner =
        call(
            (q, r, next) -> {
              outer.divert(error);
              outer.divert(new Exception("second"));
              next.run();
            });
    assertEquals(List.of("error"), inner);
    assertFaults(1, 1);
  }

  @Test
  void failAfterRouteIsALateErrorAndDoesNotEndTheExchange() {
    assertEquals(
        List.of("route"),
        call(
            (q, r, next) -> {
              next.route();
              next.fail(error);
            }));
    assertFaults(0, 1);
    assertEquals(List.of(), exchange.calls);
  }

  @Test
  void anExceptionAfterRunIsALateErrorAndEndsTheExchange() {
    assertEquals(
        List.of("on"),
        call(
            (q, r, next) -> {
              next.run();
              throw error;
            }));
    assertFaults(0, 1);
    assertEquals(500, exchange.status);
    assertEquals(List.of("start", "end"), exchange.calls);
  }

  @Test
  void anExceptionAfterRunDoesNotChangeAnExistingResponse() {
    call(
        (q, r, next) -> {
          next.run();
          r.end("done");
          throw error;
        });
    assertFaults(0, 1);
    assertEquals(200, exchange.status);
    assertEquals("done", exchange.body());
  }

  @Test
  void nextAfterAnExceptionIsIgnoredAndCounted() {
    List<Next> kept = new ArrayList<>();
    call(
        (q, r, next) -> {
          kept.add(next);
          throw error;
        });
    kept.get(0).run();
    kept.get(0).fail(error);
    assertEquals(List.of("error"), passed);
    assertFaults(1, 1);
  }

  @Test
  void onlyOneOfManyThreadsPassesOn() throws Exception {
    List<Next> kept = new ArrayList<>();
    call((q, r, next) -> kept.add(next));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(new Thread(kept.get(0)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of("on"), passed);
    assertFaults(7, 0);
  }

  @Test
  void aStackOverflowReachesErrorHandlersWithAnEmptyStack() {
    call((q, r, next) -> overflow(1));
    assertEquals(List.of("overflow"), passed);
    assertFaults(0, 0);
  }

  @Test
  void aStackOverflowInALaterHandlerIsNotALateError() {
    Recording dispatch = new Recording();
    dispatch.following =
        () -> {
          throw new StackOverflowError();
        };
    exchange.executor().execute(() -> dispatch.call((q, r, next) -> next.run(), null));
    assertTrue(passed.contains("overflow"), passed.toString());
    assertFaults(0, 0);
  }

  @SuppressWarnings("InfiniteRecursion") // the overflow under test
  private static int overflow(int depth) {
    return overflow(depth + 1) + 1;
  }

  private final class Recording extends Dispatch {

    private @Nullable Runnable following;

    Recording() {
      super(request, request.response());
    }

    @Override
    protected void advance(@Nullable Throwable signal) {
      if (signal instanceof StackOverflowError) {
        passed.add("overflow");
        return;
      }
      passed.add(signal == null ? "on" : String.valueOf(signal.getMessage()));
      Runnable rest = following;
      if (rest != null) {
        rest.run();
      }
    }

    @Override
    protected void leaveRoute() {
      passed.add("route");
    }

    @Override
    protected String position() {
      return "the handler";
    }
  }
}
