package dev.percolate.checks;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.connect.VMStartException;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Notes which methods of ours one POST enters, from the socket to the line of the log. */
final class RequestTrace {

  private static final String OURS = "dev.percolate.";
  private static final String SERVER = TracedServer.class.getName();

  private final List<String> methods = new ArrayList<>();

  private RequestTrace() {}

  /** Runs {@link TracedServer} in a process of its own. */
  static RequestTrace ofOnePost() throws IOException {
    RequestTrace trace = new RequestTrace();
    VirtualMachine machine = launch();
    try {
      MethodEntryRequest entries = machine.eventRequestManager().createMethodEntryRequest();
      entries.addClassFilter(OURS + "*");
      entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
      entries.enable();
      trace.read(machine);
    } finally {
      machine.process().destroy();
    }
    return trace;
  }

  /** Returns the methods in the order in which they were entered, those of all threads. */
  List<String> methods() {
    return methods;
  }

  /** Returns the modules, each with its top-level classes. */
  Map<String, Set<String>> classes() {
    return methods.stream()
        .map(method -> method.substring(OURS.length(), method.lastIndexOf('.')))
        .map(type -> type.replaceFirst("\\$.*", ""))
        .collect(
            Collectors.groupingBy(
                type -> type.substring(0, type.lastIndexOf('.')),
                Collectors.mapping(
                    type -> type.substring(type.lastIndexOf('.') + 1),
                    Collectors.toCollection(TreeSet::new))));
  }

  private static VirtualMachine launch() throws IOException {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("main").setValue(SERVER);
    arguments.get("options").setValue("-XX:TieredStopAtLevel=1 -cp \"" + classPath() + '"');
    try {
      return connector.launch(arguments);
    } catch (IllegalConnectorArgumentsException | VMStartException e) {
      throw new IOException(e);
    }
  }

  /** Returns the class path of this process with one engine only. */
  private static String classPath() {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(all.split(File.pathSeparator))
        .filter(place -> !place.matches(".*[/\\\\](jdk|nio)[/\\\\]target[/\\\\].*"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void read(VirtualMachine machine) {
    boolean within = false;
    try {
      machine.resume();
      while (true) {
        for (Event event : machine.eventQueue().remove()) {
          if (event instanceof MethodEntryEvent entry) {
            String type = entry.method().declaringType().name();
            if (type.equals(SERVER)) {
              String name = entry.method().name();
              within = name.equals("begin") || (within && !name.equals("end"));
            } else if (within) {
              methods.add(type + '.' + entry.method().name());
            }
          }
        }
      }
    } catch (VMDisconnectedException e) {
      // The process has ended, as it should.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
