package dev.percolate.http;

/** Makes the value of the header {@code Location} from what an application says. */
public final class Location {

  private Location() {}

  /**
   * Returns the value of the header: a URL and a path from the root as they stand, what begins with
   * a dot relative to the path of the request, everything else below the mount path.
   *
   * @param url what the application says
   * @param path the path of the request, taken as a folder: a page that is one
   * @param mountPath where the application is mounted, without its last slash
   */
  public static String of(String url, String path, String mountPath) {
    return Percent.encodeForHeader(resolve(url, path, mountPath));
  }

  private static String resolve(String url, String path, String mountPath) {
    if (url.startsWith("/") || url.contains("://")) {
      return url;
    }
    if (url.startsWith(".")) {
      int fragment = path.indexOf('#');
      return RelativeUrl.resolve(fragment < 0 ? path : path.substring(0, fragment), url);
    }
    return RelativeUrl.under(mountPath, url);
  }
}
