package dev.percolate.middleware.store;

import dev.percolate.core.Response;
import dev.percolate.http.AcceptEncoding;
import dev.percolate.http.Headers;
import dev.percolate.http.Vary;
import dev.percolate.middleware.compression.DeflateFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A stored response: its status code, the headers that the route set, and its body without content
 * coding. Middleware before the route sets its headers again for each request.
 *
 * <p>The text form is a line with status code and coding, a line for each header, an empty line,
 * and the body in base64. If the body was too long or was cut off, it is {@code -}.
 *
 * @param coding the coding that the route or middleware after this one chose; {@code none} for no
 *     coding
 * @param lines the headers: {@code =} to replace headers of earlier middleware or {@code +} to add
 *     to them, then the name, a colon, a space and the value
 */
public record StoredResponse(int status, String coding, List<String> lines, String content) {

  /** Headers that belong to one response or connection, are generated again, or are secrets. */
  private static final Set<String> NOT_KEPT =
      Set.of(
          ("connection content-encoding content-length date keep-alive ratelimit-limit"
                  + " ratelimit-remaining ratelimit-reset set-cookie transfer-encoding")
              .split(" "));

  private static final String TOO_LONG = "-";
  private static final String NONE = "none";

  /** The prefix of a coding that cannot be decoded here. */
  private static final String FIXED = "!";

  /**
   * Creates a response without its body.
   *
   * @param before the headers that middleware before the route set
   */
  public static StoredResponse head(int status, Headers headers, Headers before) {
    Map<String, String> names = new LinkedHashMap<>();
    headers.forEach((name, value) -> names.putIfAbsent(name.toLowerCase(Locale.ROOT), name));
    names.keySet().removeAll(NOT_KEPT);
    List<String> lines = new ArrayList<>();
    names.forEach(
        (lower, name) -> {
          List<String> now = headers.all(name);
          List<String> then = before.all(name);
          if (lower.equals("vary")) {
            List<String> known = Vary.names(String.join(",", then));
            Vary.names(String.join(",", now)).stream()
                .filter(field -> known.stream().noneMatch(field::equalsIgnoreCase))
                .forEach(field -> lines.add("+" + name + ": " + field));
          } else if (!now.equals(then)) {
            int kept = then.size();
            boolean added = kept > 0 && now.size() > kept && now.subList(0, kept).equals(then);
            now.subList(added ? kept : 0, now.size())
                .forEach(value -> lines.add((added ? "+" : "=") + name + ": " + value));
          }
        });
    return new StoredResponse(status, coding(headers), lines, "");
  }

  private static String coding(Headers headers) {
    String coding = String.join(",", headers.all("Content-Encoding")).toLowerCase(Locale.ROOT);
    coding = coding.replace(" ", "").replace("identity", "");
    return coding.isEmpty() ? NONE : coding;
  }

  /**
   * Returns a copy with a body.
   *
   * @param body the body as it was sent
   * @param most the longest body without its coding, in bytes
   */
  public StoredResponse with(byte[] body, int most) {
    byte[] plain = plain(body, most);
    if (plain == null) {
      return new StoredResponse(status, FIXED + coding, lines, base64(body));
    }
    return plain.length > most
        ? withoutBody()
        : new StoredResponse(status, coding, lines, base64(plain));
  }

  /**
   * Decodes the body, up to one byte more than the limit; returns null if the coding is unknown.
   */
  private byte @Nullable [] plain(byte[] body, int most) {
    if (coding.equals(NONE) || body.length == 0) {
      return body;
    }
    try (InputStream sent = new ByteArrayInputStream(body);
        InputStream plain =
            switch (coding) {
              case "gzip", "x-gzip" -> new GZIPInputStream(sent);
              case "deflate" -> new InflaterInputStream(sent);
              default -> throw new IOException("unknown");
            }) {
      return plain.readNBytes(most + 1);
    } catch (IOException e) {
      return null;
    }
  }

  private static String base64(byte[] body) {
    return Base64.getEncoder().encodeToString(body);
  }

  /** Returns a copy that records that the body could not be stored. */
  public StoredResponse withoutBody() {
    return new StoredResponse(status, coding, lines, TOO_LONG);
  }

  public String write() {
    StringBuilder text = new StringBuilder().append(status).append(' ').append(coding).append('\n');
    lines.forEach(line -> text.append(line).append('\n'));
    return text.append('\n').append(content).toString();
  }

  /**
   * Reads the text that {@link #write} wrote.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static StoredResponse read(String text) {
    int end = text.indexOf("\n\n");
    if (end < 0) {
      throw new IllegalArgumentException("missing body");
    }
    List<String> lines = List.of(text.substring(0, end).split("\n", -1));
    String[] first = lines.get(0).split(" ", -1);
    int status = Integer.parseInt(first[0]);
    if (status < 200 || status > 499 || first.length != 2) {
      throw new IllegalArgumentException("invalid status");
    }
    List<String> headers = lines.subList(1, lines.size());
    boolean fine = headers.stream().allMatch(line -> line.matches("(?s)[=+][^: ]+: .*"));
    if (!fine) {
      throw new IllegalArgumentException("invalid header");
    }
    String content = text.substring(end + 2);
    if (!content.equals(TOO_LONG)) {
      byte[] ignored = Base64.getDecoder().decode(content); // only to reject invalid data early
    }
    return new StoredResponse(status, first[1], headers, content);
  }

  /**
   * Returns true if a client can get this response: its body is stored, in a coding that the client
   * accepts.
   */
  public boolean suits(@Nullable String acceptEncoding) {
    boolean takesAny = !coding.startsWith(FIXED) || accepts(acceptEncoding, coding.substring(1));
    return !content.equals(TOO_LONG) && takesAny;
  }

  private static boolean accepts(@Nullable String header, String coding) {
    // The name alone, or with a quality above 0; lists of codings are never accepted.
    String sent = header == null ? "" : header.toLowerCase(Locale.ROOT).replace(" ", "");
    return List.of(sent.split(",", -1)).stream()
        .map(entry -> entry.split(";", 2))
        .anyMatch(
            entry ->
                entry[0].equals(coding) && (entry.length == 1 || !entry[1].matches("q=0(\\.0*)?")));
  }

  /** Sends the response. */
  public void give(Response res) {
    for (String line : lines) {
      if (line.startsWith("=")) {
        Object ignored = res.headers().remove(line.substring(1, line.indexOf(':')));
      }
    }
    for (String line : lines) {
      int colon = line.indexOf(':');
      String name = line.substring(1, colon);
      String value = line.substring(colon + 2);
      Response ignored = name.equalsIgnoreCase("Vary") ? res.vary(value) : res.append(name, value);
    }
    res.status(status).set("Idempotency-Replayed", "true");
    byte[] body = Base64.getDecoder().decode(content);
    if (body.length == 0) {
      res.end();
      return;
    }
    if (coding.startsWith(FIXED)) {
      res.set("Content-Encoding", coding.substring(1));
    } else if (!coding.equals(NONE)) {
      res.onHeaders(() -> compress(res));
    }
    res.send(body);
  }

  /** Compresses for this client, as later middleware did for the first client. */
  private static void compress(Response res) {
    String best = AcceptEncoding.best(res.req().get("Accept-Encoding"));
    res.vary("Accept-Encoding");
    if (best != null && res.bodyLength() > 0 && !res.req().method().equals("HEAD")) {
      res.filter(new DeflateFilter(best.equals("gzip"), Deflater.DEFAULT_COMPRESSION));
      DeflateFilter.describe(res, best, true);
    }
  }
}
