package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.percolate.http.ConditionalRequests.Outcome;
import java.util.List;

/** The current tag is fresh, another tag is not, and random headers never throw. */
final class FreshFuzzTest {

  @FuzzTest
  void anOwnTagIsFreshAndAForeignTagIsStale(byte[] data) {
    String[] lines = FuzzLines.of(data, 4);
    Headers request = new Headers();
    request.addReceived("If-None-Match", lines[0]);
    request.addReceived("If-Modified-Since", lines[1]);
    request.addReceived("Cache-Control", lines[2]);
    Headers response = new Headers();
    response.addReceived("ETag", lines[3]);
    response.addReceived("Last-Modified", lines[1]);
    String tag = ETag.weak(data);
    Headers own = new Headers().set("If-None-Match", "\"x\", " + tag);
    for (ConditionalRequests rules : ConditionalRequests.values()) {
      Outcome outcome = rules.evaluate("GET", 200, request, response);
      assertEquals(outcome, rules.evaluate("HEAD", 200, request, response));
      assertEquals(Outcome.SEND, rules.evaluate("POST", 200, request, response));
      assertEquals(Outcome.SEND, rules.evaluate("GET", 500, request, response));
      assertEquals(Outcome.NOT_MODIFIED, rules.evaluate("GET", 200, own, Headers.of("ETag", tag)));
    }
    request.addReceived("If-Match", lines[0]);
    request.addReceived("If-Range", lines[2]);
    Validators current = Validators.of(response);
    boolean applies = Preconditions.rangeApplies(request, current);
    assertFalse(applies && lines[3].startsWith("W/") && lines[2].indexOf('"') >= 0);
    assertTrue(Preconditions.prohibit("PUT", request, Validators.ABSENT));
    List<String> names = Vary.names(lines[0]);
    assertTrue(names.stream().noneMatch(name -> name.contains(",")));
  }
}
