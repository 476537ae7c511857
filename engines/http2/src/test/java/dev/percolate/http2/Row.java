package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;

/**
 * A case: the actions of a client, and a check of the reaction.
 *
 * @param name the section, and a description
 */
record Row(String name, Act act, Check check) {

  /** The actions of a client on a new connection, after its preface. */
  @FunctionalInterface
  interface Act {

    void run(FrameClient client) throws IOException;
  }

  /** Checks the reaction of the server. */
  @FunctionalInterface
  interface Check {

    void run(FrameClient client) throws IOException;
  }

  static Row row(String name, Act act, Check check) {
    return new Row(name, act, check);
  }

  /** Returns a check that the connection ends by GOAWAY with one of these codes. */
  static Check connectionEnds(int... codes) {
    return client -> {
      Frame frame = client.awaitGoAway();
      int code = frame.number(4);
      assertTrue(Arrays.stream(codes).anyMatch(one -> one == code), frame::toString);
      Frame more = client.next();
      assertEquals(null, more);
    };
  }

  /** Returns a check that only this stream is reset, with one of these codes. */
  static Check streamEnds(int stream, int... codes) {
    return client -> {
      Frame frame =
          client.await(
              "a reset of " + stream,
              one -> one.type() == FrameType.RST_STREAM || one.type() == FrameType.GOAWAY);
      assertEquals(FrameType.RST_STREAM, frame.type(), frame::toString);
      assertEquals(stream, frame.stream());
      int code = frame.number(0);
      assertTrue(Arrays.stream(codes).anyMatch(one -> one == code), frame::toString);
      assertTrue(client.isAlive());
    };
  }

  /** Returns a check that the stream gets a response, and the connection continues. */
  static Check answers(int stream, String response) {
    return client -> {
      assertEquals(response, client.answer(stream));
      assertTrue(client.isAlive());
    };
  }

  static void isAlive(FrameClient client) throws IOException {
    assertTrue(client.isAlive());
  }

  @Override
  public String toString() {
    return name;
  }
}
