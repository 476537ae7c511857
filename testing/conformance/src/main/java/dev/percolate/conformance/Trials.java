package dev.percolate.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Generates trials that depend only on the seed and the number. */
final class Trials {

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final long seed;

  Trials(long seed) {
    this.seed = seed;
  }

  Trial make(long number) {
    SplittableRandom random = new SplittableRandom(seed * MIX + number);
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4, 5, 6 -> form(random);
      case 7, 8, 9, 10, 11 -> json(random);
      case 12, 13 -> text(random);
      case 14 -> typed(random);
      case 15 -> inflated(random);
      case 16, 17 -> Trial.of("query", Map.of()).url("/?" + ascii(FormTexts.make(random)));
      default -> cookies(random);
    };
  }

  private static Trial form(SplittableRandom random) {
    Map<String, @Nullable Object> options = new TreeMap<>();
    options.put("extended", random.nextInt(4) > 0);
    if (random.nextInt(4) == 0) {
      options.put("depth", random.nextInt(5));
    }
    if (random.nextInt(6) == 0) {
      options.put("parameterLimit", 1 + random.nextInt(8));
    }
    if (random.nextInt(3) == 0) {
      options.put("charsetSentinel", true);
    }
    if (random.nextInt(3) == 0) {
      options.put("interpretNumericEntities", true);
    }
    if (random.nextInt(4) == 0) {
      options.put("defaultCharset", random.nextBoolean() ? "iso-8859-1" : "utf-8");
    }
    String[] charsets = {"", "", "", "; charset=utf-8", "; charset=iso-8859-1", "; charset=\"\""};
    String type = FORM + charsets[random.nextInt(charsets.length)];
    return sent(Trial.of("urlencoded", options), type, FormTexts.make(random), random);
  }

  private static Trial json(SplittableRandom random) {
    Map<String, @Nullable Object> options = new TreeMap<>();
    options.put("strict", random.nextInt(3) == 0);
    String text = JsonTexts.make(random);
    String type = "application/json";
    int charset = random.nextInt(12);
    if (charset < 3) {
      String[] names = {"utf-16le", "utf-16be", "utf-16"};
      type += "; charset=" + names[charset];
      String known = charset == 2 ? "UTF-16" : names[charset];
      text = recoded(text, Charset.forName(known));
    }
    return sent(Trial.of("json", options), type, text, random);
  }

  private static Trial text(SplittableRandom random) {
    Map<String, @Nullable Object> options = new TreeMap<>();
    if (random.nextInt(4) == 0) {
      options.put("defaultCharset", "iso-8859-1");
    }
    StringBuilder body = new StringBuilder();
    int length = random.nextInt(20);
    String[] starts = {"", "", "", "\u00ef\u00bb\u00bf", "\u00ff\u00fe", "\u00fe\u00ff", "\0\0"};
    body.append(starts[random.nextInt(starts.length)]);
    boolean small = random.nextBoolean();
    for (int i = 0; i < length; i++) {
      body.append((char) (random.nextInt(3) > 0 || small ? octet(random) : 'a'));
    }
    String type = HeaderTexts.type(random, "text/plain");
    return sent(Trial.of("text", options), type, body.toString(), random);
  }

  /** Returns a byte that often occurs in valid or almost valid UTF-8. */
  private static int octet(SplittableRandom random) {
    int[] odd = {
      0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xED, 0xA0, 0x80, 0xF0, 0x9F, 0xF4, 0x90, 0xC0, 0xAF
    };
    return random.nextInt(3) == 0 ? random.nextInt(256) : odd[random.nextInt(odd.length)];
  }

  private static Trial typed(SplittableRandom random) {
    String[] kinds = {"json", "raw", "text", "urlencoded"};
    String[] usual = {"application/json", "application/octet-stream", "text/plain", FORM};
    int kind = random.nextInt(kinds.length);
    Map<String, @Nullable Object> options = new TreeMap<>();
    if (random.nextBoolean()) {
      options.put("type", HeaderTexts.options(random));
    }
    if (random.nextInt(4) == 0) {
      options.put("limit", random.nextInt(8));
    }
    if (random.nextInt(8) == 0) {
      options.put("inflate", false);
    }
    String type = HeaderTexts.type(random, usual[kind]);
    Trial trial = sent(Trial.of(kinds[kind], options), type, "[\"a=1\"]", random);
    String[] encodings = {
      "identity", "Identity", "", "gzip, gzip", "x-gzip", "compress", "*", "GZIP"
    };
    if (random.nextInt(4) == 0) {
      trial = trial.header("content-encoding", encodings[random.nextInt(encodings.length)]);
    }
    String[] lengths = {"4", "9", "007", "x", "0", "7 ", "12abc"};
    return random.nextInt(4) == 0
        ? trial.header("content-length", lengths[random.nextInt(lengths.length)])
        : trial;
  }

  private static Trial inflated(SplittableRandom random) {
    boolean gzip = random.nextBoolean();
    StringBuilder body = new StringBuilder(compressed(random, gzip));
    if (gzip && random.nextInt(3) == 0) {
      body.append(compressed(random, true));
    }
    switch (random.nextInt(5)) {
      case 0 -> body.setLength(random.nextInt(body.length() + 1));
      case 1 -> body.setCharAt(random.nextInt(body.length()), (char) random.nextInt(256));
      case 2 -> body.append((char) random.nextInt(3)).append("abc", 0, random.nextInt(4));
      default -> {}
    }
    Trial trial = Trial.of("raw", Map.of("limit", random.nextInt(3) == 0 ? 60 : 100000));
    trial = sent(trial, "application/octet-stream", body.toString(), random);
    return trial.header("content-encoding", gzip ? "gzip" : "deflate");
  }

  private static String compressed(SplittableRandom random, boolean gzip) {
    String text = "ab".repeat(random.nextInt(40)) + FormTexts.make(random);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (var out = gzip ? new GZIPOutputStream(bytes) : new DeflaterOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  private static Trial cookies(SplittableRandom random) {
    Map<String, @Nullable Object> options = random.nextBoolean() ? Map.of() : Map.of("secret", "x");
    return Trial.of("cookies", options).header("cookie", HeaderTexts.cookie(random));
  }

  private static Trial sent(Trial trial, String type, String body, SplittableRandom random) {
    TreeSet<Integer> cuts = new TreeSet<>();
    int count = random.nextInt(4) == 0 ? random.nextInt(4) : 0;
    for (int i = 0; i < count && body.length() > 1; i++) {
      cuts.add(1 + random.nextInt(body.length() - 1));
    }
    Trial made = trial.header("content-type", type).body(body).cuts(List.copyOf(cuts));
    return random.nextInt(8) == 0
        ? made.header("transfer-encoding", "chunked")
        : made.header("content-length", Trial.LENGTH);
  }

  private static String recoded(String utf8, Charset charset) {
    String text = new String(utf8.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    return new String(text.getBytes(charset), StandardCharsets.ISO_8859_1);
  }

  private static String ascii(String text) {
    return text.replaceAll("[^!-~]|#", "x");
  }
}
