import org.jspecify.annotations.NullMarked;

/** Bearer tokens, API keys, login with OpenID Connect, and password hashing. */
@NullMarked
module dev.percolate.auth {
  requires transitive dev.percolate.core;
  requires com.nimbusds.jose.jwt;
  requires dev.percolate.middleware; // for sessions
  requires java.net.http;
  requires oauth2.oidc.sdk;
  requires org.bouncycastle.provider; // for Argon2
  requires static org.jspecify;

  exports dev.percolate.auth;
}
