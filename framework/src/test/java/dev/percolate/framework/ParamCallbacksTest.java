package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.testkit.Call;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ParamCallbacksTest {

  @Test
  void anExpressionMakesTheValueItsCapturesOrLeavesTheRoute() {
    App app = new App();
    List<Object> seen = new ArrayList<>();
    app.param("range", Pattern.compile("(\\d+)(?:-(\\d+))?"));
    app.get(
        "/:range",
        (req, res) -> {
          seen.add(req.params().value("range"));
          res.send("range");
        });
    app.get("/:other", (req, res) -> res.send("other"));
    assertEquals("range", Call.get("/x1-2").to(app).text());
    assertEquals("range", Call.get("/7").to(app).text());
    assertEquals("other", Call.get("/x").to(app).text());
    assertEquals(List.of(List.of("1-2", "1", "2"), Arrays.asList("7", "7", null)), seen);
  }

  @Test
  void aFunctionChangesWhatLaterCallsTake() {
    App app = new App();
    List<String> log = new ArrayList<>();
    app.param(
        "early",
        (req, res, next, value) -> {
          log.add("early");
          next.run();
        });
    app.param(
        (name, value) ->
            value instanceof Integer most
                ? (ParamHandler)
                    (req, res, next, text) -> {
                      log.add(name + " at most " + most);
                      next.run();
                    }
                : null);
    app.param(":size", 10)
        .param(
            "plain",
            (req, res, next, value) -> {
              log.add(value);
              next.run();
            });
    app.get("/:early/:size/:plain", (req, res) -> res.send("ok"));
    assertEquals("ok", Call.get("/1/2/3").to(app).text());
    assertEquals(List.of("early", "size at most 10", "3"), log);
  }

  @Test
  void functionsSeeWhatThoseBeforeThemMade() {
    ParamCallbacks callbacks = new ParamCallbacks();
    callbacks.add((name, value) -> value + "1");
    callbacks.add((name, value) -> "");
    callbacks.add((name, value) -> false);
    callbacks.add((name, value) -> 0);
    callbacks.add((name, value) -> value + "2");
    assertEquals(
        "invalid param() call for id, got bob12",
        assertThrows(IllegalArgumentException.class, () -> callbacks.add(":id", "bob"))
            .getMessage());
  }

  @Test
  void whatIsNoCallbackIsRefused() {
    App app = new App();
    assertEquals(
        "invalid param() call for id, got bob",
        assertThrows(IllegalArgumentException.class, () -> app.param("id", "bob")).getMessage());
  }

  @Test
  void callbacksBelongToOneApplicationAndMayComeLate() {
    List<String> log = new ArrayList<>();
    App inner = new App();
    inner.get("/:id", (req, res, next) -> next.run());
    App app = new App();
    app.use(inner).get("/:id", (req, res) -> res.send("ok"));
    inner.param(
        "id",
        (req, res, next, value) -> {
          log.add("inner");
          next.run();
        });
    app.param(
        List.of("uid", ":id"),
        (req, res, next, value, name) -> {
          log.add(name);
          next.run();
        });
    assertEquals("ok", Call.get("/1").to(app).text());
    assertEquals(List.of("inner", "id"), log);
  }
}
