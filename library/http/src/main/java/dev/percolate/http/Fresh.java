package dev.percolate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates conditional requests like Express 3; see {@link ConditionalRequests#EXPRESS}. */
final class Fresh {
  private Fresh() {}

  /**
   * Returns true if a request has conditions, all of them hold, and it does not have {@code
   * no-cache}.
   *
   * @param request the request's headers
   * @param etag the ETag of the response, or null
   * @param lastModified the Last-Modified of the response, or null
   */
  static boolean isFresh(Headers request, @Nullable String etag, @Nullable String lastModified) {
    List<String> tags = request.all("If-None-Match");
    String noneMatch = tags.isEmpty() ? "" : String.join(", ", tags);
    String modifiedSince = request.get("If-Modified-Since");
    boolean dated = modifiedSince != null && !modifiedSince.isEmpty();
    if (noneMatch.isEmpty() && !dated) {
      return false;
    }
    for (String cacheControl : request.all("Cache-Control")) {
      if (cacheControl.contains("no-cache")) {
        return false;
      }
    }
    return (noneMatch.isEmpty() || matches(noneMatch, etag))
        && (!dated || unchanged(lastModified, modifiedSince));
  }

  private static boolean matches(String noneMatch, @Nullable String etag) {
    for (String entry : ListText.split(noneMatch, ',')) {
      if (entry.equals("*")) {
        return true;
      }
      if (etag != null && (entry.equals(etag) || entry.equals("W/" + etag))) {
        return true;
      }
    }
    return false;
  }

  private static boolean unchanged(@Nullable String lastModified, @Nullable String since) {
    Long changed = HttpDate.parse(lastModified);
    Long seen = HttpDate.parse(since);
    return changed != null && seen != null && changed <= seen;
  }
}
