package dev.percolate.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Encodes text as a URI reference (RFC 3986 section 4.1), which has ASCII characters only. Headers
 * such as {@code Location} contain one (RFC 9110 section 10.2.2).
 */
public final class UriReference {
  private static final String SUB_DELIMITERS = "!$&'()*+,;=";
  private static final String USER = SUB_DELIMITERS + ":";

  /** Allowed in path, query and fragment; the {@code #} of the fragment is added separately. */
  private static final String PATH = SUB_DELIMITERS + ":@/?";

  private UriReference() {}

  /**
   * Encodes the characters that a URI reference must not contain: spaces, control characters,
   * {@code " < > \ ^ ` { | }}, brackets outside the host, and percent signs that do not begin an
   * escape. Characters outside ASCII become escapes of their UTF-8 bytes. A host name outside ASCII
   * is written as A-labels (RFC 5890). Well-formed escapes are kept, so an encoded reference is
   * returned unchanged.
   *
   * <p>A backslash at the end of the host becomes a slash, as in browsers.
   *
   * @param text a URL, a path, or any text
   * @return the reference
   */
  public static String encode(String text) {
    String url = endHost(text);
    int host = hostStart(url);
    int path = host < 0 ? 0 : hostEnd(url, host);
    int fragment = Ascii.indexOrEnd(url, '#', path);
    StringBuilder out = new StringBuilder(url.length() + 16);
    if (host >= 0) {
      out.append(Percent.encodeBut(url.substring(0, host), PATH));
      out.append(authority(url.substring(host, path)));
    }
    out.append(Percent.encodeBut(url.substring(path, fragment), PATH));
    if (fragment < url.length()) {
      out.append('#').append(Percent.encodeBut(url.substring(fragment + 1), PATH));
    }
    return out.toString();
  }

  /**
   * Decodes a header value received from a client or another server. Such values may contain UTF-8,
   * of which each byte arrives as one character.
   *
   * @param value the value of a header, or any text
   * @return the decoded text if the value is well-formed UTF-8, else the value
   */
  public static String received(String value) {
    if (value.chars().anyMatch(c -> c > 0xFF)) {
      return value;
    }
    byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return value;
    }
  }

  /** Replaces a backslash at the end of the host of a URL with a slash. */
  static String endHost(String url) {
    int host = hostStart(url);
    int end = host < 0 ? url.length() : hostEnd(url, host);
    return end < url.length() && url.charAt(end) == '\\'
        ? url.substring(0, end) + '/' + url.substring(end + 1)
        : url;
  }

  /** Returns the index of the authority of a URL, after its two slashes; -1 if there is none. */
  private static int hostStart(String url) {
    int slashes = url.indexOf("//");
    boolean absolute = slashes > 0 && hostEnd(url, 0) == slashes && url.charAt(slashes - 1) == ':';
    return slashes == 0 || absolute ? slashes + 2 : -1;
  }

  private static int hostEnd(String url, int host) {
    return Ascii.firstOf("/\\?#", url, host);
  }

  private static String authority(String text) {
    int at = text.lastIndexOf('@');
    String user = at < 0 ? "" : Percent.encodeBut(text.substring(0, at), USER) + '@';
    int end = Ascii.indexOrEnd(text, ':', Math.max(at, text.lastIndexOf(']')) + 1);
    String port = Percent.encodeBut(text.substring(end), ":");
    return user + host(text.substring(at + 1, end)) + port;
  }

  private static String host(String name) {
    if (name.startsWith("[")) {
      return Percent.encodeBut(name, "[]:");
    }
    String ascii = DomainName.toAscii(name);
    return ascii == null ? Percent.encodeBut(name, SUB_DELIMITERS) : ascii;
  }
}
