package dev.percolate.conformance;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request for one piece of middleware, to be answered by the originals and by ours.
 *
 * @param kind a parser's name, {@code cookies} or {@code query}
 * @param options the options it is made with
 * @param headers the request's headers, names in lower case; {@link #LENGTH} stands for the body's
 * @param url the request's target
 * @param body its body, each byte one character
 * @param cuts where the body is cut to pieces, ascending
 */
record Trial(
    String kind,
    Map<String, @Nullable Object> options,
    Map<String, String> headers,
    String url,
    String body,
    List<Integer> cuts) {

  /** Stands for the length that the body has. */
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

  /** Returns the headers as they are sent. */
  Map<String, String> sentHeaders() {
    Map<String, String> sent = new LinkedHashMap<>(headers);
    sent.replaceAll(
        (name, value) -> value.equals(LENGTH) ? Integer.toString(body.length()) : value);
    return sent;
  }

  /** Returns the body's pieces. */
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

  /** Returns what the other process gets. */
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
