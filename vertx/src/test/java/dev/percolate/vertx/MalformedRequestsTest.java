package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.MalformedRequest;
import dev.percolate.engine.tests.MalformedRequestsContract;

final class MalformedRequestsTest extends MalformedRequestsContract {

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }

  /** Netty takes any text for an extension of a chunk, and unfolds trailers. */
  @Override
  protected boolean refuses(MalformedRequest request) {
    String name = request.name();
    boolean extension = name.startsWith("1;") || name.contains("an extension");
    boolean folded = name.endsWith("before a trailer") || name.equals("a folded trailer");
    return !(request.row().equals("ENG-16") && extension)
        && !(request.row().equals("ENG-17") && folded);
  }
}
