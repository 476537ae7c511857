package dev.percolate.http;

import java.util.Map;

/** Adds links to the header Link (RFC 8288). */
public final class LinkHeader {
  private LinkHeader() {}

  /**
   * Adds links to a value of the header.
   *
   * @param value the value so far, empty for none
   * @param links URLs by their relation, such as {@code next}. In a URL what would end it there,
   *     {@code < > "} and what no header can hold, is percent-encoded
   * @return the new value
   */
  public static String with(String value, Map<String, String> links) {
    StringBuilder all = new StringBuilder(value);
    links.forEach(
        (relation, url) ->
            all.append(all.isEmpty() ? "" : ", ")
                .append('<')
                .append(Percent.encodeAlso(url, "<>\""))
                .append(">; rel=")
                .append(HeaderText.quoted(relation)));
    return all.toString();
  }
}
