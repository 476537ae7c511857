package dev.percolate.servlet;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.EngineContract;
import dev.percolate.testkit.TestConnection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A servlet meets the contract of engines, with the stated exceptions, in both containers, whether
 * it may leave the container's thread or not.
 */
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@MethodSource("containers")
final class ServletContractTest extends EngineContract {

  private final Container.Kind kind;
  private final boolean async;

  ServletContractTest(Container.Kind kind, boolean async) {
    this.kind = kind;
    this.async = async;
  }

  /** If the tests run again on an older JDK, one case for each container is enough. */
  static Stream<Arguments> containers() {
    Stream<Arguments> always =
        Stream.of(arguments(Container.Kind.JETTY, true), arguments(Container.Kind.TOMCAT, false));
    Stream<Arguments> once =
        Stream.of(arguments(Container.Kind.JETTY, false), arguments(Container.Kind.TOMCAT, true));
    return Boolean.getBoolean("percolate.again") ? always : Stream.concat(always, once);
  }

  /** A thread of the container waits for a body, as a virtual thread would. */
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
  protected boolean rejectsHeads() {
    return false;
  }

  @Override
  protected boolean noticesDisconnects() {
    return false;
  }

  @Override
  protected boolean upgrades() {
    return kind == Container.Kind.TOMCAT;
  }

  /** A client that closes its container when it is closed. */
  record Owning(Container container, Client client) implements Client {

    @Override
    public TestConnection open(Call call) {
      return client.open(call);
    }

    @Override
    public void close() {
      client.close();
      container.close();
    }
  }
}
