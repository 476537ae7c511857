package dev.percolate.nio.tls;

import dev.percolate.engine.Tls;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates the TLS engines of a server's connections: TLS 1.2 and 1.3, with forward secrecy and
 * authenticated encryption. Thread-safe.
 */
public final class TlsEngines {

  private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

  private final Tls tls;
  private final List<String> protocols;
  private volatile Loaded loaded;

  private record Loaded(SessionContexts contexts, SSLParameters parameters) {}

  private TlsEngines(Tls tls, List<String> protocols) throws IOException {
    this.tls = tls;
    this.protocols = List.copyOf(protocols);
    this.loaded = load();
  }

  /**
   * Reads the files of a server.
   *
   * @param protocols the protocols over TLS, best first (RFC 7301); clients that offer protocols,
   *     but none of these, are rejected
   * @throws IOException if a file cannot be used; the message names the file and the reason
   */
  public static TlsEngines of(Tls tls, List<String> protocols) throws IOException {
    return new TlsEngines(tls, protocols);
  }

  /**
   * Reads the files again, for later connections.
   *
   * @throws IOException if a file cannot be used; the message names the file and the reason, and
   *     the previous files remain in use
   */
  public void reload() throws IOException {
    loaded = load();
  }

  /**
   * Creates the TLS engine of a connection. Only connections with the same name resume sessions.
   *
   * @param name the server name that the client sends, in lower case; empty if it sends none; null
   *     if it is unknown: then the connection resumes no session
   * @throws SSLException if the JDK does not support TLS
   */
  public SSLEngine create(@Nullable String name) throws SSLException {
    Loaded now = loaded;
    SSLEngine engine;
    try {
      engine = now.contexts.of(name).createSSLEngine();
    } catch (GeneralSecurityException e) {
      throw new SSLException("tls: this JDK does not support TLS", e);
    }
    engine.setUseClientMode(false);
    engine.setSSLParameters(now.parameters);
    return engine;
  }

  private Loaded load() throws IOException {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(VERSIONS);
    parameters.setApplicationProtocols(protocols.toArray(String[]::new));
    parameters.setUseCipherSuitesOrder(true);
    Tls server = tls;
    TrustManager[] trusted = {};
    if (tls instanceof Tls.ClientCertificates asking) {
      server = asking.server();
      trusted = read(asking.trusted(), () -> trusted(asking.trusted()));
      if (asking.required()) {
        parameters.setNeedClientAuth(true);
      } else {
        parameters.setWantClientAuth(true); // each call overrides the other
      }
    }
    List<Credential> credentials = credentials(server);
    SessionContexts contexts =
        new SessionContexts(
            name -> new NamedKeys(credentials, name),
            trusted,
            name -> credentials.stream().anyMatch(one -> one.isFor(name)));
    try {
      parameters.setCipherSuites(suites(contexts.of("")));
      return new Loaded(contexts, parameters);
    } catch (GeneralSecurityException e) {
      throw new IOException("tls: this JDK does not support TLS", e);
    }
  }

  /** Returns the secure cipher suites of the JDK, in its order. */
  private static String[] suites(SSLContext context) {
    return Arrays.stream(context.getDefaultSSLParameters().getCipherSuites())
        .filter(TlsEngines::isGood)
        .toArray(String[]::new);
  }

  private static boolean isGood(String suite) {
    boolean forward = !suite.contains("_WITH_") || suite.startsWith("TLS_ECDHE_");
    return forward && (suite.contains("_GCM_") || suite.contains("_CHACHA20_"));
  }

  private static List<Credential> credentials(Tls tls) throws IOException {
    if (tls instanceof Tls.Pem pem) {
      List<X509Certificate> chain =
          read(pem.certificate(), () -> PemFile.certificates(pem.certificate()));
      return List.of(read(pem.key(), () -> credential(chain, pem.key())));
    } else if (tls instanceof Tls.KeyStore store) {
      return read(store.file(), () -> credentials(store));
    }
    List<Credential> all = new ArrayList<>();
    for (Tls one : ((Tls.ByName) tls).certificates()) {
      all.addAll(credentials(one));
    }
    return all;
  }

  private static Credential credential(List<X509Certificate> chain, Path key)
      throws IOException, GeneralSecurityException {
    return Credential.of(chain, PemFile.key(key, chain.get(0).getPublicKey()));
  }

  private static List<Credential> credentials(Tls.KeyStore store)
      throws IOException, GeneralSecurityException {
    char[] password = store.password().toCharArray();
    KeyStore keys = keyStore(store.file(), password);
    List<Credential> all = new ArrayList<>();
    for (String alias : Collections.list(keys.aliases())) {
      if (keys.isKeyEntry(alias) && keys.getKey(alias, password) instanceof PrivateKey key) {
        List<X509Certificate> chain = new ArrayList<>();
        for (Certificate one : keys.getCertificateChain(alias)) {
          chain.add((X509Certificate) one);
        }
        all.add(Credential.of(chain, key));
      }
    }
    if (all.isEmpty()) {
      throw new GeneralSecurityException("no private key");
    }
    return all;
  }

  private static KeyStore keyStore(Path file, char[] password)
      throws IOException, GeneralSecurityException {
    Files.readAttributes(file, "size"); // its exception tells why a file cannot be read
    return KeyStore.getInstance(file.toFile(), password);
  }

  private static TrustManager[] trusted(Path file) throws IOException, GeneralSecurityException {
    KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
    anchors.load(null, null);
    for (X509Certificate one : PemFile.certificates(file)) {
      anchors.setCertificateEntry("trusted-" + anchors.size(), one);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(anchors);
    return factory.getTrustManagers();
  }

  private static <T> T read(Path file, Callable<T> reading) throws IOException {
    try {
      return reading.call();
    } catch (NoSuchFileException e) {
      throw new IOException("tls: " + file + ": no such file", e);
    } catch (AccessDeniedException e) {
      throw new IOException("tls: " + file + ": permission denied", e);
    } catch (Exception e) {
      throw new IOException("tls: " + file + ": " + e.getMessage(), e);
    }
  }
}
