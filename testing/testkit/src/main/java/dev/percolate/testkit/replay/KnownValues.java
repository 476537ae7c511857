package dev.percolate.testkit.replay;

import dev.percolate.http.JsonText;
import dev.percolate.http.Percent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values that later requests send instead of the recorded ones: secrets from a file, and what
 * responses contain, such as cookies, tokens and ids.
 */
final class KnownValues {

  /** A secret in JSON that was not a string. */
  private static final Pattern QUOTED = Pattern.compile("\"\\$SECRET\\{([^}\"]{1,200})#\\}\"");

  private static final int SHORT = 16;

  private final Map<String, String> secrets = new HashMap<>();
  private final Map<String, String> ids = new HashMap<>();
  private final Map<String, String> shortIds = new HashMap<>();
  private final Map<String, String> tags = new HashMap<>();
  private final Set<String> missing = new TreeSet<>();

  /** The syntax that surrounds a value. */
  enum Syntax {
    PLAIN,
    URL,
    JSON
  }

  /**
   * Reads secrets from a file with lines {@code name=value}.
   *
   * @throws IllegalArgumentException if a line has another form
   */
  void read(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      int equals = line.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(file + ": each line must have the form name=value");
      }
      secrets.put(line.substring(0, equals), line.substring(equals + 1));
    }
  }

  void learnSecret(String name, String value) {
    secrets.put(name, Entities.decoded(value));
  }

  /**
   * Learns an id.
   *
   * @return false if an earlier message had another value for it
   */
  boolean learnId(String recorded, String received) {
    String before = ids.putIfAbsent(recorded, received);
    return before == null || before.equals(received);
  }

  /** Learns an entity tag. */
  void learnTag(String recorded, String received) {
    tags.put(recorded, received);
  }

  /** Returns a condition such as {@code If-None-Match} with the entity tags of this run. */
  String withTags(String recorded) {
    String text = recorded;
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      text = text.replace(tag.getKey(), tag.getValue());
    }
    return text;
  }

  /** Learns a value that may change within the recording, such as a number. */
  void learnChanging(String recorded, String received) {
    (recorded.length() < SHORT ? shortIds : ids).put(recorded, received);
  }

  /** Returns the names of secrets without a value that requests needed. */
  Set<String> missing() {
    return missing;
  }

  /** Returns true if a text contains a secret without a value, and adds it to the missing ones. */
  boolean lacks(String text) {
    boolean lacks = false;
    for (Generated value = Generated.in(text); !lacks && value.find(); ) {
      lacks = value.isSecret() && !secrets.containsKey(value.name());
      if (lacks) {
        missing.add(value.name());
      }
    }
    return lacks;
  }

  /** Returns a part of a request with the values of this run. */
  String filled(String recorded, Syntax syntax) {
    String text = recorded;
    if (syntax == Syntax.JSON) {
      text =
          QUOTED.matcher(text).replaceAll(mark -> Matcher.quoteReplacement(secret(mark.group(1))));
    }
    StringBuilder out = new StringBuilder(text.length());
    int copied = 0;
    for (Generated value = Generated.in(text); value.find(); copied = value.end()) {
      out.append(text, copied, value.start());
      out.append(value.isSecret() ? encoded(secret(value.name()), syntax) : id(value));
    }
    return withShortIds(out.append(text, copied, text.length()).toString(), syntax);
  }

  /** Returns the value of this run; the recorded one if no response had it. */
  private String id(Generated value) {
    String recorded = value.text();
    if (value.isDate()) {
      return recorded;
    }
    String known = ids.get(recorded);
    if (known == null) {
      ids.put(recorded, recorded); // the client chose it, so responses must repeat it
    }
    return known == null ? recorded : known;
  }

  private String withShortIds(String text, Syntax syntax) {
    String filled = text;
    String before = syntax == Syntax.URL ? "(?<=[/=])" : "(?<=[:\\[,]|\"(?=[^:]))";
    for (Map.Entry<String, String> id : shortIds.entrySet()) {
      String whole = before + Pattern.quote(id.getKey()) + "(?![\\w.%-])";
      filled = filled.replaceAll(whole, Matcher.quoteReplacement(id.getValue()));
    }
    return filled;
  }

  private String secret(String name) {
    String value = secrets.get(name);
    if (value == null) {
      missing.add(name);
      return "secret-" + name.replaceAll("[^A-Za-z0-9]", "-");
    }
    return value;
  }

  private static String encoded(String value, Syntax syntax) {
    String json = JsonText.of(value);
    return switch (syntax) {
      case PLAIN -> value;
      case URL -> Percent.encodeComponent(value);
      case JSON -> json.substring(1, json.length() - 1);
    };
  }
}
