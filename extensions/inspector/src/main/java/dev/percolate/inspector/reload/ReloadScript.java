package dev.percolate.inspector.reload;

import dev.percolate.http.Hash;
import dev.percolate.http.Html;
import dev.percolate.http.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The script that reloads a page when the application has changed. */
final class ReloadScript {

  private static final String TEXT = read();
  private static final String HASH = "'sha256-" + hash(TEXT) + "'";

  /** Sources that make browsers ignore {@code 'unsafe-inline'}. */
  private static final Pattern STRICT = Pattern.compile("'(?:nonce-|sha\\d|strict-dynamic)");

  private ReloadScript() {}

  /**
   * Returns the element that is added to a page.
   *
   * @param version the version of the application that created the page
   */
  static String element(String version) {
    return "\n<script data-version=\"" + Html.escape(version) + "\">" + TEXT + "</script>\n";
  }

  /**
   * Returns a content security policy that allows the script, and is otherwise unchanged.
   *
   * @param policies the value of the header, which may contain several policies
   */
  static String allowedBy(String policies) {
    return Stream.of(policies.split(",", -1))
        .map(ReloadScript::allowedByOne)
        .collect(Collectors.joining(", "));
  }

  private static String allowedByOne(String policy) {
    Map<String, String> directives = new LinkedHashMap<>();
    for (String part : policy.split(";", -1)) {
      String[] words = part.strip().split("\\s+", 2);
      String sources = words.length == 1 ? "" : words[1];
      directives.putIfAbsent(words[0].toLowerCase(Locale.ROOT), sources);
    }
    directives.remove("");
    String scripts = directives.containsKey("script-src-elem") ? "script-src-elem" : "script-src";
    allow(directives, scripts, HASH);
    allow(directives, "connect-src", "'self'");
    return directives.entrySet().stream()
        .map(one -> (one.getKey() + " " + one.getValue()).strip())
        .collect(Collectors.joining("; "));
  }

  /** Adds a source to a directive, whose default are the sources of {@code default-src}. */
  private static void allow(Map<String, String> directives, String name, String source) {
    String sources = directives.getOrDefault(name, directives.get("default-src"));
    if (sources == null) {
      return; // everything is allowed
    }
    boolean inline = sources.contains("'unsafe-inline'") && !STRICT.matcher(sources).find();
    if (sources.contains(source) || (inline && source.equals(HASH))) {
      return;
    }
    directives.put(name, sources.equals("'none'") ? source : (sources + " " + source).strip());
  }

  private static String read() {
    try (InputStream file = ReloadScript.class.getResourceAsStream("reload.js")) {
      if (file == null) {
        throw new IOException("the resource reload.js is missing");
      }
      return Utf8.text(file.readAllBytes()).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String text) {
    return Base64.getEncoder().encodeToString(Hash.of("SHA-256").digest(Utf8.bytes(text)));
  }
}
