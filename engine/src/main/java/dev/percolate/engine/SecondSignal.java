package dev.percolate.engine;

import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;

/**
 * Ends the process at once when it is asked to end a second time, while it still does what the
 * first time asked for. The JDK alone would let whoever is in a hurry wait.
 */
final class SecondSignal {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");

  /** What shells add to the number of the signal that has ended a process. */
  private static final int SIGNALLED = 128;

  private SecondSignal() {}

  /** Has the signals by which people and supervisors end a process end it at once from now on. */
  static void await() {
    for (String name : List.of("TERM", "INT")) {
      try {
        handle(name);
      } catch (ReflectiveOperationException | RuntimeException e) {
        // this system has no such signal, or this JDK does not let it be seen
        LOG.log(Level.DEBUG, "a second signal " + name + " will not be seen", e);
      }
    }
  }

  private static void handle(String name) throws ReflectiveOperationException {
    Class<?> signals = Class.forName("sun.misc.Signal");
    Class<?> handlers = Class.forName("sun.misc.SignalHandler");
    Object signal = signals.getConstructor(String.class).newInstance(name);
    int number = (int) signals.getMethod("getNumber").invoke(signal);
    InvocationHandler halt =
        (proxy, method, given) -> {
          Runtime.getRuntime().halt(SIGNALLED + number);
          return null;
        };
    Object handler =
        Proxy.newProxyInstance(handlers.getClassLoader(), new Class<?>[] {handlers}, halt);
    signals.getMethod("handle", signals, handlers).invoke(null, signal, handler);
  }
}
