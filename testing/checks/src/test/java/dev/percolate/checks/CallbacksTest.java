package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the callbacks of the exported API with those that {@link ProvocationsTest} provokes. */
final class CallbacksTest {

  private static final Path EXCUSED = Path.of("callbacks.txt");

  @Test
  void eachCallbackOfTheApiIsProvokedOrExcluded() throws Exception {
    List<Pattern> known = Stream.concat(provoked(), excused()).map(CallbacksTest::pattern).toList();
    List<String> unknown =
        callbacks().stream().filter(one -> known.stream().noneMatch(matches(one))).toList();
    assertEquals(
        List.of(),
        unknown,
        "callbacks without a test that throws: add an entry with this name to one of the"
            + " …Provocations classes, which registers the callback and causes a call. If neither a"
            + " request nor a closing server calls it, add a line to "
            + EXCUSED.getFileName());
  }

  @Test
  void eachEntryIsACallback() throws Exception {
    Set<String> callbacks = callbacks();
    List<String> left =
        Stream.concat(provoked(), excused())
            .filter(entry -> callbacks.stream().noneMatch(pattern(entry).asMatchPredicate()))
            .toList();
    assertEquals(List.of(), left, "entries for callbacks that no longer exist");
  }

  @Test
  void findsParametersSettingsAndTypes() throws Exception {
    assertTrue(
        callbacks()
            .containsAll(
                List.of(
                    "Response.onFinish(Runnable)",
                    "Settings.JSON_CODEC(JsonCodec)",
                    "Response.format(Handler)",
                    "WebSockets.onText(WebSockets.OnMessage)",
                    "RejectionListener")));
  }

  private static Set<String> callbacks() throws IOException, ClassNotFoundException {
    List<String> modules = new ArrayList<>(Modules.published());
    modules.remove("testkit"); // it calls the code of tests
    return CallbackFinder.find(modules).keySet();
  }

  private static Stream<String> provoked() {
    return ProvocationsTest.all().keySet().stream();
  }

  private static Stream<String> excused() throws IOException {
    return Files.readAllLines(EXCUSED).stream()
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .map(line -> line.substring(0, line.indexOf("  ")));
  }

  private static java.util.function.Predicate<Pattern> matches(String callback) {
    return pattern -> pattern.matcher(callback).matches();
  }

  private static Pattern pattern(String entry) {
    return Pattern.compile(Pattern.quote(entry).replace("*", "\\E.*\\Q"));
  }
}
