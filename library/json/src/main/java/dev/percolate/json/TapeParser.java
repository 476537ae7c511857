package dev.percolate.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Base64Variant;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.Version;
import tools.jackson.core.base.ParserMinimalBase;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.io.ContentReference;
import tools.jackson.core.io.NumberInput;
import tools.jackson.core.json.DupDetector;
import tools.jackson.core.json.JsonReadContext;
import tools.jackson.core.util.ByteArrayBuilder;

/**
 * Passes the tokens of a tape to Jackson, with the limits and features of a mapper.
 *
 * <p>It starts at any value of the tape and ends after it.
 */
final class TapeParser extends ParserMinimalBase {

  /** Integers with at most this many digits fit into a long. */
  private static final int LONG_DIGITS = 18;

  private final JsonTape tape;
  private final int end;
  private JsonReadContext context;
  private int token;
  private int next;
  private boolean named;
  private boolean anyDepth;
  private @Nullable String decoded;

  /** The value of an integer that is written with a fraction or an exponent, such as 1.0. */
  private @Nullable BigInteger written;

  /** Creates a parser of the whole document. */
  TapeParser(JsonTape tape, ObjectReadContext mapper) {
    this(tape, 0, mapper);
  }

  /** Creates a parser of one value. */
  TapeParser(JsonTape tape, int value, ObjectReadContext mapper) {
    super(mapper);
    this.tape = tape;
    this.next = value;
    this.token = value;
    this.end = tape.after(value);
    boolean strict = StreamReadFeature.STRICT_DUPLICATE_DETECTION.enabledIn(_streamReadFeatures);
    this.context =
        JsonReadContext.createRootContext(strict ? DupDetector.rootDetector(this) : null);
  }

  @Override
  public @Nullable JsonToken nextToken() {
    decoded = null;
    if (next >= end) {
      close();
      return _updateTokenToNull();
    }
    token = next;
    next += JsonTape.SIZE;
    byte first = tape.first(token);
    if (named) {
      named = false;
      return _updateToken(value(first));
    }
    if (first == '}' || first == ']') {
      context = context.clearAndGetParent();
      return _updateToken(first == '}' ? JsonToken.END_OBJECT : JsonToken.END_ARRAY);
    }
    boolean ignored = context.expectComma(); // counts entries
    if (context.inObject()) {
      String name = tape.name(token);
      _streamReadConstraints.validateNameLength(name.length());
      context.setCurrentName(name);
      named = true;
      return _updateToken(JsonToken.PROPERTY_NAME);
    }
    return _updateToken(value(first));
  }

  private JsonToken value(byte first) {
    return switch (first) {
      case '{' -> {
        context = context.createChildObjectContext(1, 1);
        checkDepth();
        yield JsonToken.START_OBJECT;
      }
      case '[' -> {
        context = context.createChildArrayContext(1, 1);
        checkDepth();
        yield JsonToken.START_ARRAY;
      }
      case '"' -> JsonToken.VALUE_STRING;
      case 't' -> JsonToken.VALUE_TRUE;
      case 'f' -> JsonToken.VALUE_FALSE;
      case 'n' -> JsonToken.VALUE_NULL;
      default -> {
        written = tape.isWhole(token) ? null : NumberText.readWhole(tape.number(token));
        yield tape.isWhole(token) || written != null
            ? JsonToken.VALUE_NUMBER_INT
            : JsonToken.VALUE_NUMBER_FLOAT;
      }
    };
  }

  private void checkDepth() {
    if (!anyDepth) {
      _streamReadConstraints.validateNestingDepth(context.getNestingDepth());
    }
  }

  /** Calls a reader of a value without a limit on the nesting depth. */
  <T> @Nullable T withAnyDepth(Supplier<? extends @Nullable T> reading) {
    boolean before = anyDepth;
    anyDepth = true;
    try {
      return reading.get();
    } finally {
      anyDepth = before;
    }
  }

  @Override
  public JsonParser skipChildren() {
    JsonToken current = currentToken();
    if (current == JsonToken.START_OBJECT || current == JsonToken.START_ARRAY) {
      token = tape.close(token);
      next = token + JsonTape.SIZE;
      context = context.clearAndGetParent();
      JsonToken ignored =
          _updateToken(
              current == JsonToken.START_OBJECT ? JsonToken.END_OBJECT : JsonToken.END_ARRAY);
    }
    return this;
  }

  @Override
  public @Nullable String currentName() {
    JsonToken current = currentToken();
    boolean opens = current == JsonToken.START_OBJECT || current == JsonToken.START_ARRAY;
    JsonReadContext outer = opens ? context.getParent() : null;
    return (outer == null ? context : outer).currentName();
  }

  @Override
  public @Nullable String getString() {
    JsonToken current = currentToken();
    if (current == null) {
      return null;
    }
    return switch (current) {
      case PROPERTY_NAME -> context.currentName();
      case VALUE_STRING -> decoded();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> tape.number(token);
      default -> current.asString();
    };
  }

  private String decoded() {
    String known = decoded;
    if (known == null) {
      known = tape.string(token);
      _streamReadConstraints.validateStringLength(known.length());
      decoded = known;
    }
    return known;
  }

  @Override
  public char[] getStringCharacters() {
    String text = getString();
    return text == null ? new char[0] : text.toCharArray();
  }

  @Override
  public int getStringLength() {
    String text = getString();
    return text == null ? 0 : text.length();
  }

  @Override
  public int getStringOffset() {
    return 0;
  }

  @Override
  public boolean hasStringCharacters() {
    return false;
  }

  @Override
  public byte[] getBinaryValue(Base64Variant variant) {
    if (currentToken() != JsonToken.VALUE_STRING) {
      return _reportError("Current token (" + currentToken() + ") not VALUE_STRING");
    }
    ByteArrayBuilder bytes = new ByteArrayBuilder();
    _decodeBase64(decoded(), bytes, variant);
    return bytes.toByteArray();
  }

  @Override
  public @Nullable NumberType getNumberType() {
    if (currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
      return NumberType.DOUBLE;
    }
    if (currentToken() != JsonToken.VALUE_NUMBER_INT) {
      return null;
    }
    if (!fitsLong()) {
      return NumberType.BIG_INTEGER;
    }
    return fitsInt(whole()) ? NumberType.INT : NumberType.LONG;
  }

  @Override
  public Number getNumberValue() {
    NumberType type = getNumberType();
    if (type == null) {
      throw _constructNotNumericType(currentToken(), NR_UNKNOWN);
    }
    return switch (type) {
      case INT -> (int) whole();
      case LONG -> whole();
      case BIG_INTEGER -> getBigIntegerValue();
      default -> getDoubleValue();
    };
  }

  @Override
  public Number getNumberValueExact() {
    return currentToken() == JsonToken.VALUE_NUMBER_FLOAT ? getDecimalValue() : getNumberValue();
  }

  @Override
  public Object getNumberValueDeferred() {
    return currentToken() == JsonToken.VALUE_NUMBER_FLOAT ? fraction() : getNumberValue();
  }

  @Override
  public int getIntValue() {
    if (isFraction(NR_INT)) {
      double value = getDoubleValue();
      if (value < Integer.MIN_VALUE || value > Integer.MAX_VALUE) {
        _reportOverflowInt();
      }
      return (int) value;
    }
    if (!fitsLong() || !fitsInt(whole())) {
      _reportOverflowInt();
    }
    return (int) whole();
  }

  @Override
  public long getLongValue() {
    if (isFraction(NR_LONG)) {
      double value = getDoubleValue();
      if (value < MIN_LONG_D || value > MAX_LONG_D) {
        _reportOverflowLong();
      }
      return (long) value;
    }
    if (!fitsLong()) {
      _reportOverflowLong();
    }
    return whole();
  }

  @Override
  public BigInteger getBigIntegerValue() {
    if (isFraction(NR_BIGINT)) {
      BigDecimal value = getDecimalValue();
      _streamReadConstraints.validateBigIntegerScale(value.scale());
      return value.toBigInteger();
    }
    if (written != null) {
      return written;
    }
    _streamReadConstraints.validateIntegerLength(tape.digits(token));
    return NumberInput.parseBigInteger(
        tape.number(token),
        StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER.enabledIn(_streamReadFeatures));
  }

  @Override
  public float getFloatValue() {
    boolean ignored = isFraction(NR_FLOAT);
    return NumberInput.parseFloat(fraction(), usesFastParser());
  }

  @Override
  public double getDoubleValue() {
    boolean fraction = isFraction(NR_DOUBLE);
    if (!fraction && written == null && tape.digits(token) <= LONG_DIGITS) {
      return tape.smallNumber(token);
    }
    return NumberInput.parseDouble(fraction(), usesFastParser());
  }

  @Override
  public BigDecimal getDecimalValue() {
    boolean ignored = isFraction(NR_BIGDECIMAL);
    String number = fraction();
    if (NumberText.hasLargeExponent(number)) { // later code could write out all zeros
      throw new InputCoercionException(
          this, "the number has too many digits", currentToken(), BigDecimal.class);
    }
    return NumberInput.parseBigDecimal(
        number, StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER.enabledIn(_streamReadFeatures));
  }

  /** Returns the text of a number after checking its length. */
  private String fraction() {
    String number = tape.number(token);
    _streamReadConstraints.validateFPLength(number.length());
    return number;
  }

  /**
   * Returns true if the number has a fraction or an exponent.
   *
   * @throws tools.jackson.core.exc.InputCoercionException if the token is not a number
   */
  private boolean isFraction(int wanted) {
    JsonToken current = currentToken();
    if (current != JsonToken.VALUE_NUMBER_INT && current != JsonToken.VALUE_NUMBER_FLOAT) {
      throw _constructNotNumericType(current, wanted);
    }
    return current == JsonToken.VALUE_NUMBER_FLOAT;
  }

  private boolean fitsLong() {
    if (written != null) {
      return written.bitLength() < Long.SIZE;
    }
    int digits = tape.digits(token);
    if (digits <= LONG_DIGITS) {
      return true;
    }
    boolean negative = tape.first(token) == '-';
    String number = tape.number(token);
    return digits == LONG_DIGITS + 1
        && NumberInput.inLongRange(negative ? number.substring(1) : number, negative);
  }

  private static boolean fitsInt(long value) {
    return value == (int) value;
  }

  /** Returns an integer that fits into a long. */
  private long whole() {
    if (written != null) {
      return written.longValue();
    }
    return tape.digits(token) <= LONG_DIGITS
        ? tape.smallNumber(token)
        : Long.parseLong(tape.number(token));
  }

  private boolean usesFastParser() {
    return StreamReadFeature.USE_FAST_DOUBLE_PARSER.enabledIn(_streamReadFeatures);
  }

  @Override
  public boolean isNaN() {
    return false;
  }

  @Override
  public TokenStreamContext streamReadContext() {
    return context;
  }

  @Override
  public @Nullable Object currentValue() {
    return context.currentValue();
  }

  @Override
  public void assignCurrentValue(@Nullable Object value) {
    context.assignCurrentValue(value);
  }

  @Override
  public TokenStreamLocation currentTokenLocation() {
    TextPosition place = tape.place(token);
    return new TokenStreamLocation(
        ContentReference.unknown(), tape.position(token), place.line(), place.column());
  }

  @Override
  public TokenStreamLocation currentLocation() {
    return currentTokenLocation();
  }

  @Override
  public JsonTape streamReadInputSource() {
    return tape;
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  protected void _closeInput() {}

  @Override
  protected void _releaseBuffers() {}

  @Override
  protected void _handleEOF() {
    _throwInternal();
  }
}
