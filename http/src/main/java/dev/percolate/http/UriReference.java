package dev.percolate.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Writes text as a URI reference (RFC 3986 section 4.1), which has ASCII characters only. Headers
 * such as {@code Location} hold one (RFC 9110 section 10.2.2).
 */
public final class UriReference {
  private static final String SUB_DELIMITERS = "!$&'()*+,;=";
  private static final String USER = SUB_DELIMITERS + ":";

  /** Path, query and fragment; the fragment's own {@code #} is added between them. */
  private static final String PATH = SUB_DELIMITERS + ":@/?";

  private UriReference() {}

  /**
   * Encodes what a URI reference cannot hold: characters outside ASCII as the escapes of their
   * UTF-8 bytes, blanks, control characters, {@code " < > \ ^ ` { | }}, brackets outside the host,
   * and percent signs that begin no escape. The name of a host outside ASCII is written as its
   * A-labels (RFC 5890). Well-formed escapes stay, so an encoded reference stays as it is.
   *
   * <p>A backslash that ends the host becomes a slash, as browsers read it.
   *
   * @param text a URL, a path, or any text
   * @return the reference
   */
  public static String encode(String text) {
    String url = endHost(text);
    int host = hostStart(url);
    int path = host < 0 ? 0 : hostEnd(url, host);
    int mark = url.indexOf('#', path);
    int fragment = mark < 0 ? url.length() : mark;
    StringBuilder out = new StringBuilder(url.length() + 16);
    if (host >= 0) {
      out.append(Percent.encodeBut(url.substring(0, host), PATH));
      out.append(authority(url.substring(host, path)));
    }
    out.append(Percent.encodeBut(url.substring(path, fragment), PATH));
    if (mark >= 0) {
      out.append('#').append(Percent.encodeBut(url.substring(mark + 1), PATH));
    }
    return out.toString();
  }

  /**
   * Returns the text of a header that may have been received from a client or another server, which
   * send text outside ASCII as UTF-8 and whose bytes arrive as one character each.
   *
   * @param value the value of a header, or any text
   * @return the text of these bytes if the value consists of well-formed UTF-8, else the value
   */
  public static String received(String value) {
    boolean ascii = true;
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) > 0xFF) {
        return value;
      }
      ascii &= value.charAt(i) < 0x80;
    }
    if (ascii) {
      return value;
    }
    byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return value;
    }
  }

  /** Writes a slash instead of the backslash that ends the host of a URL. */
  static String endHost(String url) {
    int host = hostStart(url);
    int end = host < 0 ? url.length() : hostEnd(url, host);
    return end < url.length() && url.charAt(end) == '\\'
        ? url.substring(0, end) + '/' + url.substring(end + 1)
        : url;
  }

  /** Returns where the authority of a URL begins, after its two slashes; -1 without one. */
  private static int hostStart(String url) {
    int slashes = url.indexOf("//");
    boolean absolute =
        slashes > 0 && firstOf(url, 0, "/\\?#") == slashes && url.charAt(slashes - 1) == ':';
    return slashes == 0 || absolute ? slashes + 2 : -1;
  }

  private static int hostEnd(String url, int host) {
    return firstOf(url, host, "/\\?#");
  }

  private static int firstOf(String text, int from, String characters) {
    int at = from;
    while (at < text.length() && characters.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return at;
  }

  private static String authority(String text) {
    int at = text.lastIndexOf('@');
    String user = at < 0 ? "" : Percent.encodeBut(text.substring(0, at), USER) + '@';
    int colon = text.indexOf(':', Math.max(at, text.lastIndexOf(']')) + 1);
    int end = colon < 0 ? text.length() : colon;
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
