package dev.percolate.core;

import dev.percolate.http.Accept;
import java.util.List;
import java.util.Map;

/** Knows the files that stand beside others with the same content, compressed. */
final class Precompressed {

  private static final Map<String, String> CODINGS =
      Map.of("br", "br", "zst", "zstd", "gz", "gzip");

  private Precompressed() {}

  /** Gives the content coding that an extension stands for, or throws. */
  static String coding(String extension) {
    String coding = CODINGS.get(extension);
    if (coding == null) {
      throw new IllegalArgumentException(
          "precompressed(\"" + extension + "\"): neither br, zst nor gz");
    }
    return coding;
  }

  /** Gives the extensions of the files that may be sent instead, the best first. */
  static List<String> wanted(Response res, FileOptions options) {
    boolean whole = options.start == 0 && options.end == Long.MAX_VALUE;
    if (options.precompressed.isEmpty() || !whole || res.headers().contains("Content-Encoding")) {
      return List.of();
    }
    List<String> codings = options.precompressed.stream().map(Precompressed::coding).toList();
    return Accept.codings(res.req().get("Accept-Encoding"), codings).stream()
        .map(coding -> options.precompressed.get(codings.indexOf(coding)))
        .toList();
  }
}
