package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RefusalListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.StepKind;
import dev.percolate.core.StepTraits;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Trust;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Names each request, so that its lines in several logs can be found: by the header of the request
 * where a trusted peer has sent one, else by a name of its own. The answer carries it, too.
 *
 * <p>A peer is trusted if the setting {@code trust proxy} names it. What it sends must be 1 to 128
 * letters, digits and any of {@code . _ ~ + / = : @ -}, else the request gets another name.
 *
 * <p>The name is the attribute {@link Request#ID}, which the token {@code :request-id} of loggers
 * shows; in their lines of refused requests, too, if this stands above the logger. {@link #current}
 * returns it where no request is at hand: in what runs inside {@code next.run()}, as a scoped value
 * where the JDK has those. {@code percolate-slf4j} puts it into the MDC, by {@code
 * MdcEntry.of("request_id", Request.ID)} below this.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   header      X-Request-Id    the header, in requests and answers
 *   generator   random UUIDs    makes names
 * </pre>
 */
@CheckReturnValue
public final class RequestId implements Middleware, RefusalListener, StepKind {

  private static final int LONGEST = 128;
  private static final ThreadText CURRENT = ThreadText.create();

  private final String header;
  private final Supplier<String> generator;

  private RequestId(String header, Supplier<String> generator) {
    this.header = header;
    this.generator = generator;
  }

  /** Names requests by {@code X-Request-Id}. */
  public static RequestId of() {
    return new RequestId("X-Request-Id", () -> UUID.randomUUID().toString());
  }

  /**
   * Returns the name of the request whose steps run on this thread.
   *
   * @return the name; null outside of what runs inside this step
   */
  public static @Nullable String current() {
    return CURRENT.get();
  }

  /**
   * Chooses the header.
   *
   * @param name its name
   */
  public RequestId header(String name) {
    Options.headerName("header", name);
    return new RequestId(name, generator);
  }

  /**
   * Chooses what makes names.
   *
   * @param generator gives a new one each time; any thread calls it
   */
  public RequestId generator(Supplier<String> generator) {
    return new RequestId(header, generator);
  }

  @Override
  public StepTraits traits() {
    return StepTraits.of("request-id").once().aboveRoutes().gives(Request.ID);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    String id = name(req);
    res.set(header, id);
    CURRENT.run(id, next);
  }

  @Override
  public void refused(Request req, Response res) {
    String unused = name(req);
  }

  private String name(Request req) {
    String sent = req.get(header);
    String id = sent != null && isName(sent) && isTrusted(req) ? sent : generator.get();
    req.attr(Request.ID, id);
    return id;
  }

  private static boolean isTrusted(Request req) {
    Trust trust = req.settings().derived(Settings.TRUST_PROXY.name(), Trust::of);
    return trust.trusts(req.remoteAddress(), 0);
  }

  private static boolean isName(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST
        && text.chars().allMatch(c -> isLetterOrDigit(c) || "._~+/=:@-".indexOf(c) >= 0);
  }

  private static boolean isLetterOrDigit(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
