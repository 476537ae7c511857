package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.elasticsearch.grok.Grok;
import org.elasticsearch.grok.GrokBuiltinPatterns;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Logstash's pattern of the combined format, in both of its dialects, matches each line of {@link
 * HostileLog} completely, except lines that one of its own rules rejects, which are listed with the
 * rule. The patterns are those of a library that contains the patterns of Logstash.
 */
final class LogstashPatternsTest {

  /** Rule of {@code HTTPDUSER}: ASCII letters, digits and {@code ._-}, or an e-mail address. */
  private static final List<String> USERS =
      List.of(
          "user  ",
          "user - [10/Oct/2000:13:55:36 +0000] \\\"GET / HTTP/1.1\\\" 200 1",
          "user J\u00fcrgen",
          "user [",
          "user \\\"",
          "user \\u0000",
          "user \\u001b[2J",
          "user ]",
          "user a[b]",
          "user a\\\"b",
          "user a\\\\b",
          "user a\\u2028b",
          "user a\\u202eb",
          "user a\u2003b",
          "user a\u3000b",
          "user domain\\\\user",
          "user john doe",
          "user user/one",
          "user x\\ny",
          "user x\\r\\ny",
          "user x\\ty",
          "user \u00a0",
          "user \ud83d\ude00");

  /** Rule of {@code IPORHOST}: an IP address, or the name of a host. */
  private static final List<String> ADDRESSES =
      List.of(
          "address 1.2.3.4 - - [10/Oct/2000:13:55:36 +0000] \\\"GET /forged HTTP/... 83",
          "address 1.2.3.4\\n5.6.7.8",
          "address [::1]:443",
          "address \\\"",
          "address a b c");

  private final List<HostileLog.Entry> entries = new HostileLog().entries();

  /** A dialect, and the names of its fields. */
  private enum Dialect {
    LEGACY("disabled", "clientip", "auth", "response", "bytes"),
    ECS(
        "v1",
        "source.address",
        "user.name",
        "http.response.status_code",
        "http.response.body.bytes");

    private final String compatibility;
    private final String address;
    private final String user;
    private final String status;
    private final String length;

    Dialect(String compatibility, String address, String user, String status, String length) {
      this.compatibility = compatibility;
      this.address = address;
      this.user = user;
      this.status = status;
      this.length = length;
    }

    private Grok pattern() {
      return new Grok(
          GrokBuiltinPatterns.get(compatibility), "\\A%{COMBINEDAPACHELOG}\\z", warning -> {});
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachLineIsReadButThoseThatARuleRejects(Dialect dialect) {
    Grok pattern = dialect.pattern();
    assertEquals(
        Stream.concat(USERS.stream(), ADDRESSES.stream())
            .sorted()
            .collect(Collectors.joining("\n")),
        entries.stream()
            .filter(entry -> !pattern.match(entry.line()))
            .map(HostileLog.Entry::name)
            .sorted()
            .collect(Collectors.joining("\n")));
  }

  @ParameterizedTest
  @EnumSource
  void theFieldsOfALineAreThoseThatItWasWrittenWith(Dialect dialect) {
    Grok pattern = dialect.pattern();
    for (HostileLog.Entry entry : entries) {
      if (pattern.match(entry.line())) {
        Map<String, Object> fields = pattern.captures(entry.line());
        assertNotNull(fields, entry.line());
        CombinedLine line = CombinedLine.read(entry.line());
        assertEquals(line.address(), text(fields, dialect.address), entry.line());
        assertEquals(line.user(), text(fields, dialect.user), entry.line());
        assertEquals(line.status(), text(fields, dialect.status), entry.line());
        assertEquals(line.length(), text(fields, dialect.length), entry.line());
      }
    }
  }

  private static String text(Map<String, Object> fields, String name) {
    Object value = fields.get(name);
    return value == null ? "-" : value.toString();
  }
}
