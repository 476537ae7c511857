package dev.percolate.auth;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWKSet;
import java.util.concurrent.CompletionStage;

/** Finds the keys with which a token may be signed. */
interface KeySource {

  /**
   * Returns the current keys. They may lack the key of the header.
   *
   * @param header the header of a token, which names its key
   * @return the keys; the stage fails if they are not available
   */
  CompletionStage<JWKSet> find(JWSHeader header);
}
