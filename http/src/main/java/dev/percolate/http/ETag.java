package dev.percolate.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Creates entity tags of bodies and files, and compares them (RFC 9110 section 8.8.3). */
public final class ETag {
  private static final String WEAK = "W/";

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
    return WEAK + strong(body);
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

  /**
   * Returns the weak form of a tag, for a representation that has the same meaning but other bytes,
   * such as a compressed one.
   *
   * @param tag a tag, weak or strong
   * @return the tag, after {@code W/} if it was strong
   */
  public static String weaken(String tag) {
    return isWeak(tag) ? tag : WEAK + tag;
  }

  /** Returns whether two tags are equal and both strong. */
  static boolean matchesStrongly(String tag, @Nullable String other) {
    return tag.equals(other) && !isWeak(tag);
  }

  /** Returns whether two tags are equal, whether weak or strong. */
  static boolean matchesWeakly(String tag, @Nullable String other) {
    return other != null && weaken(tag).equals(weaken(other));
  }

  private static boolean isWeak(String tag) {
    return tag.startsWith(WEAK);
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime must have MD5", e);
    }
  }
}
