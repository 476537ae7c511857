package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens files of the file system.
 *
 * @param bounds the directory that symbolic links must not leave; null to allow all links
 */
record Disk(@Nullable Path bounds) implements FileRoot {

  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_PATH = 4095;

  @Override
  public Entry find(Path file) {
    return new Entry(attributes(file), () -> open(file));
  }

  /** Returns the attributes of a file or directory, or throws as {@link #find} does. */
  BasicFileAttributes attributes(Path file) {
    try {
      return bounds == null
          ? Files.readAttributes(file, BasicFileAttributes.class)
          : Files.readAttributes(
              real(file, bounds.toRealPath()),
              BasicFileAttributes.class,
              LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  private FileContent open(Path file) {
    try {
      FileChannel channel = channel(file);
      try {
        return new FileContent.OfChannel(channel, channel.size());
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  /**
   * Returns the names in a directory, in no particular order, without links that leave the bounds.
   */
  List<String> names(Path directory) throws IOException {
    if (bounds == null) {
      try (DirectoryStream<Path> folder = Files.newDirectoryStream(directory)) {
        return names(folder);
      }
    }
    Path root = bounds.toRealPath();
    Path real = real(directory, root);
    List<String> names = namesBelow(root, real);
    names.removeIf(name -> leadsOut(real.resolve(name), root));
    return names;
  }

  private FileChannel channel(Path file) throws IOException {
    if (bounds == null) {
      return FileChannel.open(file, StandardOpenOption.READ);
    }
    Path root = bounds.toRealPath();
    Path real = real(file, root);
    // All links have been resolved. A link that appears from now on may be an attack.
    try (DirectoryStream<Path> folder = Files.newDirectoryStream(root)) {
      if (folder instanceof SecureDirectoryStream<Path> secure) {
        return channel(secure, root.relativize(real));
      }
    }
    FileChannel channel =
        FileChannel.open(real, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    if (!real.toRealPath().equals(real)) {
      channel.close();
      throw new NoSuchFileException(file.toString());
    }
    return channel;
  }

  /** Opens a file directory by directory, each relative to its parent instead of by path. */
  private static FileChannel channel(SecureDirectoryStream<Path> folder, Path below)
      throws IOException {
    Path first = below.getName(0);
    int names = below.getNameCount();
    if (names == 1) {
      return (FileChannel)
          folder.newByteChannel(first, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }
    try (SecureDirectoryStream<Path> inner =
        folder.newDirectoryStream(first, LinkOption.NOFOLLOW_LINKS)) {
      return channel(inner, below.subpath(1, names));
    }
  }

  private static List<String> namesBelow(Path root, Path real) throws IOException {
    try (DirectoryStream<Path> folder = Files.newDirectoryStream(root)) {
      if (real.equals(root)) {
        return names(folder);
      } else if (folder instanceof SecureDirectoryStream<Path> secure) {
        return names(secure, root.relativize(real));
      }
    }
    try (DirectoryStream<Path> folder = Files.newDirectoryStream(real)) {
      List<String> names = names(folder);
      if (!real.toRealPath().equals(real)) {
        throw new NoSuchFileException(real.toString());
      }
      return names;
    }
  }

  /** Lists a directory that is opened directory by directory. */
  private static List<String> names(SecureDirectoryStream<Path> folder, Path below)
      throws IOException {
    int names = below.getNameCount();
    try (SecureDirectoryStream<Path> inner =
        folder.newDirectoryStream(below.getName(0), LinkOption.NOFOLLOW_LINKS)) {
      return names == 1 ? names(inner) : names(inner, below.subpath(1, names));
    }
  }

  private static List<String> names(DirectoryStream<Path> folder) throws IOException {
    List<String> names = new ArrayList<>();
    try {
      folder.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  private static boolean leadsOut(Path entry, Path root) {
    try {
      if (Files.isSymbolicLink(entry)) {
        real(entry, root);
      }
      return false;
    } catch (IOException e) {
      return true; // or is broken
    }
  }

  private static Path real(Path file, Path root) throws IOException {
    Path real = file.toRealPath();
    if (!real.startsWith(root)) {
      throw new NoSuchFileException(file.toString());
    }
    return real;
  }

  /** Creates a 404 if the file does not exist, and a 500 for all other errors. */
  private static HttpError failure(Path file, IOException e) {
    if (belowFile(file)) {
      return FileRoot.absent("ENOTDIR");
    }
    if (e instanceof NoSuchFileException) {
      return FileRoot.absent("ENOENT");
    }
    if (isTooLong(file)) {
      return FileRoot.absent("ENAMETOOLONG");
    }
    String denied = e instanceof AccessDeniedException ? "EACCES" : null;
    return FileRoot.unreadable(e).with("code", denied);
  }

  /** Returns true if a parent of the path is a file. Some JDKs report this as a missing file. */
  private static boolean belowFile(Path file) {
    for (Path parent = file.getParent(); parent != null; parent = parent.getParent()) {
      if (Files.exists(parent)) {
        return !Files.isDirectory(parent);
      }
    }
    return false;
  }

  /**
   * Returns true if a path exceeds the limits of most systems. Error texts of a system depend on
   * its language.
   */
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
