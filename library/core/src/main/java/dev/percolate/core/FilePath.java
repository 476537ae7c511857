package dev.percolate.core;

import dev.percolate.http.HttpError;
import dev.percolate.http.NormalPath;
import dev.percolate.http.Percent;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The location in the file system that a path from outside refers to, below the root if there is
 * one.
 *
 * @param file the absolute location
 * @param folder whether the path as received ends with a slash
 * @param slash whether the decoded path ends with a slash, so that it cannot be a file
 * @param named whether the path refers to something below the root, rather than the root itself
 */
record FilePath(Path file, boolean folder, boolean slash, boolean named) {

  private static final String AMBIGUOUS = "path.ambiguous";

  /** A short name: at most eight characters that end with a tilde and digits, and an extension. */
  private static final Pattern SHORT =
      Pattern.compile("(?=[^.]{3,8}(?:\\.|\\z))[^.]+~[0-9]+(?:\\.[^.]{1,3})?");

  /**
   * Decodes the path of a request; see {@link #decode(String, FileOptions)}. If targets are
   * normalised, escapes that could hide the path from a guard are rejected: escaped slashes, which
   * mounts and routes treat as text, and escapes that a normalised path does not contain, such as
   * double escapes.
   *
   * @param normalised whether targets are normalised
   * @throws HttpError 400, 403 or 404. For such an escape, 400 of type {@code path.ambiguous} if
   *     the part before it is a directory, otherwise 404
   */
  static FilePath decode(String path, FileOptions options, boolean normalised) {
    int escape = normalised ? NormalPath.doubtfulEscape(path) : -1;
    if (escape >= 0) {
      throw isDirectory(path.substring(0, escape), options)
          ? new HttpError(400, "the path is ambiguous", AMBIGUOUS, null)
          : FileRoot.absent("ENOENT");
    }
    return decode(path, options);
  }

  /**
   * Decodes a path once. Rejects it if it is malformed, leads out of the root, or contains a hidden
   * name.
   *
   * @throws HttpError 400, 403 or 404
   */
  static FilePath decode(String path, FileOptions options) {
    String decoded = Percent.decode(path);
    if (decoded == null || decoded.indexOf('\0') >= 0) {
      throw new HttpError(400);
    }
    Path root = options.root();
    List<String> parts = parts(decoded);
    if (climbs(root != null ? String.join("/", parts) : decoded)) {
      throw new HttpError(403);
    }
    boolean slash = decoded.endsWith("/");
    rejectDotfiles(parts, slash, options);
    try {
      Path file = root != null ? below(root, parts) : Path.of(decoded).toAbsolutePath();
      return new FilePath(file, path.endsWith("/"), slash, !parts.isEmpty());
    } catch (InvalidPathException e) {
      throw new HttpError(404).with("code", "ENOENT");
    }
  }

  /**
   * Resolves a path of the application. Without a root, any path is allowed. With a root, the path
   * must not leave it, and the rules for hidden files apply.
   *
   * @throws HttpError 403 or 404
   */
  static FilePath of(Path path, FileOptions options) {
    Path root = options.root();
    if (root == null) {
      return new FilePath(path.toAbsolutePath(), false, false, true);
    }
    Path file = root.resolve(path).normalize();
    if (!file.startsWith(root)) {
      throw new HttpError(403);
    }
    List<String> parts = new ArrayList<>();
    root.relativize(file).forEach(part -> parts.add(part.toString()));
    rejectDotfiles(parts, false, options);
    return new FilePath(file, false, false, true);
  }

  /** Returns true if the name has an extension: a dot that is not its first character. */
  boolean hasExtension() {
    return name().lastIndexOf('.') > 0;
  }

  /** Returns the location with an extension appended to the name. */
  Path with(String extension) {
    return file.resolveSibling(name() + "." + extension);
  }

  /** Returns true if a name begins with a dot, and the options do not allow it. */
  static boolean isHidden(String name, FileOptions options) {
    boolean shown = options.dotfiles == null ? options.hidden : options.dotfiles.equals("allow");
    return !shown && name.startsWith(".") && !options.allowedDotfiles.contains(name);
  }

  /** Returns true if a part is not a plain name on systems that separate names by backslashes. */
  static boolean isForeign(String part) {
    return part.indexOf('\\') >= 0
        || part.indexOf(':') >= 0
        || part.endsWith(".")
        || part.endsWith(" ");
  }

  /**
   * Returns true if a part may be the short name that Windows gives a long one, such as {@code
   * GIT~1} for {@code .git}. It would lead to files that guards and hidden names protect.
   */
  static boolean isShort(String part) {
    return SHORT.matcher(part).matches();
  }

  private String name() {
    Path name = file.getFileName();
    return name == null ? "" : name.toString();
  }

  /**
   * Returns the parts of a path, with dots resolved. If it leads out, the first parts are {@code
   * ..}.
   */
  private static List<String> parts(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      int last = parts.size() - 1;
      if (part.equals("..") && last >= 0 && !parts.get(last).equals("..")) {
        parts.remove(last);
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return parts;
  }

  /** Returns true if a path contains {@code ..} between separators, of any system. */
  private static boolean climbs(String path) {
    for (int i = path.indexOf(".."); i >= 0; i = path.indexOf("..", i + 1)) {
      boolean begins = i == 0 || isSeparator(path.charAt(i - 1));
      if (begins && (i + 2 == path.length() || isSeparator(path.charAt(i + 2)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSeparator(char c) {
    return c == '/' || c == '\\';
  }

  private static void rejectDotfiles(List<String> parts, boolean slash, FileOptions options) {
    int from = options.dottedFolders ? parts.size() - (slash ? 0 : 1) : 0;
    if (parts.stream().skip(Math.max(0, from)).anyMatch(part -> isHidden(part, options))) {
      throw new HttpError("deny".equals(options.dotfiles) ? 403 : 404);
    }
  }

  private static boolean isDirectory(String path, FileOptions options) {
    try {
      FilePath folder = decode(path, options);
      return options.source().find(folder.file()).attributes().isDirectory();
    } catch (HttpError e) {
      return false;
    }
  }

  private static Path below(Path root, List<String> parts) {
    FileSystem system = root.getFileSystem();
    boolean windows = system.getSeparator().equals("\\");
    if (windows && parts.stream().anyMatch(part -> isForeign(part) || isShort(part))) {
      throw new HttpError(404).with("code", "ENOENT");
    }
    Path file = root;
    for (String part : parts) {
      file = file.resolve(part);
    }
    return file;
  }
}
