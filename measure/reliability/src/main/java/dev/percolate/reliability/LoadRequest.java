package dev.percolate.reliability;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A request of a load, with its bytes and the check of its response. */
interface LoadRequest {

  /** Returns the name of the kind, as used on a command line and in tables. */
  String kind();

  /** Returns the id, which is unknown to the server if its handlers do not record it. */
  String id();

  byte[] bytes();

  /** Returns true if the response ends with its head, whatever length that states. */
  default boolean isHead() {
    return false;
  }

  /** Returns true if the response is sent before the body has been read. */
  boolean isAnsweredEarly();

  /** Returns true if the connection must end within the response. */
  default boolean isCutShort() {
    return false;
  }

  /**
   * Returns the fault of a response, with the expected value, or null.
   *
   * @param mayBeLate whether it came so late that the server's timeout may have ended
   */
  @Nullable String fault(FramedResponse response, boolean mayBeLate) throws IOException;
}
