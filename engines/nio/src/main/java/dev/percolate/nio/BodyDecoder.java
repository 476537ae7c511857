package dev.percolate.nio;

/**
 * Decodes a request body from the bytes of its connection, which may be split anywhere: a fixed
 * number of bytes, or the content of chunks. Reads each byte once. Ambiguous framing of chunks
 * makes the body malformed (RFC 9112 section 7.1). Extensions and trailers are checked and ignored.
 *
 * <pre>
 *   SIZE --> SIZE_LF --> DATA --> DATA_CR --> DATA_LF --> SIZE
 *     |  EXTENSION ...^
 *     +--> of the last chunk: TRAILER --> NAME --> VALUE --> VALUE_LF --> TRAILER --> END_LF --> OVER
 *
 *   EXTENSION --> KEY --> KEY_BLANK --> ASSIGNED --> TOKEN or QUOTED, QUOTED_END
 * </pre>
 */
final class BodyDecoder {

  private enum State {
    LENGTH,
    SIZE,
    SIZE_BLANK,
    EXTENSION,
    KEY,
    KEY_BLANK,
    ASSIGNED,
    TOKEN,
    QUOTED,
    QUOTED_PAIR,
    QUOTED_END,
    SIZE_LF,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILER,
    NAME,
    VALUE,
    VALUE_LF,
    END_LF,
    OVER,
    MALFORMED
  }

  /** The maximum length of a chunk's size line, in bytes. */
  private static final int MOST_LINE = 4096;

  private final int maxTrailerBytes;
  private final int maxTrailers;
  private State state;
  private long left;
  private int digits;
  private int lineBytes;
  private int trailers;
  private int decoded;

  /**
   * Creates the decoder of a body.
   *
   * @param length the result of {@link HeadParser#bodyLength}: 0 or more, or {@link
   *     HeadParser#CHUNKED}
   * @param maxTrailerBytes the maximum size of all trailers, in bytes
   * @param maxTrailers the maximum number of trailers
   */
  BodyDecoder(long length, int maxTrailerBytes, int maxTrailers) {
    this.maxTrailerBytes = maxTrailerBytes;
    this.maxTrailers = maxTrailers;
    if (length == HeadParser.CHUNKED) {
      state = State.SIZE;
    } else {
      state = length == 0 ? State.OVER : State.LENGTH;
      left = length;
    }
  }

  /**
   * Decodes bytes in place: moves the bytes of the body to the beginning.
   *
   * @return the index after the last byte that was read
   */
  int decode(byte[] data, int from, int to) {
    decoded = 0;
    int at = from;
    while (at < to && !isOver() && !isMalformed()) {
      if (state == State.LENGTH || state == State.DATA) {
        int count = (int) Math.min(left, to - at);
        if (at != from + decoded) {
          System.arraycopy(data, at, data, from + decoded, count);
        }
        decoded += count;
        at += count;
        left -= count;
        if (left == 0) {
          state = state == State.LENGTH ? State.OVER : State.DATA_CR;
        }
      } else {
        state = next(data[at++]);
      }
    }
    return at;
  }

  /** Returns the number of bytes that the last call moved to the beginning. */
  int decoded() {
    return decoded;
  }

  /** Returns true if the whole body has been decoded. */
  boolean isOver() {
    return state == State.OVER;
  }

  /** Returns true if the end of the body cannot be determined. */
  boolean isMalformed() {
    return state == State.MALFORMED;
  }

  private State next(byte b) {
    return switch (state) {
      case SIZE -> size(b);
      case SIZE_BLANK -> b == '\r' ? State.MALFORMED : sizeEnd(b);
      case EXTENSION -> extension(b, State.KEY);
      case KEY -> Characters.isToken(b) ? counted(State.KEY) : keyBlank(b);
      case KEY_BLANK -> b == '\r' ? State.MALFORMED : keyBlank(b);
      case ASSIGNED -> b == '"' ? counted(State.QUOTED) : extension(b, State.TOKEN);
      case TOKEN -> Characters.isToken(b) ? counted(State.TOKEN) : sizeEnd(b);
      case QUOTED, QUOTED_PAIR -> quoted(b);
      case QUOTED_END -> sizeEnd(b);
      case SIZE_LF -> lineEnd(b);
      case DATA_CR -> only(b, '\r', State.DATA_LF);
      case DATA_LF -> only(b, '\n', State.SIZE);
      case TRAILER -> trailer(b);
      case NAME -> name(b);
      case VALUE -> value(b);
      case VALUE_LF -> only(b, '\n', State.TRAILER);
      case END_LF -> only(b, '\n', State.OVER);
      default -> State.MALFORMED;
    };
  }

  private State size(byte b) {
    int digit = Characters.hex(b);
    if (digit >= 0) {
      digits++;
      left = (left << 4) | digit;
      return left <= Integer.MAX_VALUE ? counted(State.SIZE) : State.MALFORMED;
    }
    return digits == 0 ? State.MALFORMED : sizeEnd(b);
  }

  /** Continues after a size or an extension. A blank must be followed by another character. */
  private State sizeEnd(byte b) {
    return switch (b) {
      case ' ', '\t' -> counted(State.SIZE_BLANK);
      case ';' -> counted(State.EXTENSION);
      case '\r' -> State.SIZE_LF;
      default -> State.MALFORMED;
    };
  }

  /** Skips blanks before a word. */
  private State extension(byte b, State word) {
    if (Characters.isBlank(b)) {
      return counted(state);
    }
    return Characters.isToken(b) ? counted(word) : State.MALFORMED;
  }

  private State keyBlank(byte b) {
    if (b == '=') {
      return counted(State.ASSIGNED);
    }
    return Characters.isBlank(b) ? counted(State.KEY_BLANK) : sizeEnd(b);
  }

  private State quoted(byte b) {
    if (!Characters.isValue(b)) {
      return State.MALFORMED;
    }
    boolean plain = state == State.QUOTED_PAIR;
    return switch (b) {
      case '"' -> counted(plain ? State.QUOTED : State.QUOTED_END);
      case '\\' -> counted(plain ? State.QUOTED : State.QUOTED_PAIR);
      default -> counted(State.QUOTED);
    };
  }

  private State counted(State next) {
    return ++lineBytes <= MOST_LINE ? next : State.MALFORMED;
  }

  private State lineEnd(byte b) {
    digits = 0;
    lineBytes = 0;
    return only(b, '\n', left == 0 ? State.TRAILER : State.DATA);
  }

  private State trailer(byte b) {
    if (b == '\r') {
      return State.END_LF;
    }
    return ++trailers <= maxTrailers && Characters.isToken(b)
        ? inTrailer(State.NAME)
        : State.MALFORMED;
  }

  private State name(byte b) {
    if (b == ':') {
      return inTrailer(State.VALUE);
    }
    return Characters.isToken(b) ? inTrailer(State.NAME) : State.MALFORMED;
  }

  private State value(byte b) {
    if (b == '\r') {
      return State.VALUE_LF;
    }
    return Characters.isValue(b) ? inTrailer(State.VALUE) : State.MALFORMED;
  }

  private State inTrailer(State next) {
    return ++lineBytes <= maxTrailerBytes ? next : State.MALFORMED;
  }

  private static State only(byte b, char wanted, State next) {
    return b == wanted ? next : State.MALFORMED;
  }
}
