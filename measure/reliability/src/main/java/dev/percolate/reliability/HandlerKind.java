package dev.percolate.reliability;

import java.util.Locale;

/** How a handler of {@link HandlersServer} responds, and the weight of requests for it. */
enum HandlerKind {
  /** Responds in its call. */
  SYNC(20),
  /** Responds in its call after blocking. */
  BLOCKING(4),
  /** Responds from another thread. */
  ELSEWHERE(10),
  /** Responds from another thread, some milliseconds later. */
  LATE(8),
  /** Responds twice; the second response is rejected. */
  TWICE(5),
  /** Responds from two threads at the same time; one response is rejected. */
  BOTH(5),
  /** Throws without a response; the error handler responds. */
  THROWS_BEFORE(5),
  /** Responds in its call, and then throws. */
  THROWS_AFTER(5),
  /** Responds in pieces, and throws between two of them; the connection is closed. */
  THROWS_MIDWAY(1),
  /** Passes an error on from another thread; the error handler responds. */
  FAILS_ELSEWHERE(5),
  /** Responds after a middleware that calls next twice. */
  NEXT_TWICE(5),
  /** Responds after middleware of which every other one calls next from another thread. */
  HOPPING(8),
  /** Responds in pieces, on its own thread. */
  STREAM(6),
  /** Responds in pieces, from another thread. */
  STREAM_ELSEWHERE(6),
  /** Responds with a file. */
  FILE(8),
  /** Responds with a part of a file. */
  RANGE(4),
  /** Responds with a compressed body. */
  GZIP(6),
  /** Responds with a compressed body, in pieces. */
  GZIP_STREAM(4),
  /** Responds with the body, read by a parser. */
  ECHO_PARSER(8),
  /** Responds with the body, read piece by piece. */
  ECHO_READER(8),
  /** Responds with each piece of the body as soon as it arrives. */
  ECHO_PIECES(4),
  /** Responds with the body, read from a publisher. */
  ECHO_PUBLISHER(6),
  /** Responds with the body, read from a stream. */
  ECHO_STREAM(6),
  /** Responds with the body, and publishes it to a topic. */
  PUBLISH(4),
  /** Responds without reading the body. */
  UNREAD(4),
  /** Responds after reading the first piece of the body. */
  PARTLY_READ(4),
  /** Never responds; the server does after its timeout. */
  NEVER(1),
  /** Responds at about the time of the server's timeout. */
  RACE(1),
  /** Never responds; the error handler does after the timeout of a middleware. */
  NEVER_WATCHED(2),
  /** Responds at about the time of the timeout of a middleware. */
  RACE_WATCHED(4);

  /** The time after which the server responds with 503, in milliseconds. */
  static final int ANSWER_MS = 2_000;

  final int weight;

  HandlerKind(int weight) {
    this.weight = weight;
  }

  /** Returns the kind with this name. */
  static HandlerKind of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Returns the name that is used in paths and on a command line. */
  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean hasBody() {
    return isEcho() || isAnsweredEarly();
  }

  /** Returns true if the response repeats the request's body. */
  boolean isEcho() {
    return name().startsWith("ECHO") || this == PUBLISH;
  }

  /** Returns true if the response is sent before the body has been read. */
  boolean isAnsweredEarly() {
    return this == UNREAD || this == PARTLY_READ;
  }

  boolean isFile() {
    return this == FILE || this == RANGE;
  }

  boolean isCompressed() {
    return this == GZIP || this == GZIP_STREAM;
  }

  /** Returns true if the response is sent in any number of pieces. */
  boolean isStream() {
    return this == STREAM || this == STREAM_ELSEWHERE || this == GZIP_STREAM;
  }

  /** Returns true if the response may be that of a timeout. */
  boolean mayTimeOut() {
    return mustTimeOut() || this == RACE || this == RACE_WATCHED;
  }

  /** Returns true if the response must be that of a timeout. */
  boolean mustTimeOut() {
    return this == NEVER || this == NEVER_WATCHED;
  }
}
