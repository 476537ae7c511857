package dev.percolate.conformance;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to a middleware, sent to the original and to ours.
 *
 * @param kind the name of a parser, {@code cookies} or {@code query}
 * @param options the options of the middleware
 * @param headers the headers, with names in lower case; {@link #LENGTH} is replaced with the length
 *     of the body
 * @param url the request target
 * @param body the body, with one character for each byte
 * @param cuts the positions at which the body is cut into chunks, in ascending order
 */
record Trial(
    String kind,
    Map<String, @Nullable Object> options,
    Map<String, String> headers,
    String url,
    String body,
    List<Integer> cuts) {

  /** Replaced with the length of the body. */
  static final String LENGTH = "length";

  static Trial of(String kind, Map<String, @Nullable Object> options) {
    return new Trial(kind, options, Map.of(), "/", "", List.of());
  }

  Trial options(Map<String, @Nullable Object> changed) {
    return new Trial(kind, changed, headers, url, body, cuts);
  }

  Trial headers(Map<String, String> changed) {
    return new Trial(kind, options, changed, url, body, cuts);
  }

  Trial header(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(headers);
    changed.put(name, value);
    return headers(changed);
  }

  Trial url(String changed) {
    return new Trial(kind, options, headers, changed, body, cuts);
  }

  Trial body(String changed) {
    List<Integer> inside = cuts.stream().filter(cut -> cut < changed.length()).toList();
    return new Trial(kind, options, headers, url, changed, inside);
  }

  Trial cuts(List<Integer> changed) {
    return new Trial(kind, options, headers, url, body, changed);
  }

  /** Returns the headers to send. */
  Map<String, String> sentHeaders() {
    Map<String, String> sent = new LinkedHashMap<>(headers);
    sent.replaceAll(
        (name, value) -> value.equals(LENGTH) ? Integer.toString(body.length()) : value);
    return sent;
  }

  /** Returns the chunks of the body. */
  List<byte[]> pieces() {
    List<byte[]> pieces = new ArrayList<>();
    int start = 0;
    for (int cut : cuts) {
      pieces.add(bytes(body.substring(start, cut)));
      start = cut;
    }
    pieces.add(bytes(body.substring(start)));
    return pieces;
  }

  /** Returns the trial in the form for the Node process. */
  Map<String, @Nullable Object> asMap() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("kind", kind);
    map.put("options", options);
    map.put("headers", sentHeaders());
    map.put("url", url);
    map.put("body", Base64.getEncoder().encodeToString(bytes(body)));
    map.put("cuts", cuts);
    return map;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
