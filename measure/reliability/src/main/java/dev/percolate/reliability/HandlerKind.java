package dev.percolate.reliability;

import java.util.Locale;

/** How a handler of {@link HandlersServer} answers, and how often it is asked. */
enum HandlerKind {
  /** In its call. */
  SYNC(20),
  /** In its call, which waits first. */
  BLOCKING(4),
  /** From another thread. */
  ELSEWHERE(10),
  /** From another thread, some milliseconds later. */
  LATE(8),
  /** Twice; the second is refused. */
  TWICE(5),
  /** From two threads at the same time; one of them is refused. */
  BOTH(5),
  /** Not at all, since it throws: the error handler does. */
  THROWS_BEFORE(5),
  /** In its call, and then throws. */
  THROWS_AFTER(5),
  /** In pieces, and throws between two of them: the connection is closed. */
  THROWS_MIDWAY(1),
  /** Not at all, since it passes an error on from another thread: the error handler does. */
  FAILS_ELSEWHERE(5),
  /** Behind a step that calls next twice. */
  NEXT_TWICE(5),
  /** Behind steps of which every other one passes on from another thread. */
  HOPPING(8),
  /** In pieces, on its own thread. */
  STREAM(6),
  /** In pieces, from another thread. */
  STREAM_ELSEWHERE(6),
  /** By a file. */
  FILE(8),
  /** By a part of a file. */
  RANGE(4),
  /** Compressed. */
  GZIP(6),
  /** Compressed, in pieces. */
  GZIP_STREAM(4),
  /** With the body, read by a parser. */
  ECHO_PARSER(8),
  /** With the body, read piece by piece. */
  ECHO_READER(8),
  /** With each piece of the body as soon as it comes. */
  ECHO_PIECES(4),
  /** With the body, as a publisher gives it. */
  ECHO_PUBLISHER(6),
  /** With the body, as a stream gives it. */
  ECHO_STREAM(6),
  /** With the body, which all who listen to a topic get, too. */
  PUBLISH(4),
  /** Without reading the body. */
  UNREAD(4),
  /** With the first piece of the body read. */
  PARTLY_READ(4),
  /** Never: the server does when its time is over. */
  NEVER(1),
  /** When the server's time is just about over. */
  RACE(1),
  /** Never: the error handler does, when the time of a middleware is over. */
  NEVER_WATCHED(2),
  /** When the time of a middleware is just about over. */
  RACE_WATCHED(4);

  /** What a request may take until its answer starts. */
  static final int ANSWER_MS = 2_000;

  final int weight;

  HandlerKind(int weight) {
    this.weight = weight;
  }

  /** Returns the kind of a name. */
  static HandlerKind of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Returns the name as it is in paths and on a command line. */
  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean hasBody() {
    return isEcho() || isAnsweredEarly();
  }

  /** Tells whether it is answered with its body. */
  boolean isEcho() {
    return name().startsWith("ECHO") || this == PUBLISH;
  }

  /** Tells whether it is answered before its body has been read. */
  boolean isAnsweredEarly() {
    return this == UNREAD || this == PARTLY_READ;
  }

  boolean isFile() {
    return this == FILE || this == RANGE;
  }

  boolean isCompressed() {
    return this == GZIP || this == GZIP_STREAM;
  }

  /** Tells whether the answer goes out in pieces, however many. */
  boolean isStream() {
    return this == STREAM || this == STREAM_ELSEWHERE || this == GZIP_STREAM;
  }

  /** Tells whether the answer may be that of a time that is over. */
  boolean mayTimeOut() {
    return mustTimeOut() || this == RACE || this == RACE_WATCHED;
  }

  /** Tells whether it is that. */
  boolean mustTimeOut() {
    return this == NEVER || this == NEVER_WATCHED;
  }
}
