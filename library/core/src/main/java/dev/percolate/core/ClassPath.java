package dev.percolate.core;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarEntry;
import org.jspecify.annotations.Nullable;

/**
 * Opens resources in one folder of the class path, in directories and jars.
 *
 * <p>A resource is addressed as a file below {@link #root}, a path without a directory on disk. So
 * the rules for paths of files also apply to resources.
 *
 * @param folder the name of the folder, with slashes between its parts
 * @param symlinks whether symbolic links may leave the folder
 */
record ClassPath(ClassLoader loader, String folder, Path root, boolean symlinks)
    implements FileRoot {

  /**
   * Creates a root for a folder.
   *
   * @throws IllegalArgumentException if the name is invalid, or the folder contains more than
   *     resources
   */
  static ClassPath of(ClassLoader loader, String folder) {
    List<String> parts = new ArrayList<>();
    for (String part : folder.split("/", -1)) {
      if (part.equals("..") || part.equals(".") || FilePath.isForeign(part)) {
        throw new IllegalArgumentException(
            "classPath(\"" + folder + "\"): folder must be a path such as \"public\"");
      }
      if (!part.isEmpty()) {
        parts.add(part);
      }
    }
    String name = String.join("/", parts);
    if (name.isEmpty() || name.equalsIgnoreCase("META-INF")) {
      throw new IllegalArgumentException(
          "classPath(\"" + folder + "\"): folder must contain only resources, such as \"public\"");
    }
    return new ClassPath(loader, name, Path.of("/" + name).toAbsolutePath(), true);
  }

  /** Returns a copy that follows or ignores symbolic links that leave the folder. */
  ClassPath symlinks(boolean follow) {
    return new ClassPath(loader, folder, root, follow);
  }

  @Override
  public Entry find(Path file) {
    String name = name(file);
    URL url = name == null ? null : loader.getResource(name);
    if (url == null) {
      throw FileRoot.absent("ENOENT");
    }
    try {
      if (url.getProtocol().equals("file")) {
        Path place = Path.of(url.toURI());
        return new Disk(symlinks ? null : folder(place, file)).find(place);
      }
      URLConnection connection = url.openConnection();
      if (connection instanceof JarURLConnection jar) {
        jar.setUseCaches(true); // the jar is open anyway, for its classes
        JarEntry entry = jar.getJarEntry();
        if (entry != null) {
          return new Entry(new InJar(entry), () -> open(jar, entry));
        }
      }
    } catch (IOException | URISyntaxException e) {
      throw FileRoot.unreadable(e);
    }
    throw FileRoot.absent("ENOENT");
  }

  private static FileContent open(JarURLConnection jar, JarEntry entry) {
    try {
      return new FileContent.OfStream(jar.getInputStream(), entry.getSize(), entry.getCrc());
    } catch (IOException e) {
      throw FileRoot.unreadable(e);
    }
  }

  /** Returns the directory of this folder that contains a resource. */
  private @Nullable Path folder(Path place, Path file) {
    Path folder = place;
    for (int i = root.relativize(file).getNameCount(); folder != null && i > 0; i--) {
      folder = folder.getParent();
    }
    return folder;
  }

  /** Returns the name of a resource; null if it is invalid or must not be served. */
  private @Nullable String name(Path file) {
    StringBuilder name = new StringBuilder(folder);
    if (!file.equals(root)) {
      for (Path part : root.relativize(file)) {
        if (FilePath.isForeign(part.toString())) {
          return null;
        }
        name.append('/').append(part);
      }
    }
    boolean code = name.toString().toLowerCase(Locale.ROOT).endsWith(".class");
    return code ? null : name.toString();
  }

  /** The attributes of a resource in a jar. */
  private record InJar(JarEntry entry) implements BasicFileAttributes {

    @Override
    public FileTime lastModifiedTime() {
      FileTime time = entry.getLastModifiedTime();
      return time == null ? FileTime.fromMillis(0) : time;
    }

    @Override
    public boolean isRegularFile() {
      return !entry.isDirectory() && entry.getSize() >= 0;
    }

    @Override
    public boolean isDirectory() {
      return entry.isDirectory();
    }

    @Override
    public long size() {
      return entry.getSize();
    }

    @Override
    public FileTime lastAccessTime() {
      return lastModifiedTime();
    }

    @Override
    public FileTime creationTime() {
      return lastModifiedTime();
    }

    @Override
    public boolean isSymbolicLink() {
      return false;
    }

    @Override
    public boolean isOther() {
      return !isRegularFile() && !isDirectory();
    }

    @Override
    public @Nullable Object fileKey() {
      return null;
    }
  }
}
