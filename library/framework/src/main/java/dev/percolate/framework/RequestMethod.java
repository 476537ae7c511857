package dev.percolate.framework;

import dev.percolate.http.HeaderText;
import dev.percolate.http.KnownMethods;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The method of a request, and the routes that it can match. Methods are case-sensitive (RFC 9110
 * section 9.1): {@code get} is not GET, but a method without routes of its own.
 *
 * @param method the method as sent
 * @param verb the verb of its routes in lower case; {@link #EVERY} if only routes for all methods
 *     match it
 * @param answering the bits of the verbs whose routes match; for HEAD also the bit of GET
 */
record RequestMethod(String method, String verb, long answering) {

  /** The verb of a route for all methods. */
  static final String EVERY = "all";

  /** The verbs of HTTP and its registered extensions, in lower case. */
  static final List<String> ALL =
      KnownMethods.ALL.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();

  /** The bit of all other methods. */
  static final long OTHER = 1L << 63;

  private static final Map<String, Long> BITS = new HashMap<>();

  static {
    for (int i = 0; i < ALL.size(); i++) {
      BITS.put(ALL.get(i), 1L << i);
    }
  }

  private static final Map<String, RequestMethod> KNOWN =
      KnownMethods.ALL.stream()
          .map(RequestMethod::known)
          .collect(Collectors.toUnmodifiableMap(RequestMethod::method, Function.identity()));

  static RequestMethod of(String method) {
    RequestMethod known = KNOWN.get(method);
    return known == null ? new RequestMethod(method, EVERY, OTHER) : known;
  }

  private static RequestMethod known(String method) {
    String verb = method.toLowerCase(Locale.ROOT);
    long bit = bit(verb);
    return new RequestMethod(method, verb, verb.equals("head") ? bit | bit("get") : bit);
  }

  /** Returns the bit of a verb in lower case; {@link #OTHER} for {@link #EVERY}. */
  static long bit(String verb) {
    return BITS.getOrDefault(verb, OTHER);
  }

  /** Returns a verb in lower case; throws if it is unknown. */
  static String checked(String verb) {
    String name = verb.toLowerCase(Locale.ROOT);
    if (!name.equals(EVERY) && !BITS.containsKey(name)) {
      String advice =
          HeaderText.isToken(verb) ? "; for a custom one call use(…) and check req.method()" : "";
      throw new IllegalArgumentException(
          "method(\"" + verb + "\", …): unknown HTTP method" + advice);
    }
    return name;
  }
}
