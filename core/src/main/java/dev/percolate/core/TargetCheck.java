package dev.percolate.core;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import dev.percolate.http.NormalPath;
import dev.percolate.http.Target;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Refuses targets that can mean two things, before any step, as the settings of a service say. */
public final class TargetCheck {

  private TargetCheck() {}

  /**
   * Creates the request of an exchange; or answers 400 and ends the connection, as engines do, if
   * {@link Settings#AMBIGUOUS_TARGETS} refuses its target. The service is notified as of what
   * engines refuse.
   *
   * @param exchange a request that nobody has answered
   * @param scope what holds for it until an application is at work, with the settings
   * @param faults the counters of the outermost application
   * @param service the service
   * @return the request; null if it has been refused, and so answered
   */
  public static @Nullable Request admit(
      Exchange exchange, AppContext scope, ErrorCounters faults, Service service) {
    String target = exchange.target();
    boolean plain = NormalPath.isPlain(target);
    if (!plain && isRefused(target, scope.settings())) {
      Headers headers = HeadGuard.answer(400);
      exchange.start(400, headers);
      exchange.end(ByteBuffer.allocate(0));
      service.refused(exchange, 400, headers);
      return null;
    }
    Request req = new Request(exchange, scope, faults);
    if (plain) {
      req.plain();
    }
    return req;
  }

  private static boolean isRefused(String target, Settings settings) {
    String mode = Objects.requireNonNull(settings.get(Settings.AMBIGUOUS_TARGETS));
    return !mode.equals("pass")
        && (NormalPath.isDoubtful(Target.path(target))
            || (mode.equals("refuse") && Target.isAmbiguous(target)));
  }
}
