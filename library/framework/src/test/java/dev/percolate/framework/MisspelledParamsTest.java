package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import org.junit.jupiter.api.Test;

/** Tests the warning about a handler that asks for a misspelled path parameter. */
class MisspelledParamsTest {

  private static final Handler READS =
      (req, res) -> {
        String user = req.params().get("userid");
        res.send(user + req.params().get("page", Integer.class) + req.params().get("other"));
      };

  @Test
  void aMisspelledNameIsLoggedOnceWithItsLine() {
    App app = new App().set(Settings.ENV, "development").get("/users/:userId/:page?", READS);
    try (LogLines log = new LogLines()) {
      assertEquals("nullnullnull", Call.get("/users/7").to(app).text());
      assertEquals("null2null", Call.get("/users/7/2").to(app).text());
      assertEquals(1, log.lines().size(), () -> log.lines().toString());
      String line = log.lines().get(0);
      String begin = "WARNING params().get(\"userid\", …) at MisspelledParamsTest.";
      assertTrue(line.startsWith(begin), line);
      assertTrue(line.contains("(MisspelledParamsTest.java:"), line);
      assertTrue(line.endsWith("the route has no parameter :userid; it has :userId, :page"), line);
    }
  }

  @Test
  void inProductionNothingIsLogged() {
    App app = new App().set(Settings.ENV, "production").get("/names/:userId", READS);
    try (LogLines log = new LogLines()) {
      assertEquals("nullnullnull", Call.get("/names/7").to(app).text());
      assertEquals(0, log.lines().size(), () -> log.lines().toString());
    }
  }
}
