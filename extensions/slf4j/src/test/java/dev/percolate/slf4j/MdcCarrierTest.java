package dev.percolate.slf4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.MDC;

final class MdcCarrierTest {

  private static final Middleware MARK =
      (req, res, next) -> {
        MDC.put("request", req.get("X-Id"));
        try {
          next.run();
        } finally {
          MDC.remove("request");
        }
      };

  /** Its thread starts before the MDC is set, since it would inherit the MDC of this provider. */
  private static final ScheduledExecutorService TIMER = Executors.newScheduledThreadPool(1);

  private static final Handler SHOW = (req, res) -> res.send("marked " + MDC.get("request"));

  @BeforeAll
  static void startTimer() throws Exception {
    TIMER.submit(() -> {}).get();
  }

  @AfterAll
  static void stopTimer() {
    TIMER.shutdown();
  }

  private static String answer(ThreadMode mode, Call call, Middleware... steps) {
    assumeTrue(mode != ThreadMode.VIRTUAL || VirtualThreads.available());
    try (MemoryEngine engine = new MemoryEngine(mode);
        Client client = engine.client(Chain.service(new Settings().set("env", "test"), steps))) {
      return call.to(client).text();
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void entriesSurviveABodyParser(ThreadMode mode) {
    Call call =
        Call.post("/").header("X-Id", "7").header("Content-Type", "text/plain").body("a text");
    assertEquals("marked 7", answer(mode, call, MARK, BodyParsers.text(), SHOW));
    assertEquals(
        "marked null",
        answer(mode, call, (req, res, next) -> next.run(), BodyParsers.text(), SHOW));
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void entriesOfInnerMiddlewareWin(ThreadMode mode) {
    Middleware inner =
        (req, res, next) -> {
          MDC.put("request", "inner");
          try {
            next.run();
          } finally {
            MDC.remove("request");
          }
        };
    Call call =
        Call.post("/").header("X-Id", "7").header("Content-Type", "text/plain").body("a text");
    assertEquals("marked inner", answer(mode, call, MARK, inner, BodyParsers.text(), SHOW));
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void entriesSurviveACallOfNextOnAnotherThread(ThreadMode mode) {
    Middleware late =
        (req, res, next) -> {
          Future<?> ignored = TIMER.schedule(next, 20, TimeUnit.MILLISECONDS);
        };
    Call call = Call.get("/").header("X-Id", "7");
    assertEquals("marked 7", answer(mode, call, MARK, late, SHOW));
    assertEquals("marked null", answer(mode, call, late, SHOW));
  }

  @Test
  void aThreadIsLeftAsItWas() {
    MdcCarrier carrier = new MdcCarrier();
    assertNull(carrier.capture());
    carrier.run(Map.of("a", "1"), () -> assertEquals("1", MDC.get("a")));
    assertNull(MDC.get("a"));
    MDC.put("b", "2");
    try {
      carrier.run(Map.of("a", "1"), () -> assertNull(MDC.get("b")));
      assertEquals(Map.of("b", "2"), carrier.capture());
      assertNull(MDC.get("a"));
    } finally {
      MDC.clear();
    }
  }
}
