package dev.percolate.servlet;

import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.EngineContract;
import dev.percolate.testkit.Talk;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A servlet keeps the contract of engines, but for what it states: in both containers, where it may
 * leave the container's thread and where it may not. Where the tests run again, on an older JDK,
 * one of each is enough.
 */
final class ServletContractTest {

  @Execution(ExecutionMode.CONCURRENT)
  private abstract static class InContainer extends EngineContract {

    private final Container.Kind kind;
    private final boolean async;

    InContainer(Container.Kind kind, boolean async) {
      this.kind = kind;
      this.async = async;
    }

    /** A thread of the container waits for a body, as a virtual one would. */
    @Override
    protected ThreadMode threads() {
      return ThreadMode.VIRTUAL;
    }

    @Override
    protected Client serve(Service service) throws Exception {
      Container container = kind.start(async, List.of(), new ServiceServlet(service));
      return new Owning(container, Client.of(container.uri()));
    }

    @Override
    protected boolean keepsTypes() {
      return false;
    }

    @Override
    protected boolean refusesHeads() {
      return false;
    }

    @Override
    protected boolean noticesHangUps() {
      return false;
    }

    @Override
    protected boolean upgrades() {
      return kind == Container.Kind.TOMCAT;
    }
  }

  /** A client that takes its container down with it. */
  record Owning(Container container, Client client) implements Client {

    @Override
    public Talk open(Call call) {
      return client.open(call);
    }

    @Override
    public void close() {
      client.close();
      container.close();
    }
  }

  @Nested
  final class InJetty extends InContainer {
    InJetty() {
      super(Container.Kind.JETTY, true);
    }
  }

  @Nested
  @DisabledIfSystemProperty(named = "percolate.again", matches = "true")
  final class InJettyWithoutAsync extends InContainer {
    InJettyWithoutAsync() {
      super(Container.Kind.JETTY, false);
    }
  }

  @Nested
  @DisabledIfSystemProperty(named = "percolate.again", matches = "true")
  final class InTomcat extends InContainer {
    InTomcat() {
      super(Container.Kind.TOMCAT, true);
    }
  }

  @Nested
  final class InTomcatWithoutAsync extends InContainer {
    InTomcatWithoutAsync() {
      super(Container.Kind.TOMCAT, false);
    }
  }
}
