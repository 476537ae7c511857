package dev.percolate.framework;

import dev.percolate.http.KnownMethods;
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
record Asked(String method, String verb, long answering) {

  private static final Map<String, Asked> KNOWN =
      KnownMethods.ALL.stream()
          .map(Asked::read)
          .collect(Collectors.toUnmodifiableMap(Asked::method, Function.identity()));

  static Asked of(String method) {
    Asked known = KNOWN.get(method);
    return known == null ? read(method) : known;
  }

  private static Asked read(String method) {
    String verb = method.toLowerCase(Locale.ROOT);
    long bit = Methods.bit(verb);
    return new Asked(method, verb, verb.equals("head") ? bit | Methods.bit("get") : bit);
  }
}
