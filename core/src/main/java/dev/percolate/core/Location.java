package dev.percolate.core;

import dev.percolate.http.Percent;
import dev.percolate.http.Referrer;
import dev.percolate.http.RelativeUrl;

/** Makes the value of the header Location from what an application says. */
final class Location {

  private Location() {}

  static String of(Request req, String url) {
    return Percent.encodeForHeader(resolve(req, url.equals("back") ? back(req) : url));
  }

  private static String resolve(Request req, String url) {
    if (url.startsWith("/") || url.contains("://")) {
      return url;
    }
    if (url.startsWith(".")) {
      return RelativeUrl.resolve(folder(req), url);
    }
    return RelativeUrl.under(req.scope().mountPath(), url);
  }

  private static String back(Request req) {
    String referrer = req.get("Referrer");
    return referrer != null && Referrer.isSameSite(referrer, req.protocol(), req.authority())
        ? referrer
        : "/";
  }

  /** Gives the path of the request as a folder: a page that is one, for what is relative to it. */
  private static String folder(Request req) {
    String path = req.originalPath();
    int fragment = path.indexOf('#');
    return fragment < 0 ? path : path.substring(0, fragment);
  }
}
