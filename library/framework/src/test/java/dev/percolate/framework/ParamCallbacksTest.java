package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.Next;
import dev.percolate.testkit.Call;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ParamCallbacksTest {

  @Test
  void anExpressionReplacesTheValueWithItsCapturesOrSkipsTheRoute() {
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
    assertEquals("range", play(Call.get("/x1-2"), app).text());
    assertEquals("range", play(Call.get("/7"), app).text());
    assertEquals("other", play(Call.get("/x"), app).text());
    assertEquals(List.of(List.of("1-2", "1", "2"), Arrays.asList("7", "7", null)), seen);
  }

  @Test
  void aFactoryConvertsTheValuesOfLaterCalls() {
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
    assertEquals("ok", play(Call.get("/1/2/3"), app).text());
    assertEquals(List.of("early", "size at most 10", "3"), log);
  }

  @Test
  void factoriesReceiveTheResultsOfEarlierOnes() {
    ParamCallbacks callbacks = new ParamCallbacks();
    callbacks.add((name, value) -> value + "1");
    callbacks.add((name, value) -> "");
    callbacks.add((name, value) -> false);
    callbacks.add((name, value) -> 0);
    callbacks.add((name, value) -> value + "2");
    assertEquals(
        "param(\"id\", bob12): value must be a ParamCallback or a Pattern",
        assertThrows(IllegalArgumentException.class, () -> callbacks.add(":id", "bob", "X.java:1"))
            .getMessage());
  }

  @Test
  void otherValuesAreRejected() {
    App app = new App();
    assertEquals(
        "param(\"id\", bob): value must be a ParamCallback or a Pattern",
        assertThrows(IllegalArgumentException.class, () -> app.param("id", "bob")).getMessage());
  }

  @Test
  void callbacksBelongToOneApplicationAndMayBeAddedLate() {
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
    assertEquals("ok", play(Call.get("/1"), app).text());
    assertEquals(List.of("inner", "id"), log);
  }

  @Test
  void eachOfSeveralNamesGetsEachCallback() {
    List<String> log = new ArrayList<>();
    ParamCallback first = (req, res, next, value, name) -> noted(log, name + "1=" + value, next);
    ParamCallback second = (req, res, next, value, name) -> noted(log, name + "2=" + value, next);
    App app = new App();
    app.param(List.of("a", ":b"), first, second).get("/:b/:a/:c", (req, res) -> res.end());
    assertEquals(200, play(Call.get("/x/y/z"), app).status());
    assertEquals(List.of("b1=x", "b2=x", "a1=y", "a2=y"), log);
  }

  @Test
  void aCallbackMayPassOnLaterAndRunsOnceForEachRoute() {
    List<String> log = Collections.synchronizedList(new ArrayList<>());
    App app = new App();
    app.param("id", (req, res, next, id) -> new Thread(() -> noted(log, id, next)).start());
    app.get("/:id", (req, res, next) -> next.run(), (req, res, next) -> next.run());
    app.get("/:other", (req, res, next) -> next.run()).get("/:id", (req, res) -> res.send("ok"));
    assertEquals("ok", play(Call.get("/1"), app).text());
    assertEquals(List.of("1", "1"), log);
  }

  @Test
  void aParameterRemovedByAnEarlierCallbackHasNoCallback() {
    List<String> log = new ArrayList<>();
    App app = new App();
    app.param(
        "a",
        (req, res, next, value) -> {
          req.params().set("b", null);
          next.run();
        });
    app.param("b", (req, res, next, value) -> noted(log, value, next));
    app.get("/:a/:b", (req, res) -> res.send(req.params().toString()));
    assertEquals("{a=1}", play(Call.get("/1/2"), app).text());
    assertEquals(List.of(), log);
  }

  @Test
  void aCallbackAddedByEarlierMiddlewareRuns() {
    List<String> log = new ArrayList<>();
    App app = new App();
    app.use(
        (req, res, next) -> {
          app.param("id", (rq, rs, passOn, value) -> noted(log, value, passOn));
          next.run();
        });
    app.get("/:id", (req, res) -> res.send("ok"));
    assertEquals("ok", play(Call.get("/1"), app).text());
    assertEquals(List.of("1"), log);
  }

  @Test
  void theResultOfAFactoryIsUsedIfItCountsAsTrue() {
    ParamHandler callback = (req, res, next, value) -> next.run();
    App app = new App();
    app.param((name, value) -> Double.NaN).param((name, value) -> 0L).param("id", callback);
    app.param((name, value) -> "text");
    assertEquals(
        "param(\"id\", text): value must be a ParamCallback or a Pattern",
        assertThrows(IllegalArgumentException.class, () -> app.param("id", callback)).getMessage());
  }

  private static void noted(List<String> log, String word, Next next) {
    log.add(word);
    next.run();
  }
}
