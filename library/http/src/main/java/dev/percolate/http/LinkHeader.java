package dev.percolate.http;

import java.util.Map;
import java.util.function.UnaryOperator;

/** Writes the {@code Link} header (RFC 8288). */
public final class LinkHeader {
  private LinkHeader() {}

  /**
   * Adds links to a value of the header. URLs are encoded by {@link UriReference}, so a URL cannot
   * end its link. In relations, characters outside ASCII are percent-encoded.
   *
   * @param value the current value; empty if there is none
   * @param links the URLs by relation, such as {@code next}
   * @return the new value
   */
  public static String with(String value, Map<String, String> links) {
    return with(
        value,
        links,
        url -> UriReference.encode(HeaderText.encodable("Link", url)),
        Percent::encodeForHeader);
  }

  /** Adds links in ISO-8859-1. */
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
