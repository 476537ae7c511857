package dev.percolate.inspector.reload;

import dev.percolate.core.ContextCarrier;
import org.jspecify.annotations.Nullable;

/**
 * Carries the context class loader of a version to the threads where its requests continue, which
 * finds templates and services. Only {@link AppLoader} makes it visible to the service loader.
 */
public final class LoaderCarrier implements ContextCarrier<ClassLoader> {

  /** Creates a carrier. {@link java.util.ServiceLoader} calls this. */
  public LoaderCarrier() {}

  @Override
  public @Nullable ClassLoader capture() {
    return Thread.currentThread().getContextClassLoader();
  }

  @Override
  public void run(ClassLoader loader, Runnable task) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      task.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
