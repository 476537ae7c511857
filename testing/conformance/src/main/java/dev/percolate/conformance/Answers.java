package dev.percolate.conformance;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Converts responses to the form of the recorded ones. */
final class Answers {

  private static final Set<String> IGNORED =
      Set.of("date", "connection", "keep-alive", "transfer-encoding", "x-powered-by", "server");

  private Answers() {}

  /** Returns a response that consists of a word, such as {@code aborted}. */
  static Map<String, @Nullable Object> word(String word) {
    return new LinkedHashMap<>(Map.of(word, true));
  }

  static Map<String, @Nullable Object> setupError(String message) {
    return new LinkedHashMap<>(Map.of("setupError", message));
  }

  static Map<String, @Nullable Object> of(int status, Map<String, String> headers, byte[] body) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("status", status);
    answer.put("headers", headers);
    String text = utf8(body);
    answer.put(text == null ? "bodyBase64" : "body", text == null ? base64(body) : text);
    return answer;
  }

  /** Collects a header, if it is compared. */
  static void header(String name, String value, Map<String, String> headers) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (!IGNORED.contains(lower)) {
      headers.merge(lower, value, (before, more) -> before + "\n" + more);
    }
  }

  /** Parses all bytes of a connection. */
  static Map<String, @Nullable Object> parse(byte[] bytes, String method) {
    int split = find(bytes, "\r\n\r\n", 0);
    int from = 0;
    if (split >= 0 && text(bytes, 0, split).startsWith("HTTP/1.1 100 ")) {
      from = split + 4;
      split = find(bytes, "\r\n\r\n", from);
    }
    if (split < 0) {
      return word("empty");
    }
    String[] lines = text(bytes, from, split).split("\r\n", -1);
    Map<String, String> headers = new TreeMap<>();
    boolean chunked = false;
    for (String line : Arrays.asList(lines).subList(1, lines.length)) {
      int colon = line.indexOf(':');
      String name = line.substring(0, Math.max(colon, 0));
      String value = line.substring(colon + 1).strip();
      chunked |= name.equalsIgnoreCase("Transfer-Encoding") && value.contains("chunked");
      header(name, value, headers);
    }
    byte[] rest = Arrays.copyOfRange(bytes, split + 4, bytes.length);
    boolean framed = chunked && !method.equals("HEAD");
    return of(
        Integer.parseInt(lines[0].split(" ", 3)[1]), headers, framed ? dechunked(rest) : rest);
  }

  private static byte[] dechunked(byte[] bytes) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int at = 0;
    while (at < bytes.length) {
      int line = find(bytes, "\r\n", at);
      int size =
          line < 0 ? 0 : Integer.parseInt(text(bytes, at, line).split(";", 2)[0].strip(), 16);
      if (size == 0) {
        break;
      }
      body.write(bytes, line + 2, Math.min(size, bytes.length - line - 2));
      at = line + 2 + size + 2;
    }
    return body.toByteArray();
  }

  private static int find(byte[] bytes, String wanted, int from) {
    byte[] pattern = wanted.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = from; i <= bytes.length - pattern.length; i++) {
      if (Arrays.equals(bytes, i, i + pattern.length, pattern, 0, pattern.length)) {
        return i;
      }
    }
    return -1;
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
