package dev.percolate.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Holds a regular file that is there, open for reading.
 *
 * @param path where it is, absolute
 * @param attributes what the file system told of it before it was opened. The other way round, a
 *     file replaced in between would send old content under the new tag, to be kept for ever
 * @param channel its content; whoever holds this closes it
 * @param size how many bytes it had when it was opened
 */
record FoundFile(Path path, BasicFileAttributes attributes, FileChannel channel, long size)
    implements AutoCloseable {

  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_PATH = 4095;

  /**
   * Finds and opens the file that a path means: an index file where it ends with a slash, itself,
   * or one with an extension added.
   *
   * @return the file; null where there is a directory
   * @throws HttpError 404 if there is none, with the field {@code code} where the file system says
   *     why; 500 if it cannot be read
   */
  static @Nullable FoundFile find(FilePath path, FileOptions options) {
    if (path.folder() && !options.index.isEmpty()) {
      return index(path.file(), options);
    }
    BasicFileAttributes attributes;
    try {
      attributes = attributes(path.file());
    } catch (IOException e) {
      return withExtension(path, options, failure(path.file(), e));
    }
    if (attributes.isDirectory()) {
      return null;
    }
    if (path.slash()) {
      throw absent("ENOTDIR");
    }
    return open(path.file(), attributes);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FoundFile index(Path folder, FileOptions options) {
    HttpError last = new HttpError(404);
    for (String name : options.index) {
      Path file = folder.resolve(name);
      try {
        BasicFileAttributes attributes = attributes(file);
        if (!attributes.isDirectory()) {
          return open(file, attributes);
        }
        last = new HttpError(404);
      } catch (IOException e) {
        last = failure(file, e);
      }
    }
    throw last;
  }

  private static FoundFile withExtension(FilePath path, FileOptions options, HttpError first) {
    HttpError last = first;
    boolean extensible = "ENOENT".equals(first.field("code"));
    // What is beside the root lies outside of it.
    extensible &= path.named() && !path.slash() && !path.hasExtension();
    for (int i = 0; extensible && i < options.extensions.size(); i++) {
      try {
        Path file = path.with(options.extensions.get(i));
        BasicFileAttributes attributes = attributes(file);
        if (!attributes.isDirectory()) {
          return open(file, attributes);
        }
        last = new HttpError(404);
      } catch (IOException e) {
        last = failure(path.file(), e);
      }
    }
    throw last;
  }

  private static BasicFileAttributes attributes(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class);
  }

  /** Opens what is a file: a pipe would block, and a device has no end. */
  private static FoundFile open(Path file, BasicFileAttributes attributes) {
    if (!attributes.isRegularFile()) {
      throw new HttpError(404);
    }
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      try {
        return new FoundFile(file, attributes, channel, channel.size());
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  /** Makes a 404 of what says that there is no such file, and a 500 of everything else. */
  private static HttpError failure(Path file, IOException e) {
    if (belowFile(file)) {
      return absent("ENOTDIR");
    }
    if (e instanceof NoSuchFileException) {
      return absent("ENOENT");
    }
    if (isTooLong(file)) {
      return absent("ENAMETOOLONG");
    }
    String denied = e instanceof AccessDeniedException ? "EACCES" : null;
    return new HttpError(500, "the file cannot be read", null, e).with("code", denied);
  }

  private static HttpError absent(String code) {
    return new HttpError(404).with("code", code);
  }

  /** Tells whether a part in front is a file: some JDKs do not tell that from absence. */
  private static boolean belowFile(Path file) {
    for (Path parent = file.getParent(); parent != null; parent = parent.getParent()) {
      if (Files.exists(parent)) {
        return !Files.isDirectory(parent);
      }
    }
    return false;
  }

  /** Finds out by the limits of most systems: the text of a system's error is in any language. */
  private static boolean isTooLong(Path file) {
    for (Path part : file) {
      if (length(part) > LONGEST_NAME) {
        return true;
      }
    }
    return length(file) > LONGEST_PATH;
  }

  private static int length(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length;
  }
}
