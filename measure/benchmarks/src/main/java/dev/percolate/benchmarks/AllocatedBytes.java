package dev.percolate.benchmarks;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Prints, for each byte of input, the number of bytes that all threads of another JVM have
 * allocated on the heap, including ended threads. The other JVM must be a JDK 21 or later.
 * Argument: its process ID.
 */
final class AllocatedBytes {

  private AllocatedBytes() {}

  // The address belongs to a local process that this process may attach to.
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
