package dev.percolate.observability;

import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ForkJoinPool;

/**
 * Starts servers with a traced application, one for each thread mode in the arguments. Ends at the
 * end of standard input, after the log lines are written.
 */
final class TracedMain {

  private static final String DATABASE = "jdbc:h2:mem:users;DB_CLOSE_DELAY=-1";

  private TracedMain() {}

  public static void main(String[] modes) throws Exception {
    Deque<Server> servers = new ArrayDeque<>();
    for (String mode : modes) {
      ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").threads(mode);
      servers.push(app().listen(options));
      System.out.println(servers.element().port());
    }
    int end = System.in.read();
    assert end < 0;
    servers.forEach(Server::close);
  }

  private static App app() {
    App app = new App();
    app.use(Tracing.of(GlobalOpenTelemetry.get()));
    app.use(RequestLogger.of("logged :url :trace-id"));
    app.use(TracedMain::blocks, TracedMain::passesOnFromAnotherThread);
    app.get("/users/:id", TracedMain::answers);
    return app;
  }

  private static void blocks(Request req, Response res, Next next) throws Exception {
    res.set("X-First", span());
    Thread.sleep(5);
    ask("select 1");
    next.run();
  }

  private static void passesOnFromAnotherThread(Request req, Response res, Next next) {
    res.set("X-Second", span());
    ForkJoinPool.commonPool().execute(next);
  }

  private static void answers(Request req, Response res) throws SQLException {
    res.set("X-Third", span());
    res.send(ask("select 2"));
  }

  private static String ask(String question) throws SQLException {
    try (Connection database = DriverManager.getConnection(DATABASE);
        PreparedStatement statement = database.prepareStatement(question);
        ResultSet found = statement.executeQuery()) {
      found.next();
      return found.getString(1);
    }
  }

  private static String span() {
    return Span.current().getSpanContext().getSpanId();
  }
}
