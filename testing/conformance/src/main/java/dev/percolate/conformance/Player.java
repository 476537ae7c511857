package dev.percolate.conformance;

import dev.percolate.core.AppState;
import dev.percolate.core.FinalHandler;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Settings;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.framework.AppSettings;
import dev.percolate.http.Headers;
import dev.percolate.logger.RequestLogger;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Plays scenarios one after another, because the environment mode and the tokens and formats of
 * loggers are global.
 */
final class Player implements AutoCloseable {

  private static final String ENV = "percolate.env";
  private static final long SETTLE_MILLIS = 1000;

  /** Stored, because the platform forgets the level of a logger that is not referenced. */
  private static final Logger FAULTS = Logger.getLogger("dev.percolate");

  private final Transport transport;
  private final @Nullable String envBefore = System.getProperty(ENV);
  private final @Nullable Level levelBefore = FAULTS.getLevel();

  /**
   * Creates a player.
   *
   * @param transport sends the requests; closed with the player
   */
  Player(Transport transport) {
    this.transport = transport;
    FAULTS.setLevel(Level.OFF);
  }

  /** Plays a scenario with the defaults of the originals. */
  Result play(Scenario scenario) throws IOException, InterruptedException {
    return play(scenario, AppSettings.express());
  }

  /**
   * Plays a scenario.
   *
   * @param scenario the scenario
   * @param defaults the settings of its application that differ from our defaults
   */
  Result play(Scenario scenario, Settings defaults) throws IOException, InterruptedException {
    for (Object request : scenario.requests()) {
      String rejection = transport.rejection(ScriptValues.map(request));
      if (rejection != null) {
        return new Result(scenario, null, rejection);
      }
    }
    System.setProperty(ENV, scenario.env());
    try (World world = World.of(scenario.files())) {
      List<Map<String, @Nullable Object>> answers = new ArrayList<>();
      for (Map<String, @Nullable Object> answer : answers(scenario, defaults, world)) {
        answers.add(Masks.answer(answer, scenario.ignore(), world.root()));
      }
      List<String> log = world.log().stream().map(one -> Masks.text(one, world.root())).toList();
      String difference = Comparison.difference(scenario, answers, log);
      MissingFeature missing = world.missing();
      return difference != null && missing != null
          ? new Result(scenario, missing.getMessage(), null)
          : new Result(scenario, difference, null);
    } finally {
      RequestLogger.reset();
    }
  }

  @Override
  public void close() {
    transport.close();
    FAULTS.setLevel(levelBefore);
    if (envBefore == null) {
      System.clearProperty(ENV);
    } else {
      System.setProperty(ENV, envBefore);
    }
  }

  private List<Map<String, @Nullable Object>> answers(
      Scenario scenario, Settings defaults, World world) throws IOException, InterruptedException {
    App app;
    try {
      app = Steps.outermost(defaults, scenario.app(), world);
    } catch (Exception e) {
      return List.of(Answers.setupError(OriginalTexts.of(e)));
    }
    Service service = new Watched(app, new AppState(app.settings()), world);
    List<Map<String, @Nullable Object>> answers = new ArrayList<>();
    for (Object request : scenario.requests()) {
      int before = world.count();
      Map<String, @Nullable Object> answer = transport.exchange(service, ScriptValues.map(request));
      answers.add(answer);
      if (answer.containsKey("aborted")) {
        world.awaitMore(before, SETTLE_MILLIS); // the server may not have received it yet
      }
      world.settle(SETTLE_MILLIS);
    }
    return answers;
  }

  /** Serves an application, and notifies the world when an exchange ends. */
  private record Watched(App app, AppState appState, World world) implements Service {

    @Override
    public void serve(Exchange exchange) {
      Request req = RequestControl.admit(exchange, appState, this);
      if (req == null) {
        return;
      }
      Map<String, @Nullable Object> socket = Map.of("remoteAddress", exchange.remoteAddress());
      RequestMembers.put(req, "connection", socket);
      RequestMembers.put(req, "socket", socket);
      world.begun();
      // The hooks registered after this one run before the task that this one submits.
      req.response().onFinish(() -> exchange.executor().execute(world::over));
      app.handle(req, req.response(), new FinalHandler(req.response()));
    }

    @Override
    public void onRejected(Exchange exchange, int status, Headers headers) {
      app.onRejected(exchange, status, headers);
    }
  }
}
