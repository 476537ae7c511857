package dev.percolate.benchmarks;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Prints, for each byte of its input, how many bytes all threads of another JVM of JDK 21 or later
 * have allocated on the heap, those that have ended too. Argument: the id of its process.
 */
final class AllocatedBytes {

  private AllocatedBytes() {}

  // The address comes from a process of this machine that this one may attach to.
  @SuppressWarnings("BanJNDI")
  public static void main(String[] args) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(args[0]);
    JMXServiceURL address = new JMXServiceURL(machine.startLocalManagementAgent());
    machine.detach();
    ObjectName threading = new ObjectName("java.lang:type=Threading");
    try (JMXConnector connector = JMXConnectorFactory.connect(address)) {
      MBeanServerConnection connection = connector.getMBeanServerConnection();
      while (isAsked()) {
        System.out.println(connection.getAttribute(threading, "TotalThreadAllocatedBytes"));
      }
    }
  }

  private static boolean isAsked() throws IOException {
    return System.in.read() >= 0;
  }
}
