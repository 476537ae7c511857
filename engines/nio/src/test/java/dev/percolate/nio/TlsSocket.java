package dev.percolate.nio;

import dev.percolate.engine.Server;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.fixtures.TestCertificate;
import java.io.IOException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Sends and receives text over TLS. */
final class TlsSocket extends RawSocket {

  private final SSLSocket socket;

  /** Connects to a server with a trusted certificate, in one version of TLS. */
  TlsSocket(Server server, TestCertificate trusted, String version) throws Exception {
    this(server, TestCertificate.trusting(trusted), version);
  }

  TlsSocket(Server server, SSLContext context, String version) throws Exception {
    this(server, context, parameters(version));
  }

  TlsSocket(Server server, SSLContext context, SSLParameters parameters) throws IOException {
    this(open(server, context, parameters));
  }

  private TlsSocket(SSLSocket socket) {
    super(socket);
    this.socket = socket;
  }

  static SSLParameters parameters(String version) {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(new String[] {version});
    return parameters;
  }

  private static SSLSocket open(Server server, SSLContext context, SSLParameters parameters)
      throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(connect(server.port()), "localhost", server.port(), true);
    try {
      socket.setSSLParameters(parameters);
      socket.startHandshake();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    return socket;
  }

  /** Returns all cipher suites that this JDK supports, including weak ones. */
  static List<String> allSuites() throws Exception {
    List<String> all = new ArrayList<>();
    for (String suite : SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites()) {
      if (!suite.contains("SCSV") && !suite.contains("_DSS_")) {
        all.add(suite);
      }
    }
    return all;
  }

  /** Offers one cipher suite. Returns the suite that the server selects, or {@code none}. */
  static String agreed(Server server, TestCertificate trusted, String suite) throws Exception {
    SSLParameters parameters = new SSLParameters(new String[] {suite});
    parameters.setProtocols(new String[] {suite.contains("_WITH_") ? "TLSv1.2" : "TLSv1.3"});
    try (TlsSocket socket = new TlsSocket(server, TestCertificate.trusting(trusted), parameters)) {
      return socket.session().getCipherSuite();
    } catch (SSLException e) {
      return "none";
    }
  }

  /** Sends a server name. Returns the certificate of the server. */
  static Certificate shown(Server server, String version, @Nullable String host) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Credulous()}, null);
    SSLParameters parameters = parameters(version);
    parameters.setServerNames(host == null ? List.of() : List.of(new SNIHostName(host)));
    try (TlsSocket socket = new TlsSocket(server, context, parameters)) {
      return socket.session().getPeerCertificates()[0];
    }
  }

  private static final class Credulous implements X509TrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  SSLSession session() {
    return socket.getSession();
  }

  SSLSocket socket() {
    return socket;
  }

  /** Closes the output. Input can still be read. */
  TlsSocket endOutput() throws IOException {
    socket.shutdownOutput();
    return this;
  }
}
