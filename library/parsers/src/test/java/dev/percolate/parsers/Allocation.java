package dev.percolate.parsers;

import java.lang.reflect.Method;

/** Counts the bytes that a task allocates on its thread. */
final class Allocation {

  private Allocation() {}

  static long of(Runnable task) {
    long before = allocated();
    task.run();
    return allocated() - before;
  }

  private static long allocated() {
    try {
      // By reflection, since our module does not require their modules.
      Class<?> factory = Class.forName("java.lang.management.ManagementFactory");
      Object bean = factory.getMethod("getThreadMXBean").invoke(null);
      Method method =
          Class.forName("com.sun.management.ThreadMXBean")
              .getMethod("getThreadAllocatedBytes", long.class);
      return (Long) method.invoke(bean, Thread.currentThread().getId());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
