package dev.percolate.parsers;

import dev.percolate.http.BodyErrors;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Decompresses gzip (RFC 1952): one or more members, concatenated.
 *
 * <p>A zero byte after a member ends the data, and the rest is ignored. Any other byte begins
 * another member.
 *
 * <pre>
 *   START -> FIXED -> EXTRA_LENGTH, EXTRA -> NAME -> COMMENT -> HEADER_CRC -> DATA -> TRAILER -+
 *     ^        (optional fields only if their flag is set)                                     |
 *     +---------------------------------------------------------------------------------------+
 *     +--zero byte after a member--> IGNORED
 * </pre>
 */
final class Gzip implements Decoder {

  private static final int HEADER_LIMIT = 64 << 10;
  private static final int FIXED_SIZE = 10;
  private static final int TRAILER_SIZE = 8;
  private static final int MAGIC_1 = 0x1F;
  private static final int MAGIC_2 = 0x8B;
  private static final int DEFLATE = 8;
  private static final int FLAG_HEADER_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int FLAGS_RESERVED = 0xE0;

  private final DeflateStream stream;
  private final CRC32 headerCrc = new CRC32();
  private State state = State.START;
  private boolean anyMember;
  private int headerSize;
  private int flags;

  /**
   * The number of bytes read of the current field. The next field holds their value, lowest byte
   * first.
   */
  private int taken;

  private long value;

  private enum State {
    START,
    FIXED,
    EXTRA_LENGTH,
    EXTRA,
    NAME,
    COMMENT,
    HEADER_CRC,
    DATA,
    TRAILER,
    IGNORED
  }

  Gzip(Bytes out) {
    stream = new DeflateStream(true, out);
  }

  @Override
  public void add(ByteBuffer piece) {
    while (piece.hasRemaining() && state != State.IGNORED) {
      if (state == State.DATA) {
        stream.add(piece);
        if (stream.finished()) {
          enter(State.TRAILER);
        }
      } else {
        take(piece.get() & 0xFF);
      }
    }
  }

  @Override
  public void end() {
    DeflateStream.expectEnd(anyMember && (state == State.START || state == State.IGNORED));
  }

  @Override
  public void close() {
    stream.close();
  }

  private void take(int octet) {
    if (state == State.START) {
      if (anyMember && octet == 0) {
        enter(State.IGNORED);
        return;
      }
      startMember();
    }
    if (state == State.TRAILER) {
      takeTrailer(octet);
      return;
    }
    if (++headerSize > HEADER_LIMIT) {
      throw BodyErrors.undecodable("gzip header too long", null);
    }
    State field = state;
    if (field != State.HEADER_CRC) {
      headerCrc.update(octet);
    }
    switch (field) {
      case FIXED -> takeFixed(octet);
      case EXTRA_LENGTH -> takeExtraLength(octet);
      case EXTRA -> takeExtra();
      case HEADER_CRC -> takeHeaderCrc(octet);
      default -> takeText(octet);
    }
  }

  private void startMember() {
    stream.reset();
    headerCrc.reset();
    headerSize = 0;
    enter(State.FIXED);
  }

  private void takeFixed(int octet) {
    int at = taken++;
    boolean wrong = (at == 0 && octet != MAGIC_1) || (at == 1 && octet != MAGIC_2);
    if (wrong || (at == 2 && octet != DEFLATE)) {
      throw BodyErrors.undecodable("incorrect header check", null);
    }
    if (at == 3) {
      flags = octet;
      if ((flags & FLAGS_RESERVED) != 0) {
        throw BodyErrors.undecodable("unknown header flags set", null);
      }
    }
    if (taken == FIXED_SIZE) {
      enterField(State.EXTRA_LENGTH);
    }
  }

  private void takeExtraLength(int octet) {
    value |= (long) octet << (8 * taken++);
    if (taken == 2) {
      long length = value;
      if (length == 0) {
        enterField(State.NAME);
      } else {
        enter(State.EXTRA);
        value = length;
      }
    }
  }

  private void takeExtra() {
    if (++taken == value) {
      enterField(State.NAME);
    }
  }

  private void takeText(int octet) {
    if (octet == 0) {
      enterField(state == State.NAME ? State.COMMENT : State.HEADER_CRC);
    }
  }

  private void takeHeaderCrc(int octet) {
    value |= (long) octet << (8 * taken++);
    if (taken == 2) {
      if (value != (headerCrc.getValue() & 0xFFFF)) {
        throw BodyErrors.undecodable("header crc mismatch", null);
      }
      enter(State.DATA);
    }
  }

  private void takeTrailer(int octet) {
    value |= (long) octet << (8 * taken++);
    if (taken == TRAILER_SIZE) {
      if ((value & 0xFFFFFFFFL) != stream.crc()) {
        throw BodyErrors.undecodable("incorrect data check", null);
      }
      if (value >>> 32 != stream.length()) {
        throw BodyErrors.undecodable("incorrect length check", null);
      }
      anyMember = true;
      enter(State.START);
    }
  }

  /** Enters the next optional field that is present, starting with the given one. */
  private void enterField(State first) {
    if (first == State.EXTRA_LENGTH && (flags & FLAG_EXTRA) != 0) {
      enter(State.EXTRA_LENGTH);
    } else if (first.compareTo(State.NAME) <= 0 && (flags & FLAG_NAME) != 0) {
      enter(State.NAME);
    } else if (first.compareTo(State.COMMENT) <= 0 && (flags & FLAG_COMMENT) != 0) {
      enter(State.COMMENT);
    } else {
      enter((flags & FLAG_HEADER_CRC) != 0 ? State.HEADER_CRC : State.DATA);
    }
  }

  private void enter(State next) {
    state = next;
    taken = 0;
    value = 0;
  }
}
