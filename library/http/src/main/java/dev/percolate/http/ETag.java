package dev.percolate.http;

import java.util.Base64;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/** Creates and compares entity tags of bodies and files (RFC 9110 section 8.8.3). */
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
    String digest =
        Base64.getEncoder().withoutPadding().encodeToString(Hash.of("MD5").digest(body));
    return '"' + Integer.toHexString(body.length) + '-' + digest + '"';
  }

  /**
   * Creates the weak tag of a body: its length, its CRC-32 and its CRC-32C. Both checksums together
   * differ for any two bodies with the probability of a hash of 64 bits. They take a small part of
   * the time of a digest, but a body with the tag of another one can be made on purpose.
   *
   * @param body the body's bytes
   * @return the tag with its double quotes
   */
  public static String weak(byte[] body) {
    return ofChecksum(body.length, sum(new CRC32(), body) << 32 | sum(new CRC32C(), body));
  }

  private static long sum(Checksum function, byte[] body) {
    function.update(body, 0, body.length);
    return function.getValue();
  }

  /**
   * Creates the weak tag of a file from its size and modification time, without reading it.
   *
   * @param size the file's size in bytes
   * @param lastModified the time of its last modification, in milliseconds since
   *     1970-01-01T00:00:00Z
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
   * Returns the weak form of a tag, for a representation with the same meaning but different bytes,
   * such as a compressed one.
   *
   * @param tag a weak or strong tag
   * @return the weak tag
   */
  public static String weaken(String tag) {
    return isWeak(tag) ? tag : WEAK + tag;
  }

  /** Returns true if two tags are equal and both strong. */
  static boolean matchesStrongly(String tag, @Nullable String other) {
    return tag.equals(other) && !isWeak(tag);
  }

  /** Returns true if two tags are equal, whether weak or strong. */
  static boolean matchesWeakly(String tag, @Nullable String other) {
    return other != null && weaken(tag).equals(weaken(other));
  }

  private static boolean isWeak(String tag) {
    return tag.startsWith(WEAK);
  }
}
