package dev.percolate.middleware.files;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The paths of static files with their hashes, as a map for templates. It contains each path that
 * begins with a slash, and computes the values when they are read.
 */
public final class HashedPaths extends AbstractMap<String, String> {

  private final UnaryOperator<String> hashed;

  /**
   * Creates a map.
   *
   * @param hashed returns a path with the hash of its file
   */
  public HashedPaths(UnaryOperator<String> hashed) {
    this.hashed = hashed;
  }

  @Override
  public @Nullable String get(@Nullable Object path) {
    return path instanceof String text && text.startsWith("/") ? hashed.apply(text) : null;
  }

  @Override
  public boolean containsKey(@Nullable Object path) {
    return get(path) != null;
  }

  /** Returns false: template engines do not ask an empty map for values. */
  @Override
  public boolean isEmpty() {
    return false;
  }

  /** Returns no entries, since the paths are not known in advance. */
  @Override
  public Set<Map.Entry<String, String>> entrySet() {
    return Set.of();
  }
}
