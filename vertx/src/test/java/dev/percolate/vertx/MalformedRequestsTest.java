package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.MalformedRequest;
import dev.percolate.engine.tests.MalformedRequestsContract;
import java.util.Set;

final class MalformedRequestsTest extends MalformedRequestsContract {

  /** What Netty takes for extensions of a chunk, and trailers that it unfolds. */
  private static final Set<String> READ =
      Set.of(
          "1;",
          "1; ",
          "1;;a",
          "1;=b",
          "1;a ",
          "1;a=;b",
          "1;a=b\"c\"",
          "1;\"a\"",
          "09 in an extension",
          "20 in an extension",
          "22 in an extension",
          "22 in the value of an extension",
          "09 before a trailer",
          "20 before a trailer",
          "a folded trailer");

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }

  @Override
  protected boolean refuses(MalformedRequest request) {
    return !READ.contains(request.name().replace(", the last", ""));
  }
}
