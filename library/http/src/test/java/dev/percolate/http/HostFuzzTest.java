package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.net.URI;

/** Valid hosts contain nothing else, and targets consist of their parts. */
final class HostFuzzTest {

  @FuzzTest
  void hostsAndTargetsAreSplit(byte[] data) {
    String[] lines = FuzzLines.of(data, 2);
    String host = lines[0];
    if (Host.isValid(host)) {
      assertTrue(host.chars().allMatch(c -> c > ' ' && c < 0x7F && "@/?#\\<>\"".indexOf(c) < 0));
      assertFalse(Host.withoutPort(host).isEmpty(), host);
      assertEquals(host, URI.create("http://" + host + "/").getRawAuthority());
    }
    assertTrue(Host.subdomains(Host.withoutPort(host), 2).size() <= host.length() + 1);
    String target = lines[1];
    String path = Target.path(target);
    String query = Target.query(target);
    assertTrue(path.indexOf('?') < 0);
    assertTrue(query == null || target.endsWith("?" + query));
    if (Target.isValid("GET", target)) {
      assertTrue(path.startsWith("/"), target);
      assertEquals(target.startsWith("/"), Target.authority(target) == null);
    }
  }
}
