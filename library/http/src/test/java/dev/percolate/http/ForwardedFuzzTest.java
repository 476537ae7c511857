package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;

/** The client is the peer unless the peer is trusted; all methods agree on the address. */
final class ForwardedFuzzTest {

  @FuzzTest
  void onlyTrustedProxiesAreRead(byte[] data) {
    String[] lines = FuzzLines.of(data, 3);
    Headers headers = new Headers();
    headers.addReceived("X-Forwarded-For", lines[0]);
    headers.addReceived("X-Forwarded-Proto", lines[1]);
    headers.addReceived("X-Forwarded-Host", lines[2]);
    String peer = "192.0.2.1";
    Forwarded stranger = new Forwarded(headers, peer, Trust.of("10.0.0.0/8"));
    assertEquals(peer, stranger.address());
    assertEquals("http", stranger.protocol("http"));
    assertEquals("own", stranger.host("own"));
    Forwarded known = new Forwarded(headers, peer, Trust.of("192.0.2.0/24"));
    List<String> addresses = known.addresses();
    assertEquals(addresses.isEmpty() ? peer : addresses.get(0), known.address());
    assertTrue(Trust.of(2).trusts(lines[0], 1));
    String canonical = IpText.canonical(lines[0]);
    assertEquals(canonical, IpText.canonical(canonical));
    try {
      Trust trust = Trust.of(lines[2]);
      assertEquals(trust.trusts(lines[0], 0), trust.trusts(lines[0], 0));
    } catch (IllegalArgumentException e) {
      assertNotNull(e.getMessage());
    }
  }
}
