package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FaviconTest {

  private static final Handler PASSED = (req, res) -> res.send("passed");
  private static final byte[] ICON = {1, 2, 3};

  @Test
  void onlyTheExactPathIsAnswered() {
    Favicon favicon = Favicon.of(ICON);
    assertArrayEquals(ICON, Played.reply(Call.get("/favicon.ico?x"), favicon, PASSED).bytes());
    for (String path : new String[] {"/", "/favicon.ico/", "/Favicon.ico", "/a/favicon.ico"}) {
      assertEquals("200 passed", Played.outcome(Call.get(path), favicon, PASSED), path);
    }
    assertEquals("200 passed", Played.outcome(Call.post("/x"), favicon, PASSED));
  }

  @ParameterizedTest
  @CsvSource({"1999,1", "0,0", "31536000001,31536000", "999,0"})
  void theAgeIsInWholeSecondsAndAYearAtMost(long millis, String seconds) {
    Favicon favicon = Favicon.of(ICON).maxAge(millis);
    Reply reply = Played.reply(Call.get("/favicon.ico"), favicon);
    assertEquals("public, max-age=" + seconds, reply.header("Cache-Control"));
  }

  @ParameterizedTest
  @CsvSource({"1.5 min,90", "10,0", "2 HRS,7200", "1y,31536000", "3000ms,3"})
  void theAgeMayBeText(String time, String seconds) {
    Reply reply = Played.reply(Call.get("/favicon.ico"), Favicon.of(ICON).maxAge(time));
    assertEquals("public, max-age=" + seconds, reply.header("Cache-Control"));
  }

  @Test
  void wrongAgesAreRejected() {
    Favicon icon = Favicon.of(ICON);
    assertEquals("maxAge must be at least 0, was -1", Played.rejection(() -> icon.maxAge(-1)));
    assertEquals(
        "maxAge must be a time such as \"2 hours\", was \"soon\"",
        Played.rejection(() -> icon.maxAge("soon")));
  }

  @Test
  void conditionalRequestsUseTheTag() {
    Reply plain = Played.reply(Call.get("/favicon.ico"), Favicon.of(ICON));
    String tag = String.valueOf(plain.header("ETag"));
    assertTrue(tag.matches("\"3-[A-Za-z0-9+/]{22}\""), tag);
    assertEquals(304, status("If-None-Match", "\"x\", W/" + tag));
    assertEquals(200, status("If-None-Match", tag.replace("3-", "4-")));
    Call noCache = Call.get("/favicon.ico").header("Cache-Control", "max-age=0, no-cache");
    assertEquals(
        304, Played.reply(noCache.header("If-None-Match", "*"), Favicon.of(ICON)).status());
    assertEquals(412, status("If-Match", "\"other\""));
  }

  @Test
  void aFileIsReadOnceAndMustExist(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("f.ico");
    assertThrows(UncheckedIOException.class, () -> Favicon.of(file));
    assertThrows(UncheckedIOException.class, () -> Favicon.of(folder));
    Files.write(file, ICON);
    Favicon favicon = Favicon.of(file);
    assertArrayEquals(ICON, Played.reply(Call.get("/favicon.ico"), favicon).bytes());
    Files.delete(file);
    assertArrayEquals(ICON, Played.reply(Call.get("/favicon.ico"), favicon).bytes());
  }

  @Test
  void thereIsADefaultIcon() {
    byte[] icon = Played.reply(Call.get("/favicon.ico"), Favicon.of()).bytes();
    assertEquals(1150, icon.length);
    assertEquals(1, icon[2]);
  }

  private static int status(String header, String value) {
    Call call = Call.get("/favicon.ico").header(header, value);
    return Played.reply(call, Favicon.of(ICON)).status();
  }
}
