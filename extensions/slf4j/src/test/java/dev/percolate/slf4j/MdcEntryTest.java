package dev.percolate.slf4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MdcEntryTest {

  private final Handler tells = (req, res) -> res.send(String.valueOf(entry()));

  private static String entry() {
    return String.valueOf(org.slf4j.MDC.get("id"));
  }

  @Test
  void setsTheMdcForLaterHandlers() {
    Middleware names =
        (req, res, next) -> {
          req.attr(Request.ID, "7");
          next.run();
        };
    assertEquals("7", told(names, MdcEntry.of("id", Request.ID), tells));
  }

  @Test
  void setsNothingWithoutTheAttribute() {
    assertEquals("null", told(MdcEntry.of("id", Request.ID), tells));
    assertThrows(IllegalArgumentException.class, () -> MdcEntry.of("", Request.ID));
  }

  @Test
  void requiresTheAttributeFromEarlierMiddleware() {
    MdcEntry entry = MdcEntry.of("id", Request.ID);
    assertEquals(Set.of(Request.ID.name()), entry.traits().required());
  }

  private static String told(Middleware... steps) {
    return Call.get("/").to(Chain.service(new Settings(), steps)).text();
  }
}
