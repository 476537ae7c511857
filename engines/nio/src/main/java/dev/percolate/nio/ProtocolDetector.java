package dev.percolate.nio;

import dev.percolate.nio.protocol.Protocol;
import dev.percolate.nio.transport.Transport;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Detects the protocol of a new connection if HTTP/1.1 is not the only one: over TLS by
 * negotiation, in clear text by the first bytes.
 */
final class ProtocolDetector {

  private final Protocol protocol;
  private final byte[] preface;
  private int matched;

  /** The protocol of a connection. */
  enum Speaks {
    UNKNOWN,
    HTTP_1,
    OTHER
  }

  private ProtocolDetector(Protocol protocol) {
    this.protocol = protocol;
    this.preface = protocol.preface();
  }

  /** Creates the detector of a connection; null if HTTP/1.1 is the only protocol. */
  static @Nullable ProtocolDetector of(ServerState server) {
    Protocol spoken = server.protocol();
    return spoken == null ? null : new ProtocolDetector(spoken);
  }

  Protocol protocol() {
    return protocol;
  }

  byte[] preface() {
    return preface;
  }

  /** Returns the number of bytes of the preface that have arrived. */
  int matched() {
    return matched;
  }

  /** Checks the bytes that have arrived. */
  Speaks look(Transport transport, byte[] bytes, int count) {
    if (transport.isSecure()) {
      String agreed = transport.protocol();
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
