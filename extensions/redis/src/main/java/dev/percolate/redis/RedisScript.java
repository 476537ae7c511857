package dev.percolate.redis;

import dev.percolate.http.Hash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a script on one key. Sends its hash first, and its text only if Redis does not know the
 * script, as after a restart.
 */
final class RedisScript {

  private final String text;
  private final List<String> byHash;

  RedisScript(String text) {
    this.text = text;
    this.byHash = List.of("EVALSHA", sha1(text), "1");
  }

  @Nullable Object run(RedisConnection redis, String key, String... arguments) throws IOException {
    List<String> after = List.of(arguments);
    try {
      return redis.call(byHash, key, after);
    } catch (RedisException e) {
      if (!e.code().equals("NOSCRIPT")) {
        throw e;
      }
      return redis.call(List.of("EVAL", text, "1"), key, after);
    }
  }

  /** Returns the hash by which Redis identifies a script. */
  private static String sha1(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(Hash.of("SHA-1").digest(bytes));
  }
}
