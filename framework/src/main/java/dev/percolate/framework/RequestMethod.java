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
 * What the method of a request asks for.
 *
 * @param method the method as it was sent
 * @param verb the same in lower case
 * @param answering the bits of the verbs whose routes answer it: those for GET answer HEAD too
 */
record RequestMethod(String method, String verb, long answering) {

  /** Stands for every verb where a route is defined. */
  static final String EVERY = "all";

  /** The verbs of HTTP and its registered extensions, in lower case. */
  static final List<String> ALL =
      KnownMethods.ALL.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();

  /** The bit of all verbs that are not in {@link #ALL}. */
  static final long OTHER = 1L << 63;

  private static final Map<String, Long> BITS = new HashMap<>();

  static {
    for (int i = 0; i < ALL.size(); i++) {
      BITS.put(ALL.get(i), 1L << i);
    }
  }

  private static final Map<String, RequestMethod> KNOWN =
      KnownMethods.ALL.stream()
          .map(RequestMethod::read)
          .collect(Collectors.toUnmodifiableMap(RequestMethod::method, Function.identity()));

  static RequestMethod of(String method) {
    RequestMethod known = KNOWN.get(method);
    return known == null ? read(method) : known;
  }

  private static RequestMethod read(String method) {
    String verb = method.toLowerCase(Locale.ROOT);
    long bit = bit(verb);
    return new RequestMethod(method, verb, verb.equals("head") ? bit | bit("get") : bit);
  }

  /** Returns the bit of a verb in lower case. */
  static long bit(String verb) {
    return BITS.getOrDefault(verb, OTHER);
  }

  /** Returns a verb in lower case, or fails if it is none of HTTP and its extensions. */
  static String checked(String verb) {
    String name = verb.toLowerCase(Locale.ROOT);
    if (!name.equals(EVERY) && !BITS.containsKey(name)) {
      String advice =
          HeaderText.isToken(verb) ? "; for one of your own say use(…), and ask req.method()" : "";
      throw new IllegalArgumentException(
          "verb(\"" + verb + "\", …): not a method of HTTP" + advice);
    }
    return name;
  }
}
