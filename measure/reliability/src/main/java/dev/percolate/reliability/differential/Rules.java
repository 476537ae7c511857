package dev.percolate.reliability.differential;

import static java.util.Map.entry;

import dev.percolate.engine.ListenOptions;
import dev.percolate.reliability.differential.Reading.Part;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Conditions on the bytes under which a difference is explained, by the rule names in {@code
 * differences.txt}.
 */
final class Rules {

  private static final String CODING = "transfer-encoding";
  private static final ListenOptions LIMITS = ListenOptions.ofPort(0);
  private static final String HOST_NAME = "(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+";
  private static final String HOST = "(?:" + HOST_NAME + "|\\[[0-9A-Fa-f:.]+\\])(?::\\d{0,5})?";
  private static final Pattern VALID_HOST = Pattern.compile(HOST);
  private static final Pattern VALID_TARGET =
      Pattern.compile("/[!-~]*|(?i:https?://)" + HOST + "(?:[/?][!-~]*)?");
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern DIGITS = Pattern.compile("0*[0-9]{1,18}");
  private static final Pattern VERSION = Pattern.compile("HTTP/1\\.[0-9]");
  private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]");

  private static final String WORD = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final String QUOTED = "\"(?:[^\"\\\\]|\\\\.)*\"";
  private static final String SIZE = "[0-9a-fA-F]+";
  private static final Pattern CHUNK =
      Pattern.compile(
          SIZE
              + ("(?:[ \t]*;[ \t]*" + WORD)
              + ("(?:[ \t]*=[ \t]*(?:" + WORD + "|" + QUOTED + "))?)*"));
  private static final Pattern LAST_CHUNK = Pattern.compile("(?:^|\n)0+(?:;[^\r]*)?\r\n");
  private static final Pattern MANY_ZEROS = Pattern.compile("(?:^|\n)0{16,}");
  private static final Pattern EXTENSION_BLANK =
      Pattern.compile("(?:^|\n)" + SIZE + "[\t ]*;[^\r\"]*[\t ]");
  private static final Pattern IN_TRAILERS =
      Pattern.compile("(?s)(?:^|.*\n)0+(?:[ \t]*;[^\r]*)?\r\n(?:[^\r\n]+\r\n)*");
  private static final Pattern EXTENSION_8_BIT =
      Pattern.compile("(?:^|\n)" + SIZE + "[ \t]*;[^\r]*\"[^\r]*[\\x80-\\xff]");

  /** Rules for a rejected line of a head. */
  private static final Map<String, Predicate<Difference>> LINES =
      Map.ofEntries(
          entry("bare-lf", d -> d.rejected().endsWith("\n") && !d.rejected().endsWith("\r\n")),
          entry("bare-cr", d -> line(d).contains("\r")),
          entry("control", d -> CONTROL.matcher(line(d)).find()),
          entry("empty-lines", d -> line(d).isEmpty()),
          entry("blanks", d -> isFirst(d) && hasOddBlanks(line(d))),
          entry("method", d -> isFirst(d) && !isToken(line(d).split("[ \t]", 2)[0])),
          entry("long-method", d -> isFirst(d) && line(d).matches("(?s)[^ ]{65}.*")),
          entry("version", d -> isFirst(d) && !isVersion(line(d))),
          entry("fold", d -> !isFirst(d) && line(d).matches("(?s)[ \t].*")),
          entry("long-line", d -> isFirst(d) && line(d).length() > LIMITS.maxTargetLength()),
          entry("long-head", d -> d.head().length() > LIMITS.maxHeaderBytes()));

  /** Rules for a rejected head with well-formed lines. */
  private static final Map<String, Predicate<Difference>> HEADS =
      Map.ofEntries(
          entry("many-headers", d -> head(d).lines() > LIMITS.maxHeaders()),
          entry("connect", d -> head(d).method().equals("CONNECT")),
          entry("target", d -> !isTarget(head(d))),
          entry("no-host", d -> head(d).all("host").isEmpty() && !isOld(d)),
          entry("two-hosts", d -> head(d).all("host").size() > 1),
          entry("host", d -> head(d).all("host").stream().anyMatch(host -> !isHost(host))),
          entry("expect", d -> !head(d).all("expect").stream().allMatch(Rules::isContinue)),
          entry("length", d -> !head(d).all("content-length").stream().allMatch(Rules::isLength)),
          entry("coding", d -> !head(d).all(CODING).stream().allMatch(Rules::isChunked)),
          entry("old-coding", d -> isOld(d) && !head(d).all(CODING).isEmpty()));

  /** Rules for the bytes of a chunked body up to the rejected one. */
  private static final Map<String, Predicate<Difference>> BODIES =
      Map.ofEntries(
          entry("chunk-bare-lf", d -> d.rejected().equals("\n")),
          entry("chunk-bare-cr", d -> d.chunkLine().matches("(?s).*\r[^\n]")),
          entry("chunk-control", d -> CONTROL.matcher(d.rejected()).find()),
          entry("chunk-large", d -> d.chunkLine().matches("0*[0-9a-fA-F]{8,}")),
          entry("chunk-blank", d -> chunkLine(d).matches("[0-9a-fA-F]+(?:[ \t]*;.*)?[ \t]+")),
          entry("chunk-extension", d -> isChunkLine(d) && !CHUNK.matcher(chunkLine(d)).matches()),
          entry("folded-trailer", d -> inTrailers(d) && d.chunkLine().matches("[ \t]")),
          entry("long-trailers", d -> inTrailers(d) && taken(d) > LIMITS.maxHeaderBytes()));

  /** Rules for a message that the nio engine accepts, or both read differently. */
  private static final Map<String, Predicate<Difference>> OTHERS =
      Map.ofEntries(
          entry("no-port", d -> head(d).all("host").stream().anyMatch(h -> h.matches(".*:0*"))),
          entry("minor-version", d -> head(d).version().matches("HTTP/1\\.[2-9]")),
          entry("head-and-trailers", Rules::areLong),
          entry("many-zeros", d -> MANY_ZEROS.matcher(d.body()).find()),
          entry("extension-blank", d -> EXTENSION_BLANK.matcher(d.body()).find()),
          entry("extension-8-bit", d -> EXTENSION_8_BIT.matcher(d.body()).find()));

  private Rules() {}

  /** Returns all names. */
  static List<String> names() {
    return List.of(LINES, HEADS, BODIES, OTHERS).stream()
        .flatMap(rules -> rules.keySet().stream())
        .sorted()
        .toList();
  }

  /** Returns true if a rule holds for a difference. */
  static boolean holds(String name, Difference difference) {
    Map<String, Predicate<Difference>> rules =
        switch (difference.kind() == Difference.Kind.STRICTER ? difference.part() : Part.NOTHING) {
          case LINE -> LINES;
          case HEAD -> HEADS;
          case BODY -> BODIES;
          case NOTHING -> OTHERS;
        };
    Predicate<Difference> rule = rules.get(name);
    return rule != null && rule.test(difference);
  }

  /** Returns the rejected line, without its end. */
  private static String line(Difference difference) {
    String line = difference.rejected();
    int end = line.endsWith("\n") ? line.length() - 1 : line.length();
    return line.substring(0, end > 0 && line.charAt(end - 1) == '\r' ? end - 1 : end);
  }

  private static boolean isFirst(Difference difference) {
    String before =
        difference.head().substring(0, difference.head().length() - difference.rejected().length());
    return before.isEmpty() || before.equals("\r\n");
  }

  private static boolean hasOddBlanks(String line) {
    return line.matches("(?s)[ \t].*|.*[ \t]|.*(?:  |[\t\u000b\f]).*")
        || line.chars().filter(c -> c == ' ').count() != 2;
  }

  private static boolean isVersion(String line) {
    return VERSION.matcher(line.substring(line.lastIndexOf(' ') + 1)).matches();
  }

  private static boolean isToken(String text) {
    return TOKEN.matcher(text).matches();
  }

  /** Returns the line of a chunk with the rejected byte, without its end. */
  private static String chunkLine(Difference difference) {
    return (difference.chunkLine() + difference.behind()).split("[\r\n]", 2)[0];
  }

  private static boolean isChunkLine(Difference difference) {
    return chunkLine(difference).matches(SIZE + "(?:[ \t]*;.*)?");
  }

  /** Returns the number of bytes of a body up to the rejected one. */
  private static int taken(Difference difference) {
    return difference.body().length() - difference.behind().length();
  }

  private static boolean inTrailers(Difference difference) {
    int end = taken(difference) - difference.chunkLine().length();
    return end >= 0 && IN_TRAILERS.matcher(difference.body().substring(0, end)).matches();
  }

  /** Returns true if a head and the trailers of its body together exceed the limit of each. */
  private static boolean areLong(Difference difference) {
    Matcher last = LAST_CHUNK.matcher(difference.body());
    int trailers = last.find() ? difference.body().length() - last.end() : 0;
    return difference.head().length() + trailers > LIMITS.maxHeaderBytes();
  }

  private static HeadText head(Difference difference) {
    return new HeadText(difference.head());
  }

  private static boolean isOld(Difference difference) {
    return head(difference).version().equals("HTTP/1.0");
  }

  private static boolean isTarget(HeadText head) {
    return (VALID_TARGET.matcher(head.target()).matches() && isHost(authority(head.target())))
        || (head.target().equals("*") && head.method().equals("OPTIONS"));
  }

  private static String authority(String target) {
    return target.startsWith("/") ? "" : target.split("[/?]", 4)[2];
  }

  private static boolean isHost(String host) {
    if (!VALID_HOST.matcher(host).matches()) {
      return false;
    }
    int bracket = host.indexOf(']');
    int port = host.indexOf(':', Math.max(0, bracket));
    boolean valid = port < 0 || portOf(host, port) <= 65_535;
    return valid && (bracket < 0 || isAddress(host.substring(0, bracket + 1)));
  }

  private static int portOf(String host, int colon) {
    return colon + 1 == host.length() ? 0 : Integer.parseInt(host.substring(colon + 1));
  }

  /** Returns true if an address in brackets is valid; nothing is looked up. */
  private static boolean isAddress(String bracketed) {
    if (bracketed.matches(".*[0-9A-Fa-f]{5,}.*")) {
      return false; // Java accepts more than four digits
    }
    try {
      return InetAddress.getByName(bracketed) instanceof Inet6Address;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static boolean isContinue(String expectation) {
    return expectation.equalsIgnoreCase("100-continue");
  }

  private static boolean isLength(String length) {
    return DIGITS.matcher(length).matches();
  }

  private static boolean isChunked(String coding) {
    return coding.equalsIgnoreCase("chunked");
  }
}
