package dev.percolate.http;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Resolves paths from the root of relative URLs, for the header Location.
 *
 * <p>A path made here begins with exactly one slash: with two, or with what browsers take for two,
 * it would name another host (RFC 3986 section 4.2).
 */
public final class RelativeUrl {
  private static final String UNSAFE = " \t\r\n\"<>\\^`{|}'";
  private static final String SLASHES = "/\\\t";

  private RelativeUrl() {}

  /**
   * Resolves a URL against a folder (RFC 3986 section 5.2). Going above the root stays at the root;
   * a backslash in a path counts as slash; what browsers treat in different ways is
   * percent-encoded.
   *
   * @param folder the path of the folder, with or without its last slash
   * @param url a path relative to it, perhaps with query and fragment
   * @return the path from the root, with that query and fragment
   */
  public static String resolve(String folder, String url) {
    int end = pathEnd(url);
    String above = folder.endsWith("/") ? folder : folder + '/';
    String path = (above + url.substring(0, end)).replace('\\', '/');
    Deque<String> segments = new ArrayDeque<>();
    for (int start = path.startsWith("/") ? 1 : 0; start <= path.length(); ) {
      int slash = path.indexOf('/', start);
      int next = slash < 0 ? path.length() : slash;
      enter(path.substring(start, next), slash < 0, segments);
      start = next + 1;
    }
    String absolute = rooted(String.join("/", segments)) + url.substring(end);
    return Percent.encodeAboveLatin1(absolute, UNSAFE);
  }

  /**
   * Puts a URL behind a mount path, as it stands.
   *
   * @param mountPath the path, perhaps empty, with or without its last slash
   * @param url the URL, without a slash in front
   * @return the path from the root
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
      segments.add(""); // the folder itself: its path ends in a slash
    }
  }

  private static String rooted(String path) {
    int start = 0;
    while (start < path.length() && SLASHES.indexOf(path.charAt(start)) >= 0) {
      start++;
    }
    return '/' + path.substring(start);
  }

  private static int pathEnd(String url) {
    int end = 0;
    while (end < url.length() && url.charAt(end) != '?' && url.charAt(end) != '#') {
      end++;
    }
    return end;
  }
}
