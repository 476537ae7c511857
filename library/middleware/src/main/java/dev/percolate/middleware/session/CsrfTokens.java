package dev.percolate.middleware.session;

import dev.percolate.http.Hash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates and verifies tokens of the form salt, dash, hash of salt and secret.
 *
 * <p>The form, with SHA-1, is that of the npm package csrf. The hash only hides the secret, so
 * collisions do not matter.
 */
public final class CsrfTokens {

  private static final int SECRET_BYTES = 18;
  private static final int SALT_LENGTH = 8;
  private static final String SALT_CHARS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final Secret store;
  private @Nullable String secret;
  private @Nullable String token;

  public CsrfTokens(Secret store) {
    this.store = store;
  }

  /** Stores the secret between requests. */
  public interface Secret {

    /** Returns the secret, or null if there is none yet. */
    @Nullable String read();

    void write(String secret);
  }

  /** Returns the secret, and creates it if there is none. */
  private String prepare() {
    String known = store.read();
    if (known == null || known.isEmpty()) {
      known = RandomText.of(SECRET_BYTES);
      store.write(known);
    }
    return known;
  }

  /** Returns the token. It is new only if the secret has changed. */
  public String token() {
    String now = prepare();
    if (token == null || !now.equals(secret)) {
      secret = now;
      token = token(salt(), now);
    }
    return token;
  }

  /**
   * Returns true if a token was created from the secret. Returns false if there is no secret yet.
   */
  public boolean verifies(@Nullable String sent) {
    int dash = sent == null ? -1 : sent.indexOf('-');
    String known = store.read();
    if (sent == null || dash < 0 || known == null || known.isEmpty()) {
      return false;
    }
    byte[] right = token(sent.substring(0, dash), known).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(right, sent.getBytes(StandardCharsets.UTF_8));
  }

  private static String token(String salt, String secret) {
    byte[] text = (salt + "-" + secret).getBytes(StandardCharsets.UTF_8);
    return salt + "-" + BASE64.encodeToString(Hash.of("SHA-1").digest(text));
  }

  private static String salt() {
    return RANDOM
        .ints(SALT_LENGTH, 0, SALT_CHARS.length())
        .mapToObj(i -> SALT_CHARS.substring(i, i + 1))
        .collect(Collectors.joining());
  }
}
