package dev.percolate.nio;

import dev.percolate.nio.protocol.Protocol;
import dev.percolate.nio.wire.Wire;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a new connection speaks, where that may be something else than HTTP/1.1: by what
 * TLS has agreed on, in clear text by the first bytes.
 */
final class Opening {

  private final Protocol protocol;
  private final byte[] preface;
  private int matched;

  /** What a connection speaks, as far as that is known. */
  enum Speaks {
    UNKNOWN,
    HTTP_1,
    OTHER
  }

  private Opening(Protocol protocol) {
    this.protocol = protocol;
    this.preface = protocol.preface();
  }

  /** Creates the opening of a connection; null if nothing but HTTP/1.1 is spoken. */
  static @Nullable Opening of(ServerState server) {
    Protocol spoken = server.protocol();
    return spoken == null ? null : new Opening(spoken);
  }

  Protocol protocol() {
    return protocol;
  }

  byte[] preface() {
    return preface;
  }

  /** Returns how many bytes have come, all of them those of the preface. */
  int matched() {
    return matched;
  }

  /** Looks at what has come. */
  Speaks look(Wire wire, byte[] bytes, int count) {
    if (wire.isSecure()) {
      String agreed = wire.protocol();
      if (agreed == null) {
        return Speaks.UNKNOWN;
      }
      return agreed.equals(protocol.name()) ? Speaks.OTHER : Speaks.HTTP_1;
    }
    int more = Math.max(0, Math.min(count, preface.length - matched));
    if (!Arrays.equals(bytes, 0, more, preface, matched, matched + more)) {
      return Speaks.HTTP_1;
    }
    matched += more;
    return matched == preface.length ? Speaks.OTHER : Speaks.UNKNOWN;
  }
}
