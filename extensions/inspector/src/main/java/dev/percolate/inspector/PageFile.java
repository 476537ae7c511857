package dev.percolate.inspector;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads the resource files of the pages. */
final class PageFile {

  private PageFile() {}

  static String read(String name) throws IOException {
    try (InputStream file = PageFile.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IOException("the resource " + name + " is missing");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
