package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/**
 * Carries a context that is bound to a thread, such as the MDC of a logging library, to the thread
 * where a request continues. Carriers are found by {@link java.util.ServiceLoader}, once per
 * process; there may be several.
 *
 * <p>If middleware calls {@code next.run()} within its own call, the following handlers run on the
 * same thread, and no carrier is needed. A carrier is needed if middleware continues later: body
 * parsers in the modes {@code pool} and {@code event loop}, {@link Middleware#async}, timers. The
 * following handlers then run in the context in which that middleware was called.
 *
 * <pre>{@code
 * public final class TenantCarrier implements ContextCarrier<String> {
 *   public String capture() { return Tenant.CURRENT.get(); }
 *
 *   public void run(String tenant, Runnable task) { ScopedValue.where(CURRENT, tenant).run(task); }
 * }
 * }</pre>
 *
 * <p>If a carrier throws an exception, it is logged and the request continues without the context.
 *
 * @param <C> the type of the context
 */
public interface ContextCarrier<C> {

  /**
   * Returns the context of the calling thread. Called before each middleware and handler, so it
   * should be fast.
   *
   * @return the context, which must not change afterwards; null if there is none
   */
  @Nullable C capture();

  /**
   * Runs a task in a context, then restores the context of the calling thread. Called when
   * middleware continues outside of its own call.
   *
   * @param context the result of {@link #capture}, possibly from another thread
   * @param task the task; run it once, within this call
   */
  void run(C context, Runnable task);
}
