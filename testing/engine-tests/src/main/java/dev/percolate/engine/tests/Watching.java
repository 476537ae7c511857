package dev.percolate.engine.tests;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RefusalListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records each request like a logger, including requests that the engine rejects. */
public final class Watching implements Middleware, RefusalListener {

  public final List<String> lines = new CopyOnWriteArrayList<>();

  @Override
  public void handle(Request req, Response res, Next next) {
    res.onFinish(() -> lines.add(req.method() + " " + req.originalUrl() + " " + res.status()));
    next.run();
  }

  @Override
  public void refused(Request req, Response res) {
    lines.add("refused " + req.method() + " " + req.originalUrl() + " " + res.status());
  }
}
