package dev.percolate.framework.path;

import dev.percolate.http.HttpError;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a path does not match a route.
 *
 * @param why the cause in a word: {@code path}, {@code case} or {@code strict}
 * @param reason the cause as a sentence
 */
public record Mismatch(String why, String reason) {

  /** Returns the reason; null if the path matches. */
  public static @Nullable Mismatch of(CompiledPath route, RoutePath path) {
    if (matches(route, path)) {
      return null;
    }
    boolean slash = !matches(route.under(false, true), path);
    if (slash && !matches(route.under(false, false), path)) {
      return new Mismatch("path", "the path does not match");
    }
    boolean letters = !matches(route.under(true, false), path);
    if (!letters) {
      return new Mismatch("strict", "the trailing slash differs");
    }
    return new Mismatch(
        "case", slash ? "letter case and the trailing slash differ" : "letter case differs");
  }

  /** Returns true if a path matches, and the search does not take too long. */
  private static boolean matches(CompiledPath route, RoutePath path) {
    try {
      return route.match(path) != null;
    } catch (HttpError tooLong) {
      return false;
    }
  }
}
