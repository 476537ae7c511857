package dev.percolate.vertx;

import dev.percolate.core.Chain;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ForkJoinPool;

/** Servers under an agent, whose steps tell the trace they belong to. Ends with its input. */
final class TracedMain {

  private static final String API = "io.opentelemetry.javaagent.shaded.io.opentelemetry.api.trace.";

  private TracedMain() {}

  public static void main(String[] args) throws Exception {
    Service service = Chain.service(new Settings(), TracedMain::first, TracedMain::second);
    Deque<Server> servers = new ArrayDeque<>();
    for (String mode : args) {
      ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").threads(mode);
      servers.push(new VertxEngine().listen(service, options));
      System.out.println(servers.element().port());
    }
    int end = System.in.read();
    assert end < 0;
    servers.forEach(Server::close);
  }

  private static void first(Request req, Response res, Next next) throws Exception {
    res.set("X-First", trace());
    if (req.method().equals("POST")) {
      req.inputStream().readAllBytes();
    }
    if (req.path().equals("/hop")) {
      ForkJoinPool.commonPool().execute(next); // what follows comes back to the turn
    } else {
      next.run();
    }
  }

  private static void second(Request req, Response res, Next next) throws Exception {
    res.set("X-Second", trace()).end();
  }

  /** Returns the identifier of the current trace; all zeros if there is none. */
  private static String trace() throws ReflectiveOperationException {
    Class<?> span = Class.forName(API + "Span", true, null);
    Class<?> context = Class.forName(API + "SpanContext", true, null);
    Object current =
        span.getMethod("getSpanContext").invoke(span.getMethod("current").invoke(null));
    return (String) context.getMethod("getTraceId").invoke(current);
  }
}
