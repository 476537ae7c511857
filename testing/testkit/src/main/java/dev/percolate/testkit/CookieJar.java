package dev.percolate.testkit;

import dev.percolate.http.Cookies;
import dev.percolate.http.HttpDate;
import dev.percolate.http.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores the cookies of one user between calls, as a browser does.
 *
 * <pre>
 *   CookieJar jar = new CookieJar();
 *   Call.post("/login").form("user", "ann").with(jar).to(app);
 *   Reply home = Call.get("/").with(jar).to(app);
 * </pre>
 *
 * <p>The jar respects paths, {@code Max-Age} and {@code Expires} (RFC 6265 section 5). It ignores
 * {@code Domain} and {@code SameSite}, because all calls go to one service, and {@code Secure},
 * because tests rarely use TLS. Thread-safe.
 */
public final class CookieJar {

  private final Map<String, Cookie> cookies = new LinkedHashMap<>();

  private record Cookie(String name, String value, String path, long expires) {}

  /** Creates an empty jar. */
  public CookieJar() {}

  /**
   * Returns the value of a cookie.
   *
   * @param name the name of the cookie
   * @return the value, unchanged; the one set last if several paths have the cookie; null if there
   *     is none
   */
  public synchronized @Nullable String get(String name) {
    String value = null;
    for (Cookie cookie : alive()) {
      value = cookie.name.equals(name) ? cookie.value : value;
    }
    return value;
  }

  /**
   * Sets a cookie for all paths.
   *
   * @param name the name
   * @param value the value, sent unchanged
   * @return this jar
   */
  public synchronized CookieJar set(String name, String value) {
    put(new Cookie(name, value, "/", Long.MAX_VALUE));
    return this;
  }

  /** Removes all cookies. */
  public synchronized void clear() {
    cookies.clear();
  }

  /** Returns the {@code Cookie} header for a target; null if no cookie matches. */
  synchronized @Nullable String header(String target) {
    String path = Target.path(target);
    List<Cookie> sent = new ArrayList<>(alive());
    sent.removeIf(cookie -> !Cookies.pathMatches(cookie.path, path));
    sent.sort((a, b) -> b.path.length() - a.path.length()); // longer paths first
    return sent.isEmpty()
        ? null
        : String.join("; ", sent.stream().map(one -> one.name + "=" + one.value).toList());
  }

  /** Stores the cookies that a response sets. */
  synchronized void take(String target, Reply reply) {
    for (String line : reply.all("Set-Cookie")) {
      String[] parts = line.split(";");
      int equals = parts[0].indexOf('=');
      if (equals > 0) {
        String name = parts[0].substring(0, equals).trim();
        put(
            read(
                name, parts[0].substring(equals + 1).trim(), parts, folderOf(Target.path(target))));
      }
    }
  }

  private static Cookie read(String name, String value, String[] parts, String folder) {
    String path = folder;
    Long age = null;
    Long date = null;
    for (int i = 1; i < parts.length; i++) {
      String[] attribute = parts[i].trim().split("=", 2);
      String given = attribute.length == 2 ? attribute[1].trim() : "";
      switch (attribute[0].toLowerCase(Locale.ROOT)) {
        case "path" -> path = given.startsWith("/") ? given : folder;
        case "max-age" -> age = given.matches("-?\\d{1,12}") ? Long.valueOf(given) : age;
        case "expires" -> date = HttpDate.parse(given);
        default -> {}
      }
    }
    long expires = date == null ? Long.MAX_VALUE : date;
    return new Cookie(
        name, value, path, age == null ? expires : System.currentTimeMillis() + age * 1000);
  }

  private void put(Cookie cookie) {
    String key = cookie.path + " " + cookie.name;
    cookies.remove(key); // so that the newest cookie is last
    cookies.put(key, cookie);
  }

  private List<Cookie> alive() {
    long now = System.currentTimeMillis();
    cookies.values().removeIf(cookie -> cookie.expires <= now);
    return List.copyOf(cookies.values());
  }

  private static String folderOf(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }
}
