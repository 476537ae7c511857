package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import org.junit.jupiter.api.Test;

class CallSiteTest {

  private static Throwable trace(StackTraceElement... frames) {
    Throwable trace = new Throwable();
    trace.setStackTrace(frames);
    return trace;
  }

  private static StackTraceElement frame(String type, int line) {
    return new StackTraceElement(type, "show", "Users.java", line);
  }

  @Test
  void theCallSiteIsTheFirstFrameOutsideOfTheLibraryAndTheJdk() {
    Throwable trace =
        trace(
            frame("dev.percolate.core.Response", 1),
            frame("dev.percolate.engine.SerialExecutor", 7),
            frame("java.util.ArrayList", 2),
            frame("shop.Users", 31),
            frame("shop.Main", 4));
    assertEquals("at Users.show (Users.java:31)", CallSite.of(trace));
  }

  @Test
  void otherModulesAndSimilarPackageNamesAreCallSites() {
    assertEquals(
        "at Routes.show (Users.java:5)",
        CallSite.of(trace(frame("dev.percolate.corelike.Routes", 5))));
    assertEquals("at App.show (Users.java:6)", CallSite.of(trace(frame("javax.App", 6))));
  }

  @Test
  void withoutSuchAFrameTheCallSiteIsUnknown() {
    assertEquals("at an unknown line", CallSite.of(trace(frame("java.lang.Thread", 1))));
    assertEquals("at an unknown line", CallSite.of(new HttpError(404)));
  }

  @Test
  void testsOfTheLibraryAreCallSites() {
    String place = CallSite.of(new Throwable());
    assertTrue(place.startsWith("at CallSiteTest.testsOfTheLibraryAreCallSites"), place);
  }
}
