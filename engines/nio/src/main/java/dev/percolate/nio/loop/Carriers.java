package dev.percolate.nio.loop;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import org.jspecify.annotations.Nullable;

/**
 * The carrier threads of the JDK's scheduler of virtual threads, which belongs to the whole
 * process. Needs JDK 24.
 *
 * @param get returns the number of carriers
 * @param set sets it
 */
record Carriers(MethodHandle get, MethodHandle set) {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");
  private static final int FIRST_JDK = 24;

  /**
   * Finds the scheduler and loads everything that {@link #change} needs. File descriptors may run
   * out later, and a native library that fails to load once never loads again.
   *
   * @return the carriers; null if their number cannot be changed on this JDK
   */
  static @Nullable Carriers find() {
    if (Runtime.version().feature() < FIRST_JDK) {
      return null;
    }
    try {
      Class<? extends PlatformManagedObject> type =
          Class.forName("jdk.management.VirtualThreadSchedulerMXBean")
              .asSubclass(PlatformManagedObject.class);
      Object scheduler = ManagementFactory.getPlatformMXBean(type);
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      MethodType setter = MethodType.methodType(void.class, int.class);
      Carriers found =
          new Carriers(
              lookup
                  .findVirtual(type, "getParallelism", MethodType.methodType(int.class))
                  .bindTo(scheduler),
              lookup.findVirtual(type, "setParallelism", setter).bindTo(scheduler));
      found.change(0);
      return found;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.log(Level.DEBUG, "the scheduler of virtual threads cannot be changed", e);
      return null;
    }
  }

  /**
   * Changes the number of carriers.
   *
   * @param by the number to add; negative to remove
   */
  void change(int by) {
    synchronized (Carriers.class) { // atomic: other servers may change it too
      try {
        set.invoke((int) get.invoke() + by);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("the scheduler of virtual threads cannot be changed", e);
      }
    }
  }
}
