package dev.percolate.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods of HTTP and of its registered extensions. */
public final class KnownMethods {

  /** The methods in upper case, sorted. */
  public static final List<String> ALL =
      List.of(
          ("ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY"
                  + " MKCALENDAR MKCOL MOVE NOTIFY OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT"
                  + " QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK"
                  + " UNSUBSCRIBE")
              .split(" "));

  private static final Set<String> SET = Set.copyOf(ALL);

  private KnownMethods() {}

  /**
   * Returns a method in upper case.
   *
   * @param name any text, in any letter case
   * @return the method; null if it is unknown
   */
  public static @Nullable String find(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    // Some letters outside ASCII, such as the long s, have an upper case in ASCII.
    return Ascii.isAscii(name) && SET.contains(upper) ? upper : null;
  }
}
