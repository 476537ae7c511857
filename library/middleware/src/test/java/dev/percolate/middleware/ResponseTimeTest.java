package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class ResponseTimeTest {

  private static final Handler OK = (req, res) -> res.send("ok");

  @Test
  void theHeaderHasMillisecondsWithThreeDigitsAndUnit() {
    String time = String.valueOf(time(ResponseTime.of()));
    assertTrue(time.matches("\\d+\\.\\d{3}ms"), time);
  }

  @Test
  void digitsNameAndUnitAreConfigurable() {
    Reply reply =
        Played.reply(Call.get("/"), ResponseTime.of().header("X-Took").digits(0).suffix(false), OK);
    String time = String.valueOf(reply.header("X-Took"));
    assertTrue(time.matches("\\d+"), time);
    assertNull(reply.header("X-Response-Time"));
  }

  @Test
  void theTimeIsMeasuredFromTheMiddleware() {
    Handler slow =
        (req, res) -> {
          Thread.sleep(30);
          res.send("ok");
        };
    String time = Played.reply(Call.get("/"), ResponseTime.of(), slow).header("X-Response-Time");
    assertTrue(Double.parseDouble(String.valueOf(time).replace("ms", "")) >= 29, time);
  }

  @Test
  void errorsAnd404ResponsesHaveTheHeader() {
    Handler failing =
        (req, res) -> {
          throw new IllegalStateException("no");
        };
    assertEquals(500, Played.reply(Call.get("/"), ResponseTime.of(), failing).status());
    assertTrue(
        Played.reply(Call.get("/"), ResponseTime.of(), failing).header("X-Response-Time") != null);
    Reply nobody = Played.reply(Call.get("/"), ResponseTime.of());
    assertEquals(404, nobody.status());
    assertTrue(nobody.header("X-Response-Time") != null);
  }

  @Test
  void aListenerIsCalledInsteadOfSettingTheHeader() {
    AtomicReference<Double> told = new AtomicReference<>();
    ResponseTime time =
        ResponseTime.of(
            (req, res, millis) -> {
              told.set(millis);
              res.set("X-Own", "1");
            });
    Reply reply = Played.reply(Call.get("/"), time, OK);
    assertTrue(told.get() >= 0);
    assertEquals("1", reply.header("X-Own"));
    assertNull(reply.header("X-Response-Time"));
  }

  @Test
  void invalidOptionsAreRejected() {
    assertEquals(
        "digits must be 0 to 20, was -1",
        assertThrows(IllegalArgumentException.class, () -> ResponseTime.of().digits(-1))
            .getMessage());
    assertThrows(IllegalArgumentException.class, () -> ResponseTime.of().header("a b"));
  }

  private static Object time(ResponseTime time) {
    return String.valueOf(Played.reply(Call.get("/"), time, OK).header("X-Response-Time"));
  }
}
