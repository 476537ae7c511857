package dev.percolate.middleware.store;

import dev.percolate.core.FormFile;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.http.Hash;
import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hashes strings, and the content of requests. */
public final class Fingerprint {

  /** The number of bytes of a file to hash at a time, which takes less than a millisecond. */
  private static final int PIECE = 64 << 10;

  private Fingerprint() {}

  /** Returns the hash of several strings. It depends on how the text is split into strings. */
  public static String of(String... texts) {
    MessageDigest digest = Hash.of("SHA-256");
    for (String text : texts) {
      add(digest, text.getBytes(StandardCharsets.UTF_8));
    }
    return text(digest);
  }

  /**
   * Returns the hash of the method, target, body and files of a request.
   *
   * @throws UncheckedIOException if an uploaded file cannot be read
   * @throws HttpError 415 if no body parser accepts the type of the body
   * @throws IllegalStateException if no body parser was added
   */
  public static String of(Request req) {
    MessageDigest digest = Hash.of("SHA-256");
    add(digest, req.method().getBytes(StandardCharsets.UTF_8));
    add(digest, req.originalUrl().getBytes(StandardCharsets.UTF_8));
    Object body = req.body();
    boolean isRead = body != null || req.attrOrNull(Request.BODY_TAKEN) != null; // or JSON null
    if (!isRead && req.hasBody() && !"0".equals(req.get("Content-Length"))) {
      throw unread(req);
    }
    add(digest, bytes(req, body));
    for (FormFile file : files(req)) {
      add(digest, file);
    }
    return text(digest);
  }

  private static RuntimeException unread(Request req) {
    if (req.attrOrNull(Request.BODY_PASSED_ON) == null) {
      return new IllegalStateException(
          "Idempotency: the body has not been read. Add a body parser before it, such as"
              + " BodyParsers.json().");
    }
    String type = req.get("Content-Type");
    String message =
        type == null
            ? "the body has no type"
            : "no parser accepts the type " + LogText.escape(type);
    return new HttpError(415, message, "entity.type.unsupported", null);
  }

  /** Returns the uploaded files, which are kept until the response is complete. */
  public static List<? extends FormFile> files(Request req) {
    List<? extends FormFile> files = req.attrOrNull(Request.FORM_FILES);
    return files == null ? List.of() : files;
  }

  private static void add(MessageDigest digest, FormFile file) {
    for (String text : new String[] {file.field(), file.name(), String.valueOf(file.type())}) {
      add(digest, text.getBytes(StandardCharsets.UTF_8));
    }
    digest.update((file.size() + ":").getBytes(StandardCharsets.US_ASCII));
    try (InputStream content = file.inputStream()) {
      byte[] buffer = new byte[PIECE];
      for (int n = content.read(buffer); n >= 0; n = content.read(buffer)) {
        int size = n;
        VirtualThreads.runFairly(() -> digest.update(buffer, 0, size));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Idempotency: cannot read an uploaded file", e);
    }
  }

  private static byte[] bytes(Request req, @Nullable Object body) {
    if (body instanceof byte[] bytes) {
      return bytes;
    }
    String text =
        body instanceof String known
            ? known
            : req.settings().jsonCodec().write(body, JsonCodec.WriteOptions.COMPACT);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void add(MessageDigest digest, byte[] bytes) {
    digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
    digest.update(bytes);
  }

  private static String text(MessageDigest digest) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
  }
}
