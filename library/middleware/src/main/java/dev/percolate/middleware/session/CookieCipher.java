package dev.percolate.middleware.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts cookie values with AES-256-GCM (NIST SP 800-38D). A value is bound to a purpose and a
 * cookie name, and cannot be decrypted for another cookie.
 *
 * <p>A value is base64url of: a byte 1, a key id of 4 bytes, a salt of 16 bytes, and the ciphertext
 * with its tag. Each value has its own key, derived from secret and salt with HMAC-SHA-256. So the
 * number of values is not limited.
 */
public final class CookieCipher {

  private static final byte FORM = 1;
  private static final int ID = Integer.BYTES;
  private static final int SALT = 16;
  private static final int HEAD = 1 + ID + SALT;
  private static final int TAG_BITS = 128;
  private static final int NONCE = 12;
  private static final int LEAST_SECRET = 16;
  private static final int LONGEST = 16 << 10;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final List<Root> roots = new ArrayList<>();

  /** The key that is derived from a secret, and its id. */
  private record Root(SecretKeySpec key, int id) {}

  /**
   * Creates a cipher.
   *
   * @param option the name of the option for messages
   * @param secrets the first encrypts, all decrypt
   * @throws IllegalArgumentException if there is no secret, or one has fewer than 16 characters
   */
  public CookieCipher(String option, List<String> secrets) {
    if (secrets.isEmpty()) {
      throw new IllegalArgumentException(option + " needs at least one secret");
    }
    for (String secret : secrets) {
      if (secret.length() < LEAST_SECRET) {
        throw new IllegalArgumentException(
            option + ": each secret must have at least " + LEAST_SECRET + " characters");
      }
      SecretKeySpec given = hmacKey(secret.getBytes(StandardCharsets.UTF_8));
      SecretKeySpec key = hmacKey(hmac(given, "percolate cookie encryption 1", new byte[0]));
      roots.add(new Root(key, ByteBuffer.wrap(hmac(key, "id", new byte[0])).getInt()));
    }
  }

  /** Encrypts text as a cookie value. */
  public String seal(String purpose, String name, String text) {
    Root root = roots.get(0);
    byte[] salt = new byte[SALT];
    RANDOM.nextBytes(salt);
    byte[] head = ByteBuffer.allocate(HEAD).put(FORM).putInt(root.id()).put(salt).array();
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, root, head, purpose, name);
      byte[] sealed = cipher.doFinal(text.getBytes(StandardCharsets.UTF_8));
      byte[] all = Arrays.copyOf(head, HEAD + sealed.length);
      System.arraycopy(sealed, 0, all, HEAD, sealed.length);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime must support AES-GCM", e);
    }
  }

  /** Decrypts a cookie value; returns null if no secret decrypts it for this purpose and name. */
  public @Nullable String open(String purpose, String name, String value) {
    byte[] all;
    try {
      all = value.length() > LONGEST ? new byte[0] : Base64.getUrlDecoder().decode(value);
    } catch (IllegalArgumentException e) {
      return null;
    }
    if (all.length < HEAD + TAG_BITS / 8 || all[0] != FORM) {
      return null;
    }
    byte[] head = Arrays.copyOf(all, HEAD);
    int id = ByteBuffer.wrap(all).getInt(1);
    for (Root root : roots) {
      String text = root.id() == id ? open(root, purpose, name, head, all) : null;
      if (text != null) {
        return text;
      }
    }
    return null;
  }

  private static @Nullable String open(
      Root root, String purpose, String name, byte[] head, byte[] all) {
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, root, head, purpose, name);
      byte[] text = cipher.doFinal(all, HEAD, all.length - HEAD);
      return new String(text, StandardCharsets.UTF_8);
    } catch (GeneralSecurityException e) {
      return null; // modified, or encrypted for another purpose or name
    }
  }

  private static Cipher cipher(int mode, Root root, byte[] head, String purpose, String name)
      throws GeneralSecurityException {
    byte[] salt = Arrays.copyOfRange(head, HEAD - SALT, HEAD);
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    SecretKeySpec key = new SecretKeySpec(hmac(root.key(), "key", salt), "AES");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, new byte[NONCE]));
    cipher.updateAAD(head);
    cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
    cipher.updateAAD(new byte[] {(byte) 0xFF}); // a separator that does not occur in UTF-8
    cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  private static SecretKeySpec hmacKey(byte[] bytes) {
    return new SecretKeySpec(bytes, "HmacSHA256");
  }

  private static byte[] hmac(SecretKeySpec key, String label, byte[] rest) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      mac.update(label.getBytes(StandardCharsets.US_ASCII));
      return mac.doFinal(rest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime must support HmacSHA256", e);
    }
  }
}
