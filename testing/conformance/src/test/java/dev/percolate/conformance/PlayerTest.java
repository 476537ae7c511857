package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the translations of the player with scenarios recorded from the originals. */
final class PlayerTest {

  @Test
  void translatedScenariosAgree() throws Exception {
    List<Scenario> scenarios = Scenario.read(Path.of("src/test/resources/player.json"));
    assertFalse(scenarios.isEmpty());
    try (Player player = new Player(new MemoryCalls())) {
      for (Scenario scenario : scenarios) {
        assertNull(player.play(scenario).difference(), scenario.id());
      }
    }
  }

  @Test
  void messagesToProgrammersAreTranslatedAndOthersAreNot() {
    assertEquals(
        "Router#get() requires a path", OriginalTexts.of("get(\"\", …): path must not be empty"));
    assertEquals(
        "invalid IP address: here",
        OriginalTexts.of("set(\"trust proxy\", loopback, here): \"here\" is not an IP address"));
    assertEquals(
        "option limit \"$1\" is invalid",
        OriginalTexts.of("limit must be a size such as \"100kb\", was \"$1\""));
    assertEquals("no such \"limit\"", OriginalTexts.of("no such \"limit\""));
    assertEquals("route", OriginalTexts.of("next.route() was called outside of a route"));
    assertEquals("stream is not readable", OriginalTexts.of("the body has been read already"));
    assertEquals("", OriginalTexts.of((String) null));
  }

  @Test
  void messagesAtTheBeginningOfDefaultErrorPagesAreTranslated() {
    String ours = "cookie(&quot;a&#39;&lt;&amp;quot;&quot;, …): no secret to sign it; which?";
    String theirs = "connect.cookieParser(&quot;secret&quot;) required for signed cookies";
    assertEquals("Error: " + theirs + "$STACK", OriginalTexts.ofPage("Error: " + ours + "$STACK"));
    assertEquals("TypeError: " + theirs, OriginalTexts.ofPage("TypeError: " + ours));
    assertEquals(
        "Error: route\n",
        OriginalTexts.ofPage("Error: next.route() was called outside of a route\n"));
    for (String page : List.of("Error: a &lt; &amp;amp; &quot;b&quot;$STACK", ours, "")) {
      assertEquals(page, OriginalTexts.ofPage(page));
    }
  }
}
