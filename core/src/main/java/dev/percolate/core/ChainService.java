package dev.percolate.core;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import java.util.List;

/** Serves requests by a fixed chain of steps. */
final class ChainService implements Service {

  private final Scope scope;
  private final Faults faults;
  private final List<Middleware> steps;

  ChainService(Settings settings, Middleware... steps) {
    this.scope = Scope.of(settings);
    this.faults = new Faults(settings);
    this.steps = List.of(steps);
  }

  @Override
  public void serve(Exchange exchange) {
    Request req = TargetCheck.admit(exchange, scope, faults, this);
    if (req != null) {
      Chain.walk(steps, req, req.response(), new FinalHandler(req, req.response()));
    }
  }

  @Override
  public void refused(Exchange exchange, int status, Headers headers) {
    Request req = new Request(exchange, scope, faults);
    req.response().alreadyStarted(status, headers);
    for (Middleware step : steps) {
      if (step instanceof Witness witness) {
        witness.refused(req, req.response());
      } else if (step instanceof Service service) {
        service.refused(exchange, status, headers);
      }
    }
  }
}
