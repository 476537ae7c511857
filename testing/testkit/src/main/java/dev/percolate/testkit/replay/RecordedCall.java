package dev.percolate.testkit.replay;

import dev.percolate.core.JsonCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A recorded request and its response.
 *
 * @param id the name in the recording
 * @param method the method
 * @param target the path and query
 * @param headers the headers, by name in lower case
 * @param body the body; null if there is none
 * @param response the parts of the response that are known; null if there is none
 * @param skipped the reason why it cannot be sent again; null if it can
 */
@SuppressWarnings("ArrayRecordComponent") // is never compared
record RecordedCall(
    String id,
    String method,
    String target,
    Map<String, String> headers,
    byte @Nullable [] body,
    Map<String, @Nullable Object> response,
    @Nullable String skipped) {

  private static final JsonCodec.ReadOptions READING = new JsonCodec.ReadOptions(100, true);
  private static final String MARK = "\\$SECRET\\{[^}\\p{Cntrl}]{1,200}\\}";
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}";

  /**
   * Reads the requests of a recording, in order.
   *
   * @throws IllegalArgumentException if the file is not a recording, or is incomplete
   */
  static List<RecordedCall> read(Path file) throws IOException {
    List<RecordedCall> calls = new ArrayList<>();
    try {
      Object all = JsonCodec.find().read(Files.readString(file), READING);
      for (Object one : list(all)) {
        Map<String, @Nullable Object> scenario = map(one);
        if (scenario.containsKey("app") || scenario.containsKey("files")) {
          throw new IllegalArgumentException("it builds an application; see conformance/play");
        }
        List<?> requests = list(scenario.get("requests"));
        List<?> responses = list(scenario.get("expect"));
        for (int i = 0; i < requests.size(); i++) {
          Object response = i < responses.size() ? responses.get(i) : Map.of();
          calls.add(call(text(scenario.get("id"), "id"), map(requests.get(i)), map(response)));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + " is not a recording: " + e.getMessage(), e);
    }
    return calls;
  }

  String path() {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  @Nullable String header(String name) {
    return headers.get(name);
  }

  /** Returns the method and target. */
  @Override
  public String toString() {
    return method + " " + target;
  }

  private static RecordedCall call(
      String id, Map<String, @Nullable Object> request, Map<String, @Nullable Object> response) {
    String method = text(request.getOrDefault("method", "GET"), "method");
    String target = text(request.get("path"), "path");
    if (!method.matches(TOKEN)) {
      throw new IllegalArgumentException(id + ": invalid method");
    }
    boolean own = target.startsWith("/") || (target.equals("*") && method.equals("OPTIONS"));
    String sent = target.replaceAll(MARK, ""); // names of masks contain spaces
    if (!own || sent.chars().anyMatch(c -> c <= ' ' || c == 0x7f)) {
      throw new IllegalArgumentException(id + ": path must start with / and contain no spaces");
    }
    Map<String, String> headers = new LinkedHashMap<>();
    map(request.getOrDefault("headers", Map.of()))
        .forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), text(value, name)));
    headers.forEach(
        (name, value) -> {
          if (!name.matches(TOKEN) || value.chars().anyMatch(c -> c < ' ' && c != '\t')) {
            throw new IllegalArgumentException(id + ": invalid header");
          }
        });
    Object omitted = request.get("bodyOmitted");
    String skipped = omitted == null ? null : "the body was not recorded: " + omitted;
    if (headers.containsKey("upgrade")) {
      skipped = "it asks for another protocol";
    }
    return new RecordedCall(
        id, method, target, headers, body(request.get("body")), response, skipped);
  }

  private static byte @Nullable [] body(@Nullable Object body) {
    if (body instanceof Map<?, ?> coded) {
      return Base64.getDecoder().decode(text(coded.get("base64"), "base64"));
    }
    return body == null ? null : text(body, "body").getBytes(StandardCharsets.UTF_8);
  }

  private static String text(@Nullable Object value, String name) {
    if (value instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(name + " must be a string");
  }

  private static List<?> list(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new IllegalArgumentException("it must contain a list of scenarios");
  }

  @SuppressWarnings("unchecked") // maps of JSON have names
  static Map<String, @Nullable Object> map(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw new IllegalArgumentException("scenarios, requests and responses must be objects");
  }
}
