package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.percolate.benchmarks.PercolateServer;
import dev.percolate.reliability.Question.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Creates random requests of all kinds for a {@link PercolateServer} in production. If the response
 * can repeat it, a request has a unique random value, so that a response to another request is
 * detected.
 */
final class Questions {

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String PAGE = "text/html; charset=utf-8";
  private static final String JSON = "application/json; charset=utf-8";
  private static final int LIMIT = 100 << 10;
  private static final int SMALLEST_JSON = 10;
  private static final int LARGEST_JSON = 90_000;
  private static final int LONGEST_SLEEP_MS = 10;
  private static final String[] METHODS = {"GET", "DELETE", "POST", "PUT"};

  /** Parts of a path: encoded, decoded, and in a page. */
  private static final String[][] PARTS = {
    {"a", "a", "a"},
    {"Z-9_~", "Z-9_~", "Z-9_~"},
    {"+", "+", "+"},
    {"&", "&", "&amp;"},
    {"'", "'", "&#39;"},
    {"%20", " ", "%20"},
    {"%2F", "/", "%2F"},
    {"%25", "%", "%25"},
    {"%3F", "?", "%3F"},
    {"%C3%A4", "ä", "%C3%A4"},
    {"%e6%bc%a2", "漢", "%e6%bc%a2"},
    {"%F0%9F%98%80", "😀", "%F0%9F%98%80"},
  };

  private final SplittableRandom random;
  private final Set<Kind> kinds;
  private final RandomJson json;
  private @Nullable Question seen;
  private String tag = "";

  Questions(SplittableRandom random, Set<Kind> kinds) {
    this.random = random;
    this.kinds = kinds;
    this.json = new RandomJson(random);
  }

  /** Creates a request, which may ask to close the connection. */
  Question next(boolean last) {
    Kind kind = kind();
    String end = last ? "Connection: close\r\n" : "";
    return switch (kind) {
      case PLAINTEXT -> get(kind, "/plaintext", end, TEXT, "Hello, World!");
      case JSON -> get(kind, "/json", end, JSON, "{\"message\":\"Hello, World!\"}");
      case SLOW -> get(kind, "/slow?ms=" + random.nextInt(LONGEST_SLEEP_MS), end, PAGE, "slept");
      case USERS -> users(kind, "GET", end);
      case HEAD -> random.nextBoolean() ? users(kind, "HEAD", end) : headOfPlaintext(end);
      case CONDITIONAL -> conditional(end);
      case UNKNOWN -> unknown(end);
      case ECHO, ECHO_CHUNKED, ECHO_GZIP -> echo(kind, end);
      case MALFORMED -> malformed(end);
      case TOO_LARGE -> tooLarge(end);
    };
  }

  /** Stores the entity tag of a right response, which a later request may repeat. */
  void learn(Question question, FramedResponse response) {
    String found = response.header("etag");
    if (question.kind == Kind.USERS && found != null) {
      seen = question;
      tag = found;
    }
  }

  private Kind kind() {
    Kind kind = RandomChoice.weighted(random, kinds, each -> each.weight);
    return kind == Kind.CONDITIONAL && seen == null ? Kind.USERS : kind;
  }

  private Question get(Kind kind, String target, String headers, String type, String body) {
    byte[] bytes = request("GET", target, headers, new byte[0]);
    return new Question(kind, target, bytes, 200, type, body.getBytes(UTF_8));
  }

  private Question headOfPlaintext(String headers) {
    byte[] bytes = request("HEAD", "/plaintext", headers, new byte[0]);
    return new Question(Kind.HEAD, "/plaintext", bytes, 200, TEXT, new byte[13]);
  }

  private Question users(Kind kind, String method, String headers) {
    StringBuilder[] id = unique();
    StringBuilder[] post = unique();
    String target = "/users/" + id[0] + "/posts/" + post[0];
    byte[] bytes = request(method, target, headers, new byte[0]);
    return new Question(kind, target, bytes, 200, TEXT, (id[1] + " " + post[1]).getBytes(UTF_8));
  }

  /** Repeats an earlier request with its entity tag or with another one. */
  private Question conditional(String headers) {
    Question known = seen;
    if (known == null) {
      throw new IllegalStateException("no earlier response with an entity tag");
    }
    boolean same = random.nextInt(4) > 0;
    String condition = "If-None-Match: " + (same ? tag : "\"other\"") + "\r\n";
    byte[] bytes = request("GET", known.target, condition + headers, new byte[0]);
    return new Question(
        Kind.CONDITIONAL, known.target, bytes, same ? 304 : 200, known.type, known.body);
  }

  private Question unknown(String headers) {
    StringBuilder[] path = unique();
    String method = METHODS[random.nextInt(METHODS.length)];
    byte[] body = new byte[method.startsWith("P") ? random.nextInt(3000) : 0];
    String target = "/unknown/" + path[0];
    String length = body.length > 0 ? "Content-Length: " + body.length + "\r\n" : "";
    String page = "Cannot " + method + " /unknown/" + path[2] + "\n";
    byte[] bytes = request(method, target, length + headers, body);
    return new Question(Kind.UNKNOWN, target, bytes, 404, PAGE, page.getBytes(UTF_8));
  }

  private Question echo(Kind kind, String headers) {
    byte[] body = json();
    byte[] bytes =
        switch (kind) {
          case ECHO_CHUNKED -> chunkedPost(headers, body);
          case ECHO_GZIP -> gzippedPost(headers, body);
          default -> post(headers, body);
        };
    return new Question(kind, "/echo", bytes, 200, JSON, body);
  }

  /** Removes the end, or appends another one. */
  private Question malformed(String headers) {
    byte[] whole = json();
    boolean shorter = random.nextBoolean();
    byte[] body =
        Arrays.copyOf(whole, shorter ? 1 + random.nextInt(whole.length - 1) : whole.length + 1);
    if (!shorter) {
      body[whole.length] = '}';
    }
    byte[] bytes = random.nextBoolean() ? post(headers, body) : chunkedPost(headers, body);
    byte[] page = "Bad Request\n".getBytes(US_ASCII);
    return new Question(Kind.MALFORMED, "/echo", bytes, 400, PAGE, page);
  }

  private Question tooLarge(String headers) {
    byte[] body = ("{\"a\":\"" + "x".repeat(LIMIT + random.nextInt(LIMIT)) + "\"}").getBytes(UTF_8);
    byte[] bytes =
        switch (random.nextInt(3)) {
          case 0 -> post(headers, body);
          case 1 -> chunkedPost(headers, body);
          default -> gzippedPost(headers, body);
        };
    byte[] page = "Payload Too Large\n".getBytes(US_ASCII);
    return new Question(Kind.TOO_LARGE, "/echo", bytes, 413, PAGE, page);
  }

  /** Creates a unique random text: encoded, decoded, and in a page. */
  private StringBuilder[] unique() {
    String number = Long.toHexString(random.nextLong());
    StringBuilder[] forms = new StringBuilder[3];
    for (int i = 0; i < forms.length; i++) {
      forms[i] = new StringBuilder(number);
    }
    for (int count = random.nextInt(8); count > 0; count--) {
      String[] part = PARTS[random.nextInt(PARTS.length)];
      for (int i = 0; i < forms.length; i++) {
        forms[i].append(part[i]);
      }
    }
    return forms;
  }

  /** Creates a JSON text; small ones are as frequent as large ones, by number of digits. */
  private byte[] json() {
    int size = RandomChoice.size(random, SMALLEST_JSON, LARGEST_JSON);
    byte[] text;
    do {
      text = json.text(size).getBytes(UTF_8);
    } while (text.length > LIMIT);
    return text;
  }

  private byte[] post(String headers, byte[] body) {
    return request("POST", "/echo", typed("Content-Length: " + body.length, headers), body);
  }

  private byte[] chunkedPost(String headers, byte[] body) {
    return request(
        "POST",
        "/echo",
        typed("Transfer-Encoding: chunked", headers),
        RequestWriter.chunked(random, body));
  }

  private byte[] gzippedPost(String headers, byte[] body) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream(body.length / 2);
    try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
      zip.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String coded = "Content-Encoding: gzip\r\n" + headers;
    return random.nextBoolean()
        ? post(coded, zipped.toByteArray())
        : chunkedPost(coded, zipped.toByteArray());
  }

  private static String typed(String framing, String headers) {
    return "Content-Type: application/json\r\n" + framing + "\r\n" + headers;
  }

  private byte[] request(String method, String target, String headers, byte[] body) {
    // Heads of many lengths, so that pieces end anywhere.
    String noise = "X-Noise: " + "x".repeat(random.nextInt(200)) + "\r\n";
    String head = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + noise + headers;
    ByteArrayOutputStream out = new ByteArrayOutputStream(head.length() + 2 + body.length);
    out.writeBytes((head + "\r\n").getBytes(US_ASCII));
    out.writeBytes(body);
    return out.toByteArray();
  }
}
