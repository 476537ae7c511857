package dev.percolate.nio.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Selects a server's certificate by the name that the client sends. The default is the first one.
 */
final class NamedKeys extends X509ExtendedKeyManager {

  private final List<Credential> all;
  private final @Nullable String name;

  /**
   * Creates the key manager.
   *
   * @param all the certificates, at least one
   * @param name the server name that all clients of this context send; empty if they send none;
   *     null to read it from each handshake. The JDK does not pass the name when it looks up the
   *     certificate of a session ticket
   */
  NamedKeys(List<Credential> all, @Nullable String name) {
    this.all = all;
    this.name = name;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    String host = name == null ? asked(engine) : name;
    return alias(keyType, host == null || host.isEmpty() ? null : host);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return all.get(Integer.parseInt(alias)).key();
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return all.get(Integer.parseInt(alias)).chain().toArray(X509Certificate[]::new);
  }

  /**
   * Returns the alias of the certificate for a host; null if there is none with a key of this type.
   *
   * @param host the host; null if the client sends none
   */
  @Nullable String alias(String keyType, @Nullable String host) {
    List<Credential> meant =
        host == null ? List.of() : all.stream().filter(one -> one.isFor(host)).toList();
    for (Credential one : meant.isEmpty() ? all.subList(0, 1) : meant) {
      if (one.isOf(keyType)) {
        return Integer.toString(all.indexOf(one));
      }
    }
    return null;
  }

  private static @Nullable String asked(SSLEngine engine) {
    if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
      for (SNIServerName name : session.getRequestedServerNames()) {
        if (name.getType() == StandardConstants.SNI_HOST_NAME) {
          return new SNIHostName(name.getEncoded()).getAsciiName();
        }
      }
    }
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyType, null); // engines do not use sockets
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    String first = alias(keyType, null);
    return first == null ? null : new String[] {first};
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
