package dev.percolate.http;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Resolves relative URLs to absolute paths for the {@code Location} header.
 *
 * <p>Results begin with exactly one slash. With two slashes, or characters that browsers treat as
 * slashes, a path would name another host (RFC 3986 section 4.2).
 */
public final class RelativeUrl {
  private static final String UNSAFE = " \t\r\n\"<>\\^`{|}'";
  private static final String SLASHES = "/\\\t";

  private RelativeUrl() {}

  /**
   * Resolves a URL against a directory (RFC 3986 section 5.2). {@code ..} at the root has no
   * effect. A backslash in a path counts as a slash. Characters that browsers treat differently are
   * percent-encoded.
   *
   * @param folder the path of the directory, with or without its last slash
   * @param url a relative path, with optional query and fragment
   * @return the absolute path, with the query and fragment
   */
  public static String resolve(String folder, String url) {
    int pathEnd = Ascii.firstOf("?#", url, 0);
    String above = folder.endsWith("/") ? folder : folder + '/';
    String path = (above + url.substring(0, pathEnd)).replace('\\', '/');
    Deque<String> segments = new ArrayDeque<>();
    for (int start = path.startsWith("/") ? 1 : 0; start <= path.length(); ) {
      int end = Ascii.indexOrEnd(path, '/', start);
      enter(path.substring(start, end), end == path.length(), segments);
      start = end + 1;
    }
    String absolute = rooted(String.join("/", segments)) + url.substring(pathEnd);
    return Percent.encodeAboveLatin1(absolute, UNSAFE);
  }

  /**
   * Appends a URL to a mount path.
   *
   * @param mountPath the mount path, possibly empty, with or without its last slash
   * @param url the URL, without a leading slash
   * @return the absolute path
   */
  public static String under(String mountPath, String url) {
    return rooted(mountPath + (mountPath.endsWith("/") ? "" : "/") + url);
  }

  private static void enter(String segment, boolean last, Deque<String> segments) {
    boolean up = segment.equals("..");
    boolean stay = segment.equals(".");
    if (up) {
      segments.pollLast();
    }
    if (!up && !stay) {
      segments.add(segment);
    } else if (last) {
      segments.add(""); // the directory itself: its path ends with a slash
    }
  }

  private static String rooted(String path) {
    int start = 0;
    while (start < path.length() && SLASHES.indexOf(path.charAt(start)) >= 0) {
      start++;
    }
    return '/' + path.substring(start);
  }
}
