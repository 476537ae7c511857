package dev.percolate.nio;

/**
 * Takes the bytes of one body out of those of its connection, however they are cut: as many as were
 * announced, or the content of chunks. Each byte is looked at once. What is doubtful in the framing
 * of chunks makes the body malformed (RFC 9112 section 7.1); extensions and trailers are checked
 * and passed over.
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

  /** How many bytes the line of a chunk may have. */
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
   * Creates a decoder of one body.
   *
   * @param length as {@link Framing} tells it: 0 or more, or {@link Framing#CHUNKED}
   * @param maxTrailerBytes how many bytes all trailers may have
   * @param maxTrailers how many lines of trailers there may be
   */
  BodyDecoder(long length, int maxTrailerBytes, int maxTrailers) {
    this.maxTrailerBytes = maxTrailerBytes;
    this.maxTrailers = maxTrailers;
    if (length == Framing.CHUNKED) {
      state = State.SIZE;
    } else {
      state = length == 0 ? State.OVER : State.LENGTH;
      left = length;
    }
  }

  /**
   * Decodes bytes where they lie: those of the body are moved to the front.
   *
   * @return where the bytes begin that come behind the body, or behind what was read of it
   */
  int decode(byte[] data, int from, int to) {
    decoded = 0;
    int at = from;
    while (at < to && !isOver() && !isMalformed()) {
      if (state == State.LENGTH || state == State.DATA) {
        int count = (int) Math.min(left, to - at);
        System.arraycopy(data, at, data, from + decoded, count);
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

  /** Returns how many bytes of the body the last call has moved to the front. */
  int decoded() {
    return decoded;
  }

  /** Tells whether all of the body has been decoded. */
  boolean isOver() {
    return state == State.OVER;
  }

  /** Tells whether it cannot be told where the body ends. */
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

  /** Goes on behind a size or an extension; a blank is followed by one more. */
  private State sizeEnd(byte b) {
    return switch (b) {
      case ' ', '\t' -> counted(State.SIZE_BLANK);
      case ';' -> counted(State.EXTENSION);
      case '\r' -> State.SIZE_LF;
      default -> State.MALFORMED;
    };
  }

  /** Looks for the beginning of a word. */
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
