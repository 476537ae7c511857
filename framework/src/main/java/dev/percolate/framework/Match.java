package dev.percolate.framework;

import dev.percolate.core.Params;
import dev.percolate.http.HttpError;
import dev.percolate.http.Percent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a pattern has found in a path. */
final class Match {

  private final String path;
  private final List<PathPattern.Parameter> keys;
  private final int[] bounds;

  /**
   * Makes a match.
   *
   * @param bounds begin and end of each capture; -1 where one took no part
   */
  Match(String path, List<PathPattern.Parameter> keys, int[] bounds) {
    this.path = path;
    this.keys = keys;
    this.bounds = bounds;
  }

  /**
   * Gives the captures, decoded: the first ones under the names of the keys, the others counted.
   *
   * @throws HttpError 400 if one cannot be decoded
   */
  Params params() {
    Params params = new Params();
    for (int i = 0; i * 2 < bounds.length; i++) {
      if (i < keys.size()) {
        params.set(keys.get(i).name(), decoded(i));
      } else if (bounds[i * 2] >= 0) {
        params.set(Integer.toString(i - keys.size()), decoded(i));
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
