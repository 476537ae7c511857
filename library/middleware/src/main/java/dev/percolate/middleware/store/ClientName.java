package dev.percolate.middleware.store;

import dev.percolate.core.Request;
import dev.percolate.http.Hash;
import dev.percolate.http.IpText;
import org.jspecify.annotations.Nullable;

/**
 * Creates a name for the client of a request. A name has at most 64 characters, so a store with a
 * limited number of names uses a limited number of bytes.
 *
 * <p>Names from the application never equal the name of an address, or the hash of another name. So
 * a client that chooses its own name cannot use up the limit of another client.
 */
public final class ClientName {

  private static final int LONGEST = 64;
  private static final String ADDRESS = "ip:";
  private static final String HASH = "sha256:";

  private ClientName() {}

  /**
   * Returns the name for the client's address. This is the address that trusted proxies report. If
   * that is not a valid address, the address of the connection is used.
   */
  public static String ofAddress(Request req) {
    String network = IpText.reportedNetwork(req.ip());
    return bounded(ADDRESS + (network == null ? IpText.network(req.remoteAddress()) : network));
  }

  /**
   * Returns the name for a name from the application, or for the client's address if there is none.
   */
  public static String of(@Nullable String given, Request req) {
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
    return HASH + Hash.sha256(name);
  }
}
