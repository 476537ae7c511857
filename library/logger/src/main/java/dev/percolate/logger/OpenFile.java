package dev.percolate.logger;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An open file, with the information needed to detect that it was replaced.
 *
 * @param file the path
 * @param stream appends to the file
 * @param key the file system's key of the file; null if it has none
 */
record OpenFile(Path file, OutputStream stream, @Nullable Object key) {

  private static final int TRIES = 3;

  /**
   * Opens a file, without a channel, since an interrupted thread would close a channel. Opens it
   * again if it was created or replaced meanwhile, since its key is then unknown.
   */
  static OpenFile of(Path file) throws IOException {
    Object before = keyOrNull(file);
    for (int tries = 1; ; tries++) {
      OutputStream stream = new FileOutputStream(file.toFile(), true);
      Object after = keyOrNull(file);
      if (Objects.equals(before, after) || tries == TRIES) {
        return new OpenFile(file, stream, after);
      }
      stream.close();
      before = after;
    }
  }

  /** Returns true if the path now names another file or none. */
  boolean replaced() {
    try {
      return !Objects.equals(key, key(file));
    } catch (NoSuchFileException e) {
      return key != null;
    } catch (IOException e) {
      return false; // unknown; the open file may still accept lines
    }
  }

  private static @Nullable Object keyOrNull(Path file) {
    try {
      return key(file);
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }
}
