package dev.percolate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates the preconditions of requests (RFC 9110 section 13). */
public final class Preconditions {

  private Preconditions() {}

  /**
   * Returns whether a request has a header whose name starts with {@code If-}, so that it may have
   * preconditions.
   *
   * @param request the headers of the request
   */
  public static boolean isConditional(Headers request) {
    for (int i = 0; i < request.size(); i++) {
      if (request.name(i).regionMatches(true, 0, "If-", 0, 3)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the client expects another version: {@code If-Match} lists none of the current
   * one, by strong comparison; or, without {@code If-Match}, the current version is newer than
   * {@code If-Unmodified-Since}. The response is 412 then, whatever the method.
   *
   * @param request the headers of the request
   * @param current the current version
   */
  public static boolean fail(Headers request, Validators current) {
    if (request.contains("If-Match")) {
      return !matches(request.all("If-Match"), current, true);
    }
    Long date = date(request, "If-Unmodified-Since");
    Long modified = current.lastModified();
    return date != null && modified != null && modified > date;
  }

  /**
   * Returns whether the client has the current version: {@code If-None-Match} lists it, by weak
   * comparison; or, without {@code If-None-Match}, it is not newer than {@code If-Modified-Since}.
   * The response to GET and HEAD is 304 then.
   *
   * @param request the headers of the request
   * @param current the current version
   */
  public static boolean unchanged(Headers request, Validators current) {
    if (request.contains("If-None-Match")) {
      return matches(request.all("If-None-Match"), current, false);
    }
    Long date = date(request, "If-Modified-Since");
    Long modified = current.lastModified();
    return date != null && modified != null && modified <= date;
  }

  /**
   * Returns whether the preconditions of a request prohibit its method, so that the response is
   * 412: if they {@link #fail}, or, for methods other than GET and HEAD, if {@code If-None-Match}
   * lists the current version.
   *
   * @param method the method of the request
   * @param request its headers
   * @param current the current version
   */
  public static boolean prohibit(String method, Headers request, Validators current) {
    return fail(request, current)
        || (!isRead(method) && matches(request.all("If-None-Match"), current, false));
  }

  /**
   * Returns whether the header {@code Range} applies: if there is no {@code If-Range}, or it names
   * the current version, by a strong entity tag or the exact date (RFC 9110 section 13.1.5).
   *
   * @param request the headers of the request
   * @param current the current version
   */
  public static boolean rangeApplies(Headers request, Validators current) {
    List<String> all = request.all("If-Range");
    if (all.size() != 1) {
      return all.isEmpty();
    }
    String condition = all.get(0).strip();
    if (condition.indexOf('"') >= 0) {
      return ETag.matchesStrongly(condition, current.etag());
    }
    Long date = HttpDate.parseHttp(condition);
    return date != null && date.equals(current.lastModified());
  }

  /** Returns whether a method is GET or HEAD. */
  static boolean isRead(String method) {
    return method.equals("GET") || method.equals("HEAD");
  }

  private static boolean matches(List<String> lines, Validators current, boolean strong) {
    if (lines.isEmpty() || !current.present()) {
      return false;
    }
    String list = lines.size() == 1 ? lines.get(0) : String.join(",", lines);
    if (list.strip().equals("*")) {
      return true;
    }
    String etag = current.etag();
    for (String listed : ListText.elements(list)) {
      if (strong ? ETag.matchesStrongly(listed, etag) : ETag.matchesWeakly(listed, etag)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the date of a header; null unless there is exactly one, and it is valid. */
  private static @Nullable Long date(Headers request, String name) {
    List<String> all = request.all(name);
    return all.size() == 1 ? HttpDate.parseHttp(all.get(0)) : null;
  }
}
