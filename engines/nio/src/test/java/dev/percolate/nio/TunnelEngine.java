package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.fixtures.FrontServer;
import dev.percolate.fixtures.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Serves over TLS, with a tunnel that clients use in clear text, so that tests of servers in clear
 * text can run against servers with TLS.
 */
final class TunnelEngine implements Engine {

  private static final int BUFFER = 64 << 10;

  private final Engine engine = new NioEngine();

  /** The certificate for all tests of the process. */
  private static final class Own {

    static final TestCertificate CERTIFICATE = make();
    static final SSLContext CLIENTS = clients();

    private static TestCertificate make() {
      try {
        Path folder = Files.createTempDirectory("tunnel");
        TestCertificate made = TestCertificate.make(folder);
        made.store().toFile().deleteOnExit();
        folder.toFile().deleteOnExit();
        return made;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    private static SSLContext clients() {
      try {
        return TestCertificate.trusting(CERTIFICATE);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public Server listen(Service service, ListenOptions options) throws IOException {
    Server server = engine.listen(service, options.port(0).tls(Own.CERTIFICATE.tls()));
    try {
      return new Tunnel(server, options.port()).begin();
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  /** A clear-text port that forwards all connections over TLS. */
  private static final class Tunnel extends FrontServer {

    Tunnel(Server server, int port) throws IOException {
      super(server, port);
    }

    @Override
    protected void serve(Socket client) {
      Socket plain = new Socket();
      try {
        plain.setReceiveBufferSize(BUFFER);
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), portBehind()));
        plain.setTcpNoDelay(true);
        client.setTcpNoDelay(true);
        SSLSocket tls =
            (SSLSocket)
                Own.CLIENTS.getSocketFactory().createSocket(plain, "localhost", port(), true);
        tls.startHandshake();
        start(() -> copy(client, tls));
        copy(tls, client);
      } catch (IOException e) {
        reset(plain);
        reset(client);
      }
    }

    /** Copies bytes until the end, and ends or resets the target like the source. */
    private static void copy(Socket from, Socket to) {
      byte[] bytes = new byte[BUFFER];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
          out.write(bytes, 0, count);
        }
        to.shutdownOutput();
      } catch (IOException e) {
        reset(to);
        reset(from);
      }
    }

    private static void reset(Socket socket) {
      try {
        socket.setSoLinger(true, 0);
        socket.close();
      } catch (IOException e) {
        // it is closed
      }
    }
  }
}
