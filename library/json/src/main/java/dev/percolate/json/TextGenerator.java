package dev.percolate.json;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Base64Variant;
import tools.jackson.core.ErrorReportConfiguration;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteCapability;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TreeNode;
import tools.jackson.core.Version;
import tools.jackson.core.base.GeneratorBase;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamWriteException;
import tools.jackson.core.io.ContentReference;
import tools.jackson.core.io.IOContext;
import tools.jackson.core.json.JsonWriteContext;
import tools.jackson.core.util.BufferRecycler;
import tools.jackson.core.util.JacksonFeatureSet;
import tools.jackson.databind.ObjectWriter;

/**
 * Appends the output of Jackson's serializers for a value to a JSON text, with the number format,
 * escapes and whitespace of that text.
 */
final class TextGenerator extends GeneratorBase {

  /** A context with only the methods that serializers call. */
  private static final class Objects extends ObjectWriteContext.Base {

    private final ObjectWriter writer;

    Objects(ObjectWriter writer) {
      this.writer = writer;
    }

    @Override
    public void writeValue(JsonGenerator generator, @Nullable Object value) {
      writer.writeValue(generator, value);
    }

    @Override
    public void writeTree(JsonGenerator generator, TreeNode tree) {
      writer.writeValue(generator, tree);
    }
  }

  /** Has no buffers, so it can be shared. It is never closed. */
  private static final IOContext SHARED =
      new IOContext(
          StreamReadConstraints.defaults(),
          StreamWriteConstraints.defaults(),
          ErrorReportConfiguration.defaults(),
          new BufferRecycler(),
          ContentReference.unknown(),
          false,
          JsonEncoding.UTF8);

  private final JsonText text;
  private final String indent;
  private final int mostLevels;
  private int level;
  private JsonWriteContext context = JsonWriteContext.createRootContext(null);

  /**
   * Creates a generator for one value.
   *
   * @param objects writes values that serializers delegate
   * @param features the enabled {@link StreamWriteFeature}s
   * @param text the output
   * @param indent the indentation per level; empty for one line without blanks
   * @param level the number of open containers in the output
   * @param mostLevels the maximum number of open containers
   */
  TextGenerator(
      ObjectWriter objects, int features, JsonText text, String indent, int level, int mostLevels) {
    super(new Objects(objects), SHARED, features);
    this.text = text;
    this.indent = indent;
    this.level = level;
    this.mostLevels = mostLevels;
  }

  @Override
  public JsonGenerator writeStartArray() {
    return writeStartArray(null);
  }

  @Override
  public JsonGenerator writeStartArray(@Nullable Object value) {
    begin("start an array");
    return begun(context.createChildArrayContext(value), '[');
  }

  @Override
  public JsonGenerator writeEndArray() {
    return end(context.inArray(), ']');
  }

  @Override
  public JsonGenerator writeStartObject() {
    return writeStartObject(null);
  }

  @Override
  public JsonGenerator writeStartObject(@Nullable Object value) {
    begin("start an object");
    return begun(context.createChildObjectContext(value), '{');
  }

  @Override
  public JsonGenerator writeEndObject() {
    return end(context.inObject(), '}');
  }

  private void begin(String what) {
    beforeValue(what);
    if (++level > mostLevels) {
      throw failure("more than " + mostLevels + " levels; the value may contain itself");
    }
  }

  private JsonGenerator begun(JsonWriteContext inner, char sign) {
    context = inner;
    text.sign(sign);
    return this;
  }

  private JsonGenerator end(boolean fits, char sign) {
    if (!fits) {
      throw failure("cannot end with '" + sign + "' here");
    }
    level--;
    if (context.getEntryCount() > 0) {
      newLine();
    }
    context = context.clearAndGetParent();
    text.sign(sign);
    return this;
  }

  @Override
  public JsonGenerator writeName(String name) {
    beforeName(name);
    text.quoted(name);
    text.sign(':');
    return afterName();
  }

  @Override
  public JsonGenerator writeName(SerializableString name) {
    beforeName(name.getValue());
    text.name(name);
    return afterName();
  }

  private void beforeName(String name) {
    int status = context.writeName(name);
    if (status == JsonWriteContext.STATUS_EXPECT_VALUE) {
      throw failure("cannot write a name; a value is expected");
    }
    if (status == JsonWriteContext.STATUS_OK_AFTER_COMMA) {
      text.sign(',');
    }
    newLine();
  }

  private JsonGenerator afterName() {
    if (!indent.isEmpty()) {
      text.sign(' ');
    }
    return this;
  }

  @Override
  public JsonGenerator writePropertyId(long id) {
    return writeName(Long.toString(id));
  }

  @Override
  public JsonGenerator writeString(@Nullable String value) {
    if (value == null) {
      return writeNull();
    }
    beforeValue(WRITE_STRING);
    text.quoted(value);
    return this;
  }

  @Override
  public JsonGenerator writeString(char[] value, int offset, int length) {
    return writeString(new String(value, offset, length));
  }

  @Override
  public JsonGenerator writeString(Reader reader, int length) {
    StringWriter value = new StringWriter();
    try {
      reader.transferTo(value);
    } catch (IOException e) {
      throw JacksonIOException.construct(e, this);
    }
    return writeString(value.toString());
  }

  @Override
  public JsonGenerator writeUTF8String(byte[] value, int offset, int length) {
    return writeString(new String(value, offset, length, StandardCharsets.UTF_8));
  }

  @Override
  public JsonGenerator writeRawUTF8String(byte[] value, int offset, int length) {
    beforeValue(WRITE_STRING);
    text.sign('"');
    text.raw(value, offset, length);
    text.sign('"');
    return this;
  }

  @Override
  public JsonGenerator writeBinary(Base64Variant variant, byte[] value, int offset, int length) {
    byte[] part = Arrays.copyOfRange(value, offset, offset + length);
    return writeString(variant.encode(part));
  }

  @Override
  public int writeBinary(Base64Variant variant, InputStream data, int length) {
    try {
      byte[] value = length < 0 ? data.readAllBytes() : data.readNBytes(length);
      writeBinary(variant, value, 0, value.length);
      return value.length;
    } catch (IOException e) {
      throw JacksonIOException.construct(e, this);
    }
  }

  @Override
  public JsonGenerator writeRaw(String value) {
    text.raw(value);
    return this;
  }

  @Override
  public JsonGenerator writeRaw(String value, int offset, int length) {
    return writeRaw(value.substring(offset, offset + length));
  }

  @Override
  public JsonGenerator writeRaw(char[] value, int offset, int length) {
    return writeRaw(new String(value, offset, length));
  }

  @Override
  public JsonGenerator writeRaw(char value) {
    return writeRaw(String.valueOf(value));
  }

  @Override
  public JsonGenerator writeNumber(short value) {
    return writeNumber((long) value);
  }

  @Override
  public JsonGenerator writeNumber(int value) {
    return writeNumber((long) value);
  }

  @Override
  public JsonGenerator writeNumber(long value) {
    beforeValue(WRITE_NUMBER);
    text.number(value);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(double value) {
    beforeValue(WRITE_NUMBER);
    NumberText.append(text, value);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(float value) {
    beforeValue(WRITE_NUMBER);
    NumberText.append(text, value);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(@Nullable BigInteger value) {
    return value == null ? writeNull() : writeNumber(value.toString());
  }

  @Override
  public JsonGenerator writeNumber(@Nullable BigDecimal value) {
    return value == null ? writeNull() : writeNumber(_asString(value));
  }

  @Override
  public JsonGenerator writeNumber(String digits) {
    beforeValue(WRITE_NUMBER);
    text.raw(digits);
    return this;
  }

  @Override
  public JsonGenerator writeBoolean(boolean value) {
    beforeValue(WRITE_BOOLEAN);
    text.ascii(value ? "true" : "false");
    return this;
  }

  @Override
  public JsonGenerator writeNull() {
    beforeValue(WRITE_NULL);
    text.ascii("null");
    return this;
  }

  private void beforeValue(String what) {
    int status = context.writeValue();
    if (status == JsonWriteContext.STATUS_OK_AFTER_COLON) {
      return; // writeName has written the colon
    }
    if (status == JsonWriteContext.STATUS_EXPECT_NAME) {
      throw failure("cannot " + what + "; a name is expected");
    }
    if (status == JsonWriteContext.STATUS_OK_AFTER_SPACE) {
      throw failure("cannot " + what + "; the value is complete");
    }
    if (status == JsonWriteContext.STATUS_OK_AFTER_COMMA) {
      text.sign(',');
    }
    if (context.inArray()) {
      newLine();
    }
  }

  private void newLine() {
    if (!indent.isEmpty()) {
      text.newLine(indent, level);
    }
  }

  private StreamWriteException failure(String message) {
    return new StreamWriteException(this, message);
  }

  @Override
  protected void _verifyValueWrite(String what) {
    beforeValue(what);
  }

  @Override
  public TokenStreamContext streamWriteContext() {
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
  public JacksonFeatureSet<StreamWriteCapability> streamWriteCapabilities() {
    return DEFAULT_TEXTUAL_WRITE_CAPABILITIES;
  }

  @Override
  public Object streamWriteOutputTarget() {
    return text;
  }

  @Override
  public int streamWriteOutputBuffered() {
    return 0;
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    _closed = true;
  }

  @Override
  protected void _closeInput() {}

  @Override
  protected void _releaseBuffers() {}
}
