package dev.percolate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells whether the copy that a client holds is still good (RFC 9110 section 13). */
public final class Fresh {
  private Fresh() {}

  /**
   * Tells whether a request may be answered with 304.
   *
   * @param method the request's method; only GET and HEAD can be fresh
   * @param status the status of the answer so far; only 2xx and 304 can be fresh
   * @param request the request's headers
   * @param etag the ETag of the answer, or null
   * @param lastModified the Last-Modified of the answer, or null
   * @return true when all conditions of the request hold, and there is one
   */
  public static boolean isFresh(
      String method,
      int status,
      Headers request,
      @Nullable String etag,
      @Nullable String lastModified) {
    return (method.equals("GET") || method.equals("HEAD"))
        && ((status >= 200 && status < 300) || status == 304)
        && isFresh(request, etag, lastModified);
  }

  /**
   * Tells whether the conditions of a request hold, whatever its method and the answer's status.
   *
   * @param request the request's headers
   * @param etag the ETag of the answer, or null
   * @param lastModified the Last-Modified of the answer, or null
   * @return true when all conditions of the request hold, and there is one
   */
  public static boolean isFresh(
      Headers request, @Nullable String etag, @Nullable String lastModified) {
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
