package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Creates texts in which each part identifies the owner, so that foreign parts are detected. */
final class OwnText {

  /** The size of the file that {@link HandlersServer} sends. */
  static final int FILE_SIZE = 256 << 10;

  private OwnText() {}

  /** Creates a unique text with this number of characters. */
  static String of(String id, int size) {
    return (id + ' ').repeat(size / (id.length() + 1) + 1).substring(0, size);
  }

  /** Creates the content of the file, in which each part is different. */
  static byte[] file() {
    StringBuilder text = new StringBuilder(FILE_SIZE + 8);
    for (int i = 0; text.length() < FILE_SIZE; i++) {
      text.append(i).append(' ');
    }
    return text.substring(0, FILE_SIZE).getBytes(US_ASCII);
  }
}
