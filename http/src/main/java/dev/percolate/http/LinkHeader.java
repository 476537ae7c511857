package dev.percolate.http;

import java.util.Map;
import java.util.function.UnaryOperator;

/** Adds links to the header Link (RFC 8288). */
public final class LinkHeader {
  private LinkHeader() {}

  /**
   * Adds links to a value of the header.
   *
   * @param value the value so far, empty for none
   * @param links URLs by their relation, such as {@code next}. A URL is written as {@link
   *     UriReference}, so it cannot end its link; in a relation, characters outside ASCII are
   *     percent-encoded
   * @return the new value
   */
  public static String with(String value, Map<String, String> links) {
    return with(
        value,
        links,
        url -> UriReference.encode(HeaderText.encodable("Link", url)),
        Percent::encodeForHeader);
  }

  /** Adds links whose text is ISO-8859-1. */
  static String withLatin1(String value, Map<String, String> links) {
    return with(value, links, url -> Percent.encodeAboveLatin1(url, "<>\""), relation -> relation);
  }

  private static String with(
      String value,
      Map<String, String> links,
      UnaryOperator<String> url,
      UnaryOperator<String> relation) {
    StringBuilder all = new StringBuilder(value);
    links.forEach(
        (name, target) ->
            all.append(all.isEmpty() ? "" : ", ")
                .append('<')
                .append(url.apply(target))
                .append(">; rel=")
                .append(HeaderText.quoted(relation.apply(name))));
    return all.toString();
  }
}
