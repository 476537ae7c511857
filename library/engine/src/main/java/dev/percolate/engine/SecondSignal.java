package dev.percolate.engine;

import java.lang.System.Logger.Level;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process immediately at a second TERM or INT signal, during a graceful shutdown. The JDK
 * ignores the second signal.
 */
final class SecondSignal {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");

  /** The offset of exit status codes for signals, as in shells. */
  private static final int SIGNALLED = 128;

  private static @Nullable Signals signals;

  private SecondSignal() {}

  /** The JDK's classes for handling signals. */
  private record Signals(Constructor<?> signal, Method number, Method handle, Object halt) {}

  /**
   * Loads the classes that {@link #await} needs, while memory and files are available. A class that
   * fails to load later would remain unavailable.
   */
  static void load() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Method number = signal.getMethod("getNumber");
      InvocationHandler halt =
          (proxy, method, given) -> {
            Runtime.getRuntime().halt(SIGNALLED + (int) number.invoke(given[0]));
            return null;
          };
      signals =
          new Signals(
              signal.getConstructor(String.class),
              number,
              signal.getMethod("handle", signal, handler),
              Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, halt));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      SafeLog.log(
          LOG, Level.DEBUG, "a second TERM or INT signal cannot end the process immediately", e);
    }
  }

  /**
   * Installs handlers that end the process immediately at the next TERM or INT signal. Does nothing
   * if the process belongs to a container, which must also stop other applications.
   */
  static void await() {
    Signals known = signals;
    if (known == null || FatalErrorHandler.isProcessHosted()) {
      return;
    }
    for (String name : List.of("TERM", "INT")) {
      try {
        known.handle.invoke(null, known.signal.newInstance(name), known.halt);
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        // this system has no such signal, or the JDK does not allow a handler
        SafeLog.log(
            LOG, Level.DEBUG, "a second TERM or INT signal cannot end the process immediately", e);
      }
    }
  }
}
