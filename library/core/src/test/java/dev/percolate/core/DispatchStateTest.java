package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.percolate.engine.SerialExecutor;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DispatchStateTest {

  private final Queue<Runnable> base = new ArrayDeque<>();
  private final FakeExchange exchange = new FakeExchange();

  DispatchStateTest() {
    exchange.executor = new SerialExecutor(base::add, false);
  }

  @Test
  void aTaskThatFailsBeforeTheRequestExistsIsReported() {
    try (LogLines log = new LogLines()) {
      exchange.executor.execute(
          () -> {
            throw new IllegalStateException("escaped");
          });
      base.remove().run();
      assertEquals(List.of("SEVERE uncaught error in a task of an exchange"), log.lines());
    }
  }

  @Test
  void theExchangeIsAbortedIfNoThreadCanRunIt() {
    exchange.mayBlock = false;
    exchange.executor =
        new SerialExecutor(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            false);
    assertEquals("GET", exchange.request().method());
    try (LogLines log = new LogLines()) {
      exchange.executor.execute(() -> {});
      assertEquals(1, log.lines().size(), log.lines()::toString);
    }
    assertEquals(List.of("abort"), exchange.calls);
  }

  @Test
  void nestedHandlersRunInTheSameCallUpToALimit() {
    int steps = 1000;
    Deep dispatch = new Deep(steps);
    exchange.executor.execute(dispatch::goOn);
    base.remove().run();
    assertEquals(steps, dispatch.count);
    assertEquals(201, dispatch.deepest, "the task itself and 200 nested handlers");
  }

  @Test
  void aDispatchOnAnotherThreadContinuesOnTheExecutor() throws Exception {
    Deep dispatch = new Deep(1);
    Thread foreign = new Thread(dispatch::goOn);
    foreign.start();
    foreign.join();
    assertEquals(0, dispatch.count);
    base.remove().run();
    assertEquals(1, dispatch.count);
    assertSame(Thread.currentThread(), dispatch.ranOn);
  }

  @Test
  void theExecutorDescribesThePositionOfTheExchange() {
    Deep dispatch = new Deep(1);
    assertEquals("no step", exchange.executor.toString());
    dispatch.req.dispatchState().current(new StepNext(dispatch));
    assertEquals("step of the test", exchange.executor.toString());
  }

  private final class Deep extends Dispatch {

    private final int steps;
    private int count;
    private int depth;
    private int deepest;
    private @Nullable Thread ranOn;

    Deep(int steps) {
      this(steps, exchange.request());
    }

    private Deep(int steps, Request req) {
      super(req, req.response());
      this.steps = steps;
    }

    @Override
    protected void advance(@Nullable Throwable error) {
      ranOn = Thread.currentThread();
      depth++;
      deepest = Math.max(deepest, depth);
      if (++count < steps) {
        goOn();
      }
      depth--;
    }

    private void goOn() {
      new StepNext(this).run();
    }

    @Override
    protected String position() {
      return "step of the test";
    }
  }
}
