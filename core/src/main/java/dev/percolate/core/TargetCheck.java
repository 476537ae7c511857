package dev.percolate.core;

import dev.percolate.http.Headers;
import dev.percolate.http.Target;
import java.nio.ByteBuffer;

/** Refuses targets that are ambiguous, before any step, where the settings of a service say so. */
public final class TargetCheck {

  private TargetCheck() {}

  /**
   * Answers 400 and ends the connection, as engines do, if the target is ambiguous and the setting
   * {@code ambiguous targets} is {@code refuse}; the service is told as of what engines refuse.
   *
   * @param exchange a request that nobody has answered
   * @param settings those of the service
   * @param service the service
   * @return whether the request has been refused, and so answered
   */
  public static boolean refuses(Exchange exchange, Settings settings, Service service) {
    if (!"refuse".equals(settings.get(Settings.AMBIGUOUS_TARGETS))
        || !Target.isAmbiguous(exchange.target())) {
      return false;
    }
    Headers headers = Refusal.headers(400);
    exchange.start(400, headers);
    exchange.end(ByteBuffer.allocate(0));
    service.refused(exchange, 400, headers);
    return true;
  }
}
