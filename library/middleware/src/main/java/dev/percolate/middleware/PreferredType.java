package dev.percolate.middleware;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.http.Accept;
import dev.percolate.http.Negotiation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the media type of a response that depends on {@code Accept}. */
final class PreferredType {

  private PreferredType() {}

  /**
   * Returns the offer that the client prefers; null if it accepts none. Sets {@code Vary}, unless
   * content is negotiated as in Express 3.
   */
  static @Nullable String of(Request req, Response res, List<String> offers) {
    Object rules = req.settings().get(Settings.CONTENT_NEGOTIATION);
    if (Negotiation.of(rules) == Negotiation.STANDARD) {
      res.vary("Accept");
    }
    return Accept.best(req.get("Accept"), offers);
  }
}
