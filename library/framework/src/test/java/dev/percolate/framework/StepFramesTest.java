package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.testkit.Call;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that stack traces contain few frames of the library, so {@code next} is cheap. */
class StepFramesTest {

  private static final Middleware FIRST = (req, res, next) -> next.run();

  /** Responds with the method names between the middleware before it and itself. */
  private static final Handler SECOND =
      (req, res) -> {
        List<String> frames =
            Arrays.stream(new Throwable().getStackTrace())
                .skip(1)
                .takeWhile(
                    frame -> !frame.getClassName().startsWith(StepFramesTest.class.getName()))
                .map(
                    frame ->
                        frame.getClassName().replaceFirst(".*\\.", "")
                            + "."
                            + frame.getMethodName())
                .toList();
        res.send(String.join(" ", frames));
      };

  private static String frames(App app) {
    return Call.get("/users/1").to(app).text();
  }

  @Test
  void fourFramesSeparateTwoMiddleware() {
    assertEquals(
        "Handler.handle Dispatch.call StackDispatch.advance StepNext.pass StepNext.run",
        frames(new App().use(FIRST).use(SECOND)));
  }

  @Test
  void fourFramesSeparateTwoHandlersOfARoute() {
    assertEquals(
        "Handler.handle Dispatch.call RouteDispatch.advance StepNext.pass StepNext.run",
        frames(new App().get("/users/:id", FIRST, SECOND)));
  }
}
