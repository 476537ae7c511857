package dev.percolate.logger;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stream to a file, with what tells whether the path still names that file.
 *
 * @param file the path
 * @param stream adds to the file
 * @param key tells files apart; null where the file system does not
 */
record OpenFile<S extends OutputStream>(Path file, S stream, @Nullable Object key) {

  private static final int TRIES = 3;

  /** Opens a stream. */
  interface Opener<S> {
    S open() throws IOException;
  }

  /** Opens a file, once more if it was made, or replaced, just now: then its key is not known. */
  static <S extends OutputStream> OpenFile<S> of(Path file, Opener<S> opener) throws IOException {
    Object before = keyOrNull(file);
    for (int tries = 1; ; tries++) {
      S stream = opener.open();
      Object after = keyOrNull(file);
      if (Objects.equals(before, after) || tries == TRIES) {
        return new OpenFile<>(file, stream, after);
      }
      stream.close();
      before = after;
    }
  }

  /** Tells whether the path names another file by now, or none. */
  boolean replaced() {
    try {
      return !Objects.equals(key, key(file));
    } catch (NoSuchFileException e) {
      return key != null;
    } catch (IOException e) {
      return false; // nothing is known, and the open file may well take the lines
    }
  }

  /** Returns the same stream for the file that the path names now. */
  OpenFile<S> anew() {
    return new OpenFile<>(file, stream, keyOrNull(file));
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
