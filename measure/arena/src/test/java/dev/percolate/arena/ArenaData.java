package dev.percolate.arena;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** A dataset and static files of the kinds and sizes of those in HttpArena. */
final class ArenaData {

  /** The files, each with its size. */
  static final List<String> FILES =
      List.of(
          "reset.css 8192",
          "layout.css 25600",
          "theme.css 18432",
          "components.css 204800",
          "utilities.css 61440",
          "analytics.js 12288",
          "helpers.js 22528",
          "app.js 204800",
          "vendor.js 307200",
          "router.js 35840",
          "header.html 122880",
          "footer.html 56320",
          "regular.woff2 18432",
          "bold.woff2 22528",
          "logo.svg 15344",
          "icon-sprite.svg 71680",
          "hero.webp 46080",
          "thumb1.webp 8192",
          "thumb2.webp 6144",
          "manifest.json 2883");

  private ArenaData() {}

  /** Writes 50 items and all files; text also compressed. */
  static void write(Path folder) throws IOException {
    String items =
        IntStream.rangeClosed(1, 50).mapToObj(ArenaData::item).collect(Collectors.joining(","));
    Files.writeString(folder.resolve("dataset.json"), "[" + items + "]");
    Path files = Files.createDirectory(folder.resolve("static"));
    for (String file : FILES) {
      write(files.resolve(name(file)), size(file));
    }
  }

  static String name(String file) {
    return file.substring(0, file.indexOf(' '));
  }

  static int size(String file) {
    return Integer.parseInt(file.substring(file.indexOf(' ') + 1));
  }

  private static void write(Path file, int size) throws IOException {
    byte[] content = new byte[size];
    for (int i = 0; i < size; i++) {
      content[i] = (byte) ('a' + i % 23);
    }
    Files.write(file, content);
    String name = file.toString();
    if (!name.endsWith(".woff2") && !name.endsWith(".webp")) {
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(name + ".gz")))) {
        out.write(content);
      }
    }
  }

  private static String item(int id) {
    return """
    {"id":%d,"name":"Item %d","category":"tools","price":%d,"quantity":%d,"active":%b,
    "tags":["new","fast"],"rating":{"score":%d,"count":%d}}
    """
        .formatted(id, id, 7 * id + 3, id % 11 + 1, id % 2 == 0, id, 3 * id);
  }
}
