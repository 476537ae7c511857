package dev.percolate.framework;

import org.jspecify.annotations.Nullable;

/** A segment of a path, not cut out; letter case does not matter (ASCII only). */
final class Segment {

  private final String path;
  private final int start;
  private final int end;

  /** Takes what stands between a position and the next slash, or the end. */
  Segment(String path, int start) {
    int slash = path.indexOf('/', start);
    this.path = path;
    this.start = start;
    this.end = slash < 0 ? path.length() : slash;
  }

  /** Returns where it ends in its path. */
  int end() {
    return end;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Segment that
        && end - start == that.end - that.start
        && PathMatcher.equal(path, start, that.path, that.start, end - start);
  }

  @Override
  public int hashCode() {
    int hash = 0;
    for (int i = start; i < end; i++) {
      hash = hash * 31 + PathMatcher.lower(path.charAt(i));
    }
    return hash;
  }
}
