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
record RequestMethod(String method, String verb, long answering) {

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
    long bit = Methods.bit(verb);
    return new RequestMethod(method, verb, verb.equals("head") ? bit | Methods.bit("get") : bit);
  }
}
