package dev.percolate.middleware;

import dev.percolate.core.Request;
import dev.percolate.http.IpText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Names the client of a request in 64 characters at most, so that a store of names is bounded in
 * bytes when it is bounded in names.
 *
 * <p>No name that an application gives is that of an address, nor the hash of another one: a client
 * that may choose its name cannot use up what others have left.
 */
final class ClientName {

  private static final int LONGEST = 64;
  private static final String ADDRESS = "ip:";
  private static final String HASH = "sha256:";

  private ClientName() {}

  /**
   * Returns the name by address: what proxies report, as far as they are trusted, or the other end
   * of the connection where that is no address.
   */
  static String ofAddress(Request req) {
    String network = IpText.reportedNetwork(req.ip());
    return bounded(ADDRESS + (network == null ? IpText.network(req.remoteAddress()) : network));
  }

  /** Returns a name that an application has given; the name by address where it has given none. */
  static String of(@Nullable String given, Request req) {
    if (given == null || given.isEmpty()) {
      return ofAddress(req);
    }
    boolean reserved = given.startsWith(ADDRESS) || given.startsWith(HASH);
    return reserved ? hash(given) : bounded(given);
  }

  private static String bounded(String name) {
    return name.length() <= LONGEST ? name : hash(name);
  }

  private static String hash(String name) {
    try {
      byte[] text = name.getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
      return HASH + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime must have SHA-256", e);
    }
  }
}
