package dev.percolate.conformance;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates the bytes of a request. */
final class RequestBytes {

  private RequestBytes() {}

  static byte[] of(Map<String, @Nullable Object> request) {
    if (request.get("raw") instanceof String raw) {
      return raw.getBytes(StandardCharsets.ISO_8859_1);
    }
    byte[] body = body(request.get("body"));
    boolean chunked = ScriptValues.isTrue(request.get("chunked"));
    StringBuilder head = new StringBuilder(method(request));
    head.append(' ').append(path(request)).append(" HTTP/1.1\r\n");
    boolean framed = false;
    for (String[] line : headers(request)) {
      framed |= line[0].equalsIgnoreCase("Content-Length");
      framed |= line[0].equalsIgnoreCase("Transfer-Encoding");
      head.append(line[0]).append(": ").append(line[1]).append("\r\n");
    }
    if (chunked) {
      head.append("Transfer-Encoding: chunked\r\n");
    } else if (body != null && !framed) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    byte[] payload = body == null ? new byte[0] : body;
    payload = chunked ? oneChunk(payload) : payload;
    if (request.get("abortAfter") instanceof Number count) {
      payload = Arrays.copyOf(payload, Math.min(payload.length, count.intValue()));
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    all.writeBytes(payload);
    return all.toByteArray();
  }

  static String method(Map<String, @Nullable Object> request) {
    return request.get("raw") instanceof String raw
        ? raw.split(" ", 2)[0]
        : ScriptValues.text(request.getOrDefault("method", "GET"));
  }

  static String path(Map<String, @Nullable Object> request) {
    Object path = request.get("path");
    return ScriptValues.isTrue(path) ? ScriptValues.text(path) : "/";
  }

  /** Returns the name and value of each header, including those that are always sent. */
  static List<String[]> headers(Map<String, @Nullable Object> request) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("Host", "localhost");
    all.put("Connection", "close");
    if (request.get("headers") instanceof Map<?, ?> given) {
      all.putAll(ScriptValues.map(given));
    }
    List<String[]> lines = new ArrayList<>();
    all.forEach(
        (name, value) -> {
          List<?> values = value instanceof List<?> list ? list : Arrays.asList(value);
          values.stream()
              .filter(one -> one != null)
              .forEach(one -> lines.add(new String[] {name, ScriptValues.text(one)}));
        });
    return lines;
  }

  static byte @Nullable [] body(@Nullable Object body) {
    if (body == null || body instanceof String) {
      return body == null ? null : ((String) body).getBytes(StandardCharsets.UTF_8);
    }
    Map<String, @Nullable Object> form = ScriptValues.map(body);
    if (form.get("base64") instanceof String base64) {
      return Base64.getDecoder().decode(base64);
    }
    List<@Nullable Object> repeat = ScriptValues.list(form.get("repeat"));
    int times = ((Number) ScriptValues.orUndefined(repeat.get(1))).intValue();
    return ScriptValues.text(repeat.get(0)).repeat(times).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] oneChunk(byte[] body) {
    ByteArrayOutputStream chunk = new ByteArrayOutputStream();
    chunk.writeBytes((Integer.toHexString(body.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
    chunk.writeBytes(body);
    String end = body.length > 0 ? "\r\n0\r\n\r\n" : "\r\n";
    chunk.writeBytes(end.getBytes(StandardCharsets.UTF_8));
    return chunk.toByteArray();
  }
}
