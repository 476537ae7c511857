package dev.percolate.testkit.replay;

import dev.percolate.core.JsonCodec;
import dev.percolate.http.Headers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** Writes requests and responses as scenarios, with masks. Not thread-safe. */
final class TapeText {

  private static final Set<String> UNSENT =
      Set.of(
          "accept-encoding connection content-encoding content-length expect transfer-encoding"
              .split(" "));

  private static final Set<String> UNSEEN =
      Set.of(
          ("connection content-encoding content-length date keep-alive server transfer-encoding"
                  + " x-powered-by")
              .split(" "));

  private final Masking masking;
  private final SecretMarks marks;
  private final List<String> values;
  private final int limit;
  private int count;

  /**
   * Creates a writer.
   *
   * @param values free texts that are masked wherever they occur
   * @param limit the maximum size of a decompressed body, in bytes
   */
  TapeText(Masking masking, SecretMarks marks, List<String> values, int limit) {
    this.masking = masking;
    this.marks = marks;
    this.values = values;
    this.limit = limit;
  }

  /**
   * Returns a scenario in JSON, on one line.
   *
   * @param failure a description of the failure; null if there is none
   */
  String of(Tape tape, @Nullable String failure) {
    marks.next(values);
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("method", tape.method);
    request.put("path", masking.target(tape.target));
    request.put("headers", headers(tape.headers, UNSENT));
    body(request, tape.headers, tape.body, "base64");
    Map<String, Object> response = new LinkedHashMap<>();
    if (failure != null) {
      response.put(Comparison.FAILED, masking.warning(failure, tape.target));
    }
    response.put("status", tape.status);
    response.put("headers", headers(tape.responseHeaders, UNSEEN));
    body(response, tape.responseHeaders, tape.responseBody, "bodyBase64");
    if (!response.containsKey("bodyBase64") && !response.containsKey("bodyOmitted")) {
      response.putIfAbsent("body", "");
    }
    count++;
    Map<String, Object> scenario = new LinkedHashMap<>();
    scenario.put("id", "%s/%04d".formatted(tape.method.toLowerCase(Locale.ROOT), count));
    scenario.put("at", tape.at.toString());
    scenario.put("requests", List.of(request));
    scenario.put("expect", List.of(response));
    request.replaceAll(this::everywhere);
    response.replaceAll(this::everywhere);
    return JsonCodec.find().write(scenario, JsonCodec.WriteOptions.COMPACT);
  }

  /** Masks values also where no rule names the place. */
  private Object everywhere(String part, Object value) {
    if (value instanceof Map<?, ?> map && part.equals("headers")) {
      Map<String, Object> masked = new LinkedHashMap<>();
      map.forEach(
          (name, line) -> masked.put(String.valueOf(name), marks.everywhere(String.valueOf(line))));
      return masked;
    }
    boolean text = part.equals("path") || part.equals("body") || part.equals(Comparison.FAILED);
    return text && value instanceof String plain ? marks.everywhere(plain) : value;
  }

  private Map<String, String> headers(Headers headers, Set<String> without) {
    Map<String, String> masked = new LinkedHashMap<>();
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i).toLowerCase(Locale.ROOT);
      if (!without.contains(name)) {
        String joint = name.equals("set-cookie") ? "\n" : name.equals("cookie") ? "; " : ", ";
        masked.merge(name, masking.header(name, headers.value(i)), (all, one) -> all + joint + one);
      }
    }
    return masked;
  }

  private void body(Map<String, Object> message, Headers headers, Tape.Copy copy, String base64) {
    byte[] bytes = copy.bytes();
    if (bytes == null) {
      message.put("bodyOmitted", copy.omitted());
      return;
    }
    if (bytes.length == 0) {
      return;
    }
    byte[] plain = decompressed(headers.get("Content-Encoding"), bytes);
    Object masked = plain == null ? null : masking.body(headers.get("Content-Type"), plain);
    if (masked == null) {
      message.put("bodyOmitted", "its secrets cannot be found");
    } else if (masked instanceof Map<?, ?> coded && base64.equals("bodyBase64")) {
      message.put(base64, String.valueOf(coded.get("base64")));
    } else {
      message.put("body", masked);
    }
  }

  /** Decompresses a body; returns null for unknown codings and bodies that become too long. */
  private byte @Nullable [] decompressed(@Nullable String coding, byte[] bytes) {
    if (coding == null || coding.equalsIgnoreCase("identity")) {
      return bytes;
    }
    boolean gzip = coding.equalsIgnoreCase("gzip");
    if (!gzip && !coding.equalsIgnoreCase("deflate")) {
      return null;
    }
    InputStream in = new ByteArrayInputStream(bytes);
    try (InputStream plain = gzip ? new GZIPInputStream(in) : new InflaterInputStream(in)) {
      byte[] all = plain.readNBytes(limit + 1);
      return all.length > limit ? null : all;
    } catch (IOException e) {
      return null;
    }
  }
}
