package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/**
 * Carries a context that code binds to its thread, such as the MDC of a logging library, to where a
 * request goes on; found by {@link java.util.ServiceLoader}, once for the process, any number of
 * them.
 *
 * <p>A step that calls {@code next.run()} inside its own call keeps what the steps before have
 * bound without any carrier. One that passes on later does not: a body parser in the modes {@code
 * pool} and {@code event loop}, {@link Middleware#async}, a timer. What follows it then runs in the
 * context that the step itself was called in, as far as carriers know it.
 *
 * <pre>{@code
 * public final class TenantCarrier implements ContextCarrier<String> {
 *   public String capture() { return Tenant.CURRENT.get(); }
 *
 *   public void run(String tenant, Runnable task) { ScopedValue.where(CURRENT, tenant).run(task); }
 * }
 * }</pre>
 *
 * <p>If a carrier throws, that is logged and the request continues without its context.
 *
 * @param <C> what stands for a context
 */
public interface ContextCarrier<C> {

  /**
   * Returns the context of the calling thread; called before each step, so it should cost little.
   *
   * @return the context, not to be changed afterwards; null if there is none
   */
  @Nullable C capture();

  /**
   * Runs a task in a context, and leaves the calling thread as it was; called where a step passes
   * on outside of its own call.
   *
   * @param context what {@link #capture} has returned, perhaps on another thread
   * @param task runs once, inside this call
   */
  void run(C context, Runnable task);
}
