package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests the statements of docs/logging.md for users of other loggers. */
class LoggingPageTest {

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private static String page() throws Exception {
    return Files.readString(Path.of("../../docs/logging.md"));
  }

  @Test
  void eachTokenIsInTheGuideAndInTheJavadocOfTheLogger() throws Exception {
    String guide = Files.readString(Path.of("../../docs/site/pages/guide/logging.md"));
    Path logger = Path.of("src/main/java/dev/percolate/logger/RequestLogger.java");
    String javadoc = Files.readString(logger).split("@CheckReturnValue", 2)[0];
    List<String> tokens = StandardTokens.all().keySet().stream().sorted().toList();
    assertEquals(List.of(), tokens.stream().filter(token -> isMissing(guide, token)).toList());
    assertEquals(List.of(), tokens.stream().filter(token -> isMissing(javadoc, token)).toList());
  }

  private static boolean isMissing(String text, String token) {
    return !Pattern.compile(":" + token + "(?![\\w-])").matcher(text).find();
  }

  @Test
  void allFormatsAndTokensOfTheTableExist() throws Exception {
    List<String> rows = page().lines().filter(line -> line.startsWith("| ")).skip(1).toList();
    int tried = 0;
    for (String row : rows) {
      String here = row.substring(row.lastIndexOf('|', row.length() - 3));
      for (Matcher code = CODE.matcher(here); code.find(); ) {
        String text = code.group(1);
        if (text.startsWith(":")) {
          assertFalse(Lines.of(text, "/").isEmpty(), text); // unknown tokens cause no line
          tried++;
        } else if (text.startsWith("\"")) {
          String name = text.substring(1, text.length() - 1);
          assertTrue(Lines.of(name, "/").length() > name.length(), text);
          tried++;
        }
      }
    }
    assertEquals(27, tried);
  }

  @Test
  void theStructuredLinesAreThoseThatAreShown() throws Exception {
    String[] headers = {
      "Referer", "http://r/", "User-Agent", "probe 1.0", "Authorization", "Basic YW5hOnB3"
    };
    for (String name : new String[] {"json", "logfmt"}) {
      String line = Lines.of(name, "/l?p=2", headers);
      assertTrue(page().contains("\n" + line + "\n"), line);
    }
  }
}
