package dev.percolate.nio.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;

/** Tests which names share a context, and how many contexts are kept. */
final class SessionContextsTest {

  private final SessionContexts contexts =
      new SessionContexts(
          name -> new NamedKeys(List.of(), name),
          new TrustManager[0],
          name -> name.endsWith(".here"));

  @Test
  void aNameKeepsItsContextAndSharesItWithNoOther() throws Exception {
    List<SSLContext> all = new ArrayList<>();
    for (String name : List.of("a.here", "b.here", "a.elsewhere", "b.elsewhere", "")) {
      SSLContext one = contexts.of(name);
      assertSame(one, contexts.of(name), name);
      all.forEach(other -> assertNotSame(other, one, name));
      all.add(one);
    }
  }

  @Test
  void whoseNameIsUnknownHasOneOfItsOwn() throws Exception {
    assertNotSame(contexts.of(null), contexts.of(null));
  }

  @Test
  void manyNamesOfNoCertificateDoNotDriveOutThoseOfOne() throws Exception {
    SSLContext served = contexts.of("a.here");
    SSLContext unnamed = contexts.of("");
    SSLContext other = contexts.of("a.elsewhere");
    for (int i = 0; i < 400; i++) {
      assertNotSame(served, contexts.of(i + ".elsewhere"));
    }
    assertSame(served, contexts.of("a.here"));
    assertSame(unnamed, contexts.of(""));
    assertNotSame(other, contexts.of("a.elsewhere"));
  }

  @Test
  void allContextsTogetherKeepALimitedNumberOfSessions() throws Exception {
    List<SSLContext> all = new ArrayList<>();
    for (int i = 0; i < 256; i++) {
      all.add(contexts.of(i + ".here"));
    }
    int sessions =
        all.stream().mapToInt(one -> one.getServerSessionContext().getSessionCacheSize()).sum();
    assertEquals(16_384, sessions);
  }

  @Test
  void theNameUsedLongestAgoIsDrivenOutFirst() throws Exception {
    SSLContext kept = contexts.of("kept.here");
    SSLContext left = contexts.of("left.here");
    for (int i = 0; i < 300; i++) {
      assertNotSame(kept, contexts.of(i + ".here"));
      assertSame(kept, contexts.of("kept.here"));
    }
    assertNotSame(left, contexts.of("left.here"));
  }
}
