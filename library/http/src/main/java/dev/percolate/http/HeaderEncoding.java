package dev.percolate.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes URLs and file names for headers; the setting {@code header encoding}.
 *
 * <p>Clients read characters outside ASCII in a header as ISO-8859-1, as UTF-8, or not at all (RFC
 * 9110 section 5.5).
 */
public enum HeaderEncoding {

  /** ASCII: URLs are encoded by {@link UriReference}, file names by RFC 8187. */
  ASCII,

  /** ISO-8859-1 for characters up to U+00FF, and ASCII characters unchanged, like Express 3. */
  LATIN1;

  /**
   * Returns the encoding for a value of the setting.
   *
   * @param setting {@code ascii} (or null) or {@code latin1}
   * @throws IllegalArgumentException for any other value
   */
  public static HeaderEncoding of(@Nullable Object setting) {
    return SettingValue.of("header encoding", setting, values());
  }

  /**
   * Returns the value of {@code Location}.
   *
   * @param url the URL, as {@link Redirect#resolve} returns it
   */
  public String location(String url) {
    return this == ASCII
        ? UriReference.encode(HeaderText.encodable("Location", url))
        : Percent.encodeAboveLatin1(UriReference.endHost(url), "\\\t");
  }

  /**
   * Returns the value of {@code Location} or {@code Content-Location} if the application sets the
   * header itself, for example to a value received from another server.
   *
   * @param url the value
   */
  public String received(String url) {
    return this == ASCII ? location(UriReference.received(url)) : url;
  }

  /**
   * Adds links to the value of {@code Link}.
   *
   * @param value the current value; empty if there is none
   * @param links the URLs by relation
   * @return the new value
   */
  public String links(String value, Map<String, String> links) {
    return this == ASCII ? LinkHeader.with(value, links) : LinkHeader.withLatin1(value, links);
  }

  /**
   * Returns the value of {@code Content-Disposition} of a download.
   *
   * @param path the name of the file, or a path that ends with it
   */
  public String attachment(String path) {
    return this == ASCII
        ? ContentDisposition.attachment(path)
        : ContentDisposition.latin1Attachment(path);
  }
}
