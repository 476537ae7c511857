package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Next;
import dev.percolate.framework.path.CompiledPath;
import dev.percolate.framework.path.RoutePath;
import dev.percolate.http.NormalPath;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that a thousand routes match as without an index: the first match in order of definition.
 */
@Timeout(120)
final class ManyRoutesTest {

  private static final int ROUTES = 1_000;
  private static final String[] VERBS = {"get", "get", "head", "post", "put", "options", "lock"};
  private static final String[] SEGMENTS = {
    "a", "b", "c", "d.e", ":x", ":y(\\d+)", "*", "f+", ":z?"
  };
  private static final String[] ASKED = {"a", "B", "c", "d.e", "7", "ff", "zz", ""};

  private final Random random = new Random(1_000);
  private final List<Defined> routes = new ArrayList<>();
  private final App app = new App();

  private record Defined(String verb, CompiledPath path) {}

  private ManyRoutesTest() {
    for (int i = 0; i < ROUTES; i++) {
      String verb = VERBS[random.nextInt(VERBS.length)];
      // most have a rare prefix, so that some paths match few routes or none
      String path = i % 20 == 0 ? joined(SEGMENTS) : "/r" + i % 300 + joined(SEGMENTS);
      String number = Integer.toString(i);
      Handler shows = (req, res) -> res.set("X-Route", number).send(number);
      app.method(verb, path, shows);
      routes.add(new Defined(verb, new CompiledPath(path, false, false)));
    }
  }

  private String joined(String[] segments) {
    StringBuilder path = new StringBuilder();
    for (int i = random.nextInt(3); i >= 0; i--) {
      String segment = segments[random.nextInt(segments.length)];
      // names must be unique in a path
      path.append('/').append(segment.startsWith(":") ? ":n" + i + segment.substring(1) : segment);
    }
    return path.toString();
  }

  private String asked() {
    return random.nextInt(8) == 0 ? joined(ASKED) : "/R" + random.nextInt(310) + joined(ASKED);
  }

  private List<Integer> matching(String path, Set<String> verbs) {
    RoutePath requested = RoutePath.of(NormalPath.of(path), true);
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < routes.size(); i++) {
      boolean verb = verbs.isEmpty() || verbs.contains(routes.get(i).verb);
      if (verb && routes.get(i).path.match(requested) != null) {
        numbers.add(i);
      }
    }
    return numbers;
  }

  @Test
  void theFirstMatchRespondsAndWithoutAMatchItIs404() {
    int missing = 0;
    for (int i = 0; i < 2_000; i++) {
      String path = asked();
      List<Integer> matching = matching(path, Set.of("get"));
      Reply reply = play(Call.get(path), app);
      missing += matching.isEmpty() ? 1 : 0;
      assertEquals(matching.isEmpty() ? 404 : 200, reply.status(), path);
      assertEquals(
          matching.isEmpty() ? "Cannot GET " + path + "\n" : "" + matching.get(0), reply.text());
    }
    assertTrue(missing > 100 && missing < 1_900, missing + " without a route");
  }

  @Test
  void headUsesRoutesForHeadAndGetInOrder() {
    for (int i = 0; i < 1_000; i++) {
      String path = asked();
      List<Integer> matching = matching(path, Set.of("get", "head"));
      Reply reply = play(Call.head(path), app);
      assertEquals(matching.isEmpty() ? 404 : 200, reply.status(), path);
      assertEquals(matching.isEmpty() ? null : "" + matching.get(0), reply.header("X-Route"), path);
      assertEquals("", reply.text());
    }
  }

  @Test
  void optionsListsTheVerbsOfAllMatchingRoutes() {
    int automatic = 0;
    for (int i = 0; i < 2_000; i++) {
      String path = asked();
      Reply reply = play(Call.options(path), app);
      if (reply.header("X-Route") != null) {
        assertEquals(reply.header("X-Route"), "" + matching(path, Set.of("options")).get(0), path);
        continue;
      }
      assertEquals(List.of(), matching(path, Set.of("options")), path);
      Set<String> verbs = new TreeSet<>();
      for (int number : matching(path, Set.of())) {
        verbs.add(routes.get(number).verb.toUpperCase(Locale.ROOT));
      }
      if (verbs.contains("GET")) {
        verbs.add("HEAD");
      }
      automatic += verbs.isEmpty() ? 0 : 1;
      assertEquals(verbs.isEmpty() ? 404 : 200, reply.status(), path);
      assertEquals(verbs.isEmpty() ? null : String.join(",", verbs), reply.header("Allow"), path);
    }
    assertTrue(automatic > 100, automatic + " answered");
  }

  @Test
  void removedRoutesHaveNoEffect() {
    for (int i = 0; i < 100; i++) {
      app.get("/gone/" + i, (req, res) -> res.send("gone")).put("/gone/" + i, (rq, rs) -> rs.end());
    }
    app.routes().computeIfPresent("options", (verb, list) -> List.of());
    List<Route> gets = app.routes().get("get");
    assertNotNull(gets);
    gets.removeIf(one -> one.path().toString().matches("/gone/[1-9]\\d*|.*[:*].*"));
    app.routes().get("head").clear();
    assertEquals("gone", play(Call.get("/gone/0"), app).text());
    assertEquals(200, play(Call.head("/gone/0"), app).status());
    assertEquals(404, play(Call.get("/gone/42"), app).status());
    assertEquals(404, play(Call.head("/gone/42"), app).status());
    String allowed = play(Call.options("/gone/42"), app).header("Allow");
    assertTrue(allowed != null && allowed.contains("PUT") && !allowed.contains("GET"), allowed);
  }

  @Test
  void aHundredRoutesAreTriedInOrderOfDefinition() {
    App hundred = new App();
    StringBuilder log = new StringBuilder();
    hundred.get("/:any", (req, res, next) -> passOn(log.append("any "), next));
    for (int i = 0; i < 100; i++) {
      String path = "/r" + i;
      hundred.get(path, (req, res, next) -> passOn(log.append(path).append(' '), next));
    }
    hundred.use((req, res, next) -> passOn(log.append("use "), next));
    hundred.get(Pattern.compile("7$"), (req, res, next) -> passOn(log.append("expression "), next));
    Handler last = (req, res) -> res.send(log + "last");
    hundred.get("/r77", last);
    assertEquals("any /r77 use expression last", play(Call.get("/r77"), hundred).text());
  }

  @Test
  void aChangedUrlIsMatchedAgain() {
    App hundred = new App();
    hundred.use(
        (req, res, next) -> {
          req.url("/r50");
          next.run();
        });
    for (int i = 0; i < 100; i++) {
      String path = "/r" + i;
      hundred.get(path, (req, res) -> res.send(path));
    }
    assertEquals("/r50", play(Call.get("/r3"), hundred).text());
    assertEquals("GET,HEAD", play(Call.options("/r3"), hundred).text());
  }

  private static void passOn(StringBuilder log, Next next) {
    assertTrue(log.length() > 0);
    next.run();
  }
}
