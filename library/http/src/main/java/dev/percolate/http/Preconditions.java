package dev.percolate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates the preconditions of requests (RFC 9110 section 13). */
public final class Preconditions {

  private Preconditions() {}

  /**
   * Returns true if a request has a header whose name starts with {@code If-}.
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
   * Returns true if a precondition fails, so that the response is 412 for all methods. {@code
   * If-Match} fails if it does not list the current version, by strong comparison. Without {@code
   * If-Match}, {@code If-Unmodified-Since} fails if the current version is newer.
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
   * Returns true if a client continues a download of the current version: it sends a range, and
   * both validators match, the tag by weak comparison. Firefox sends weak tags, too.
   *
   * @param request the headers of the request
   * @param current the current version
   */
  public static boolean resumes(Headers request, Validators current) {
    Long date = date(request, "If-Unmodified-Since");
    return request.contains("Range")
        && date != null
        && date.equals(current.lastModified())
        && matches(request.all("If-Match"), current, false);
  }

  /**
   * Returns true if the client has the current version, so that the response to GET and HEAD is
   * 304. {@code If-None-Match} must list it, by weak comparison. Without {@code If-None-Match}, it
   * must not be newer than {@code If-Modified-Since}.
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
   * Returns true if the preconditions of a request prohibit its method, so that the response is
   * 412. They do if they {@link #fail}, or if {@code If-None-Match} lists the current version and
   * the method is not GET or HEAD.
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
   * Returns true if the {@code Range} header applies (RFC 9110 section 13.1.5). {@code If-Range}
   * must be absent, or have the strong entity tag or the exact date of the current version.
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

  /** Returns true if a method is GET or HEAD. */
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

  /** Returns the date of a header; null if it is absent, repeated or invalid. */
  private static @Nullable Long date(Headers request, String name) {
    List<String> all = request.all(name);
    return all.size() == 1 ? HttpDate.parseHttp(all.get(0)) : null;
  }
}
