package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Makes texts of which each part tells whose it is, so that a foreign part shows. */
final class OwnText {

  /** How long the file is that {@link HandlersServer} sends. */
  static final int FILE_SIZE = 256 << 10;

  private OwnText() {}

  /** Creates a text of so many characters that nobody else has. */
  static String of(String id, int size) {
    return (id + ' ').repeat(size / (id.length() + 1) + 1).substring(0, size);
  }

  /** Makes what is in the file: each place is another. */
  static byte[] file() {
    StringBuilder text = new StringBuilder(FILE_SIZE + 8);
    for (int i = 0; text.length() < FILE_SIZE; i++) {
      text.append(i).append(' ');
    }
    return text.substring(0, FILE_SIZE).getBytes(US_ASCII);
  }
}
