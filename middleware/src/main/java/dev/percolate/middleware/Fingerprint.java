package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Hashes texts, and what a request asks for. */
final class Fingerprint {

  private Fingerprint() {}

  /** Returns the hash of several texts: of no others, in whatever pieces. */
  static String of(String... texts) {
    MessageDigest digest = sha256();
    for (String text : texts) {
      add(digest, text.getBytes(StandardCharsets.UTF_8));
    }
    return text(digest);
  }

  /**
   * Returns the hash of method, target and body of a request.
   *
   * @throws IllegalStateException if it has a body that nobody has read yet
   */
  static String of(Request req) {
    MessageDigest digest = sha256();
    add(digest, req.method().getBytes(StandardCharsets.UTF_8));
    add(digest, req.originalUrl().getBytes(StandardCharsets.UTF_8));
    Object body = req.body();
    if (body == null && req.hasBody() && !"0".equals(req.get("Content-Length"))) {
      throw new IllegalStateException(
          "Idempotency: the body has not been read; does a body parser stand above?");
    }
    add(digest, bytes(req, body));
    return text(digest);
  }

  private static byte[] bytes(Request req, @Nullable Object body) {
    if (body instanceof byte[] bytes) {
      return bytes;
    }
    String text =
        body instanceof String known
            ? known
            : req.settings().jsonCodec().write(body, JsonCodec.Style.COMPACT);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void add(MessageDigest digest, byte[] bytes) {
    digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
    digest.update(bytes);
  }

  private static String text(MessageDigest digest) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime must have SHA-256", e);
    }
  }
}
