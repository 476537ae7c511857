package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelativeUrlTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/post/1|./edit|/post/1/edit",
        "/post/1/|./edit|/post/1/edit",
        "/post/1|../new|/post/new",
        "/post/1|./skip/../../new|/post/new",
        "/|./x|/x",
        "/a|../../../x|/x",
        "/a/b|..|/a/",
        "/a/b|.|/a/b/",
        "/a/b|../|/a/",
        "/a|..|/",
        "/|..|/",
        "/x|.config|/x/.config",
        "/x|...|/x/...",
        "/x|./a/./b/|/x/a/b/",
        "/x|./a//b|/x/a//b",
        "/a|./b?c=../d#/../e|/a/b?c=../d#/../e",
        "/a/b|..?x|/a/?x",
        "/a|./b#c?d|/a/b#c?d"
      })
  void aUrlIsResolvedAgainstTheDirectory(String folder, String url, String expected) {
    assertEquals(expected, RelativeUrl.resolve(folder, url));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "./a b|/x/a%20b",
        "./\"<>`{}|/x/%22%3C%3E%60%7B%7D",
        "./it's|/x/it%27s",
        "./a%20b|/x/a%20b",
        ".\\b\\..\\c|/x/c",
        "./a?b\\c d|/x/a?b%5Cc%20d",
        "./a#b\\c|/x/a#b%5Cc",
        "./\u00e9|/x/\u00e9",
        "./\u20ac|/x/%E2%82%AC"
      })
  void charactersThatBrowsersTreatDifferentlyAreEncoded(String url, String expected) {
    assertEquals(expected, RelativeUrl.resolve("/x", url));
  }

  @Test
  void tabsAndLineBreaksAreEncoded() {
    assertEquals("/x/a%09b%0D%0Ac", RelativeUrl.resolve("/x", "./a\tb\r\nc"));
    assertEquals("/x%7By/a%7C", RelativeUrl.resolve("/x{y", "./a|"));
  }

  @ParameterizedTest
  @CsvSource({
    "//evil.test/,./x,/evil.test/x",
    "/\\evil.test,./x,/evil.test/x",
    "/a,..//evil.test,/evil.test",
    "/,.\\\\evil.test,/evil.test",
    "/,./\t/evil.test,/evil.test",
    "'',./x,/x"
  })
  void aResolvedPathBeginsWithOneSlash(String folder, String url, String expected) {
    assertEquals(expected, RelativeUrl.resolve(folder, url));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|login|/login",
        "/t|login|/t/login",
        "/t/|a/../b c|/t/a/../b c",
        "''|?x=1|/?x=1",
        "/|mailto:x@y.test|/mailto:x@y.test",
        "//h|login|/h/login",
        "''|\\evil.test|/evil.test",
        "''|''|/"
      })
  void aUrlUnderAMountPathBeginsWithOneSlash(String mountPath, String url, String expected) {
    assertEquals(expected, RelativeUrl.under(mountPath, url));
  }

  @Test
  void leadingTabsAndSlashesAreRemoved() {
    assertEquals("/evil.test", RelativeUrl.under("", "\t//evil.test"));
  }

  @Test
  void longPathsTakeLinearTime() {
    String long1 = "./" + "a/".repeat(200_000) + "../".repeat(200_000);
    assertTimeout(Duration.ofSeconds(5), () -> RelativeUrl.resolve("/x", long1));
  }
}
