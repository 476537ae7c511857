package dev.percolate.conformance;

import dev.percolate.engine.Engine;
import dev.percolate.nio.NioEngine;
import java.io.IOException;

/** The engines that run scenarios. */
final class Engines {

  private Engines() {}

  /** Returns a transport for the engine with a name. */
  static Transport transport(String name) throws IOException {
    Transport wire = new WireTransport(named(name));
    return name.equals("servlet") ? new BlanksInTypes(wire) : wire;
  }

  private static Engine named(String name) {
    return switch (name) {
      case "nio" -> new NioEngine();
      case "servlet" -> new JettyEngine();
      default ->
          throw new IllegalArgumentException("engine \"" + name + "\" must be nio or servlet");
    };
  }
}
