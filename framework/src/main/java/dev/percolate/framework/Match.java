package dev.percolate.framework;

import dev.percolate.core.Params;
import dev.percolate.http.HttpError;
import dev.percolate.http.Percent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a pattern has found in a path. */
final class Match {

  private final String path;
  private final List<String> names;
  private final int[] bounds;

  /**
   * Creates a match.
   *
   * @param names those of the first captures
   * @param bounds begin and end of each capture; -1 where one took no part
   */
  Match(String path, List<String> names, int[] bounds) {
    this.path = path;
    this.names = names;
    this.bounds = bounds;
  }

  /**
   * Returns the captures, decoded: the first ones under their names, the others counted.
   *
   * @throws HttpError 400 if one cannot be decoded
   */
  Params params() {
    Params params = new Params();
    for (int i = 0; i * 2 < bounds.length; i++) {
      if (i < names.size()) {
        params.set(names.get(i), decoded(i));
      } else if (bounds[i * 2] >= 0) {
        params.set(Integer.toString(i - names.size()), decoded(i));
      }
    }
    return params;
  }

  private @Nullable String decoded(int capture) {
    if (bounds[capture * 2] < 0) {
      return null;
    }
    String raw = path.substring(bounds[capture * 2], bounds[capture * 2 + 1]);
    String decoded = Percent.decode(raw);
    if (decoded == null) {
      throw new HttpError(400, "Failed to decode param '" + raw + "'");
    }
    return decoded;
  }
}
