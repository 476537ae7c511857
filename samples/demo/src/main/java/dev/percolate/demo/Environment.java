package dev.percolate.demo;

import dev.percolate.engine.ThreadMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The settings in environment variables, with these defaults:
 *
 * <pre>
 *   PORT            3000                  the HTTP port, 0 to 65535; 0 chooses a free port
 *   HTTPS_PORT      none                  the port for HTTPS and HTTP/2, as for PORT
 *   THREADS         depends on the JDK    virtual or pool
 *   DATA            data                  the folder of the database and of access.log
 *   STORE_URL       in memory             where sessions, rate limits and live entries are stored:
 *                                         redis://host, or jdbc:postgresql://host/name
 *   JDBC_URL        that of STORE_URL     the database of the entries, if STORE_URL has none an H2
 *                                         file in DATA; its driver must be on the class path
 *   ADMIN_PASSWORD  generated, printed    the password of the user admin, at /admin;
 *                                         generated from COOKIE_SECRET
 *   COOKIE_SECRET   random                the key to sign cookies, at least 16 characters
 *   PROXY           none                  the addresses of trusted proxies, such as loopback
 * </pre>
 *
 * <p>An empty variable is ignored. Several servers need the same STORE_URL, JDBC_URL and
 * COOKIE_SECRET.
 *
 * @param passwordGiven false if the password was generated
 * @param unshared the absent variables without which other servers cannot share STORE_URL
 */
record Environment(
    int port,
    @Nullable Integer httpsPort,
    ThreadMode threads,
    Path data,
    String jdbcUrl,
    String adminPassword,
    boolean passwordGiven,
    String cookieSecret,
    @Nullable String storeUrl,
    List<String> unshared,
    @Nullable String proxy) {

  private static final String HMAC = "HmacSHA256";
  private static final int PASSWORD_BYTES = 12;
  private static final int SECRET_BYTES = 32;

  /**
   * Reads the variables.
   *
   * @throws IllegalArgumentException if a variable is invalid; the message names it
   */
  static Environment of(Map<String, String> environment) {
    String threads = given(environment, "THREADS");
    String data = given(environment, "DATA");
    Path folder = Path.of(data == null ? "data" : data).toAbsolutePath();
    String store = given(environment, "STORE_URL");
    String url = given(environment, "JDBC_URL");
    if (url == null && store != null && store.startsWith("jdbc:")) {
      url = store;
    }
    String password = given(environment, "ADMIN_PASSWORD");
    String port = given(environment, "PORT");
    String httpsPort = given(environment, "HTTPS_PORT");
    String secret = secret(given(environment, "COOKIE_SECRET"));
    return new Environment(
        port == null ? 3000 : port("PORT", port),
        httpsPort == null ? null : port("HTTPS_PORT", httpsPort),
        threads == null ? ThreadMode.ofThisJdk() : threads(threads),
        folder,
        url == null ? "jdbc:h2:file:" + folder.resolve("guestbook") : url,
        password == null ? made("admin password", secret) : password,
        password != null,
        secret,
        store,
        unshared(environment, store, url),
        given(environment, "PROXY"));
  }

  private static List<String> unshared(
      Map<String, String> environment, @Nullable String store, @Nullable String jdbc) {
    List<String> absent = new ArrayList<>();
    if (store != null && jdbc == null) {
      absent.add("JDBC_URL");
    }
    if (store != null && given(environment, "COOKIE_SECRET") == null) {
      absent.add("COOKIE_SECRET");
    }
    return absent;
  }

  /** Returns a random secret of letters, digits, hyphens and underscores. */
  private static String random() {
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /** Derives a text from a secret. It is the same on all servers with this secret. */
  private static String made(String purpose, String secret) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC));
      byte[] bytes = mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(bytes, PASSWORD_BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime must support " + HMAC, e);
    }
  }

  private static @Nullable String given(Map<String, String> environment, String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  private static int port(String variable, String text) {
    boolean digits = text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    int port = digits ? Integer.parseInt(text) : -1;
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException(
          variable + " must be a number from 0 to 65535, was " + text);
    }
    return port;
  }

  private static ThreadMode threads(String text) {
    ThreadMode threads;
    try {
      threads = ThreadMode.of(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("THREADS=" + text + ": " + e.getMessage(), e);
    }
    if (threads == ThreadMode.EVENT_LOOP) {
      throw new IllegalArgumentException(
          "THREADS must be virtual or pool, since JDBC blocks, was " + text);
    }
    return threads;
  }

  private static String secret(@Nullable String text) {
    if (text == null) {
      return random();
    }
    if (text.length() < 16) {
      throw new IllegalArgumentException("COOKIE_SECRET must have at least 16 characters");
    }
    return text;
  }
}
