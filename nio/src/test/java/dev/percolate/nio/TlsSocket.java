package dev.percolate.nio;

import dev.percolate.engine.Server;
import dev.percolate.engine.tests.TestCertificate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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

/** A client that sends text over TLS as a test writes it, and shows what comes back. */
final class TlsSocket implements AutoCloseable {

  private static final int DEADLINE_MS = 20_000;

  private final SSLSocket socket;

  /** Connects to a server that is trusted, in one version of TLS. */
  TlsSocket(Server server, TestCertificate trusted, String version) throws Exception {
    this(server, TestCertificate.trusting(trusted), version);
  }

  TlsSocket(Server server, SSLContext context, String version) throws Exception {
    this(server, context, parameters(version));
  }

  TlsSocket(Server server, SSLContext context, SSLParameters parameters) throws IOException {
    socket = open(server, context);
    try {
      socket.setSSLParameters(parameters);
      socket.startHandshake();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  static SSLParameters parameters(String version) {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(new String[] {version});
    return parameters;
  }

  private static SSLSocket open(Server server, SSLContext context) throws IOException {
    Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port());
    plain.setSoTimeout(DEADLINE_MS);
    plain.setTcpNoDelay(true);
    return (SSLSocket)
        context.getSocketFactory().createSocket(plain, "localhost", server.port(), true);
  }

  /** Returns all suites that this JDK could speak, also bad ones. */
  static List<String> allSuites() throws Exception {
    List<String> all = new ArrayList<>();
    for (String suite : SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites()) {
      if (!suite.contains("SCSV") && !suite.contains("_DSS_")) {
        all.add(suite);
      }
    }
    return all;
  }

  /** Offers one suite; returns what the server takes, {@code none} if nothing. */
  static String agreed(Server server, TestCertificate trusted, String suite) throws Exception {
    SSLParameters parameters = new SSLParameters(new String[] {suite});
    parameters.setProtocols(new String[] {suite.contains("_WITH_") ? "TLSv1.2" : "TLSv1.3"});
    try (TlsSocket socket = new TlsSocket(server, TestCertificate.trusting(trusted), parameters)) {
      return socket.session().getCipherSuite();
    } catch (SSLException e) {
      return "none";
    }
  }

  /** Asks for a host; returns the certificate that the server shows. */
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

  TlsSocket send(String latin1) throws IOException {
    socket.getOutputStream().write(latin1.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  /** Reads until a text has come, and gives everything up to it. */
  String readTo(String end) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    while (!read.toString(StandardCharsets.ISO_8859_1).endsWith(end)) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("closed after: " + read.toString(StandardCharsets.ISO_8859_1));
      }
      read.write(b);
    }
    return read.toString(StandardCharsets.ISO_8859_1);
  }

  /** Reads so many bytes. */
  String read(int count) throws IOException {
    return new String(socket.getInputStream().readNBytes(count), StandardCharsets.ISO_8859_1);
  }

  /** Reads until the server says that nothing more comes; fails if it closes without a word. */
  String readToClose() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** Says that nothing more is sent, and reads on. */
  TlsSocket endOutput() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
