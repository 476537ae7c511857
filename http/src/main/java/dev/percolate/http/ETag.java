package dev.percolate.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Creates entity tags (RFC 9110 section 8.8.3) of bodies and files. */
public final class ETag {
  private ETag() {}

  /**
   * Creates the strong tag of a body: its length in hexadecimal digits and its MD5 digest.
   *
   * @param body the body's bytes
   * @return the tag with its double quotes
   */
  public static String strong(byte[] body) {
    String digest = Base64.getEncoder().withoutPadding().encodeToString(md5().digest(body));
    return '"' + Integer.toHexString(body.length) + '-' + digest + '"';
  }

  /**
   * Creates the weak tag of a body, the strong one after {@code W/}.
   *
   * @param body the body's bytes
   * @return the tag with its double quotes
   */
  public static String weak(byte[] body) {
    return "W/" + strong(body);
  }

  /**
   * Creates the weak tag of a file from its facts, without reading it.
   *
   * @param size the file's size in bytes
   * @param lastModified the time of its last change, in milliseconds since 1970-01-01T00:00:00Z
   * @return the tag with its double quotes
   */
  public static String ofFile(long size, long lastModified) {
    return "W/\"" + Long.toHexString(size) + '-' + Long.toHexString(lastModified) + '"';
  }

  /**
   * Creates the weak tag of a file from its size and a checksum of its content.
   *
   * @param size the file's size in bytes
   * @param checksum the checksum, such as CRC-32
   * @return the tag with its double quotes
   */
  public static String ofChecksum(long size, long checksum) {
    return "W/\"" + Long.toHexString(size) + "-c" + Long.toHexString(checksum) + '"';
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime must have MD5", e);
    }
  }
}
