package dev.percolate.checks;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.connect.VMStartException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Records the methods of Percolate that one request enters, from the socket to the log line. */
final class RequestTrace {

  private static final String OURS = "dev.percolate.";
  private static final String SERVER = TracedServer.class.getName();

  private final List<String> methods = new ArrayList<>();

  private RequestTrace() {}

  /**
   * Runs {@link TracedServer} in a new process.
   *
   * @param request the kind of request
   */
  static RequestTrace of(String request) throws IOException {
    RequestTrace trace = new RequestTrace();
    VirtualMachine machine = launch(request);
    try {
      ClassPrepareRequest server = machine.eventRequestManager().createClassPrepareRequest();
      server.addClassFilter(SERVER);
      server.enable();
      MethodEntryRequest entries = machine.eventRequestManager().createMethodEntryRequest();
      entries.addClassFilter(OURS + "*");
      entries.addClassExclusionFilter(SERVER);
      entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
      trace.read(machine, entries);
    } finally {
      machine.process().destroy();
    }
    return trace;
  }

  /** Returns the methods of all threads, in the order in which they were entered. */
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

  private static VirtualMachine launch(String request) throws IOException {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("main").setValue(SERVER + " " + request);
    arguments.get("options").setValue("-XX:TieredStopAtLevel=1 -cp \"" + classPath() + '"');
    try {
      return connector.launch(arguments);
    } catch (IllegalConnectorArgumentsException | VMStartException e) {
      throw new IOException(e);
    }
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private void read(VirtualMachine machine, MethodEntryRequest entries) {
    try {
      machine.resume();
      while (true) {
        EventSet events = machine.eventQueue().remove();
        for (Event event : events) {
          if (event instanceof ClassPrepareEvent prepared) {
            breakAt(prepared.referenceType());
          } else if (event instanceof BreakpointEvent mark) {
            // Until then the process runs at full speed: each entry costs time in the debugger.
            entries.setEnabled(mark.location().method().name().equals("begin"));
          } else if (event instanceof MethodEntryEvent entry) {
            Method method = entry.method();
            methods.add(method.declaringType().name() + '.' + method.name());
          }
        }
        if (events.suspendPolicy() != EventRequest.SUSPEND_NONE) {
          events.resume();
        }
      }
    } catch (VMDisconnectedException e) {
      // The process has ended, as expected.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void breakAt(ReferenceType server) {
    for (String name : List.of("begin", "end")) {
      Location start = server.methodsByName(name).get(0).location();
      server.virtualMachine().eventRequestManager().createBreakpointRequest(start).enable();
    }
  }
}
