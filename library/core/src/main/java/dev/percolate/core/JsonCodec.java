package dev.percolate.core;

import dev.percolate.engine.Providers;
import dev.percolate.http.HttpError;
import dev.percolate.http.Quantity;
import dev.percolate.http.Utf8;
import java.lang.reflect.Type;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON. Found by {@link java.util.ServiceLoader}; the module {@code json} provides
 * one. Thread-safe.
 */
public interface JsonCodec {

  /** The result of a replacer or reviver that removes an entry. */
  Object ABSENT = new Object();

  /**
   * Reads JSON text as plain values: maps (in the order of the text), lists, strings, numbers,
   * booleans and null.
   *
   * @param text JSON (RFC 8259)
   * @return the value; null for JSON null
   * @throws IllegalArgumentException if the text is not JSON; the message names line and column
   */
  default @Nullable Object read(String text) {
    return read(text, ReadOptions.DEFAULT);
  }

  /**
   * Reads JSON text as plain values, like {@link #read(String)}, with options.
   *
   * @param text JSON (RFC 8259)
   * @param reading how to read plain values
   * @return the value; null for JSON null
   * @throws IllegalArgumentException if the text is not JSON or exceeds a limit; the message names
   *     line and column
   */
  @Nullable Object read(String text, ReadOptions reading);

  /**
   * Parses JSON text once, to read it as plain values, as a type, or both. Plain values are those
   * of {@link #read(String, ReadOptions)}. The default implementation parses the text a second time
   * to read a type.
   *
   * @param text JSON (RFC 8259)
   * @param reading how to read plain values
   * @throws IllegalArgumentException if the text is not JSON or exceeds a limit; the message names
   *     line and column
   */
  default JsonDocument parse(String text, ReadOptions reading) {
    return new ReadTwice(text, read(text, reading), (type, errors) -> read(text, type, errors));
  }

  /**
   * Parses UTF-8; see {@link #parse(String, ReadOptions)}.
   *
   * @param utf8 JSON; do not change the bytes while the document is in use
   * @param reading how to read plain values
   * @throws IllegalArgumentException if the text is not JSON or exceeds a limit; the message names
   *     line and column
   */
  default JsonDocument parse(byte[] utf8, ReadOptions reading) {
    return parse(Utf8.text(utf8), reading);
  }

  /**
   * Reads JSON text as a Java type. Numbers keep all their digits.
   *
   * @param text JSON
   * @param type the type
   * @return the value; null for JSON null
   * @throws IllegalArgumentException if the text is not JSON, or a value is invalid for its type.
   *     The message is for the client: it names the position and the cause, but no class
   * @throws IllegalStateException if the type cannot be read, or its code fails other than by
   *     rejecting a value
   * @throws HttpError if code of the type throws it
   */
  @Nullable Object read(String text, Type type);

  /**
   * Reads the JSON of a client as a Java type; see {@link JsonDocument#read}. The default
   * implementation reads leniently, and throws an exception for an invalid value.
   *
   * @param text JSON
   * @param type the type
   * @param errors receives the errors, with JSON pointers (RFC 6901)
   * @return the value; null for JSON null; ignore it if there are errors
   * @throws IllegalArgumentException if the text is not JSON
   * @throws IllegalStateException if the type cannot be read, or its code fails
   * @throws HttpError if code of the type throws it
   */
  default @Nullable Object read(String text, Type type, InputErrors errors) {
    return read(text, type);
  }

  /**
   * Reads UTF-8 as plain values, like {@link #read(String, ReadOptions)} reads its {@linkplain
   * Utf8#text text}.
   *
   * @param utf8 JSON, which is not changed
   * @param reading how to read plain values
   * @return the value; null for JSON null
   * @throws IllegalArgumentException if the text is not JSON or exceeds a limit
   */
  default @Nullable Object read(byte[] utf8, ReadOptions reading) {
    return read(Utf8.text(utf8), reading);
  }

  /**
   * Reads UTF-8 as a Java type, like {@link #read(String, Type)} reads its {@linkplain Utf8#text
   * text}. If a value is invalid, code of the type may be called twice.
   *
   * @param utf8 JSON, which is not changed
   * @param type the type
   * @return the value; null for JSON null
   * @throws IllegalArgumentException if the text is not JSON, or a value is invalid for its type
   * @throws IllegalStateException if the type cannot be read, or its code fails
   * @throws HttpError if code of the type throws it
   */
  default @Nullable Object read(byte[] utf8, Type type) {
    return read(Utf8.text(utf8), type);
  }

  /**
   * Writes a value.
   *
   * @param value a map, list, string, number, boolean, null, record or bean
   * @param style how to write it
   * @throws IllegalArgumentException if the value cannot be written
   */
  String write(@Nullable Object value, WriteOptions style);

  /**
   * Writes a value as UTF-8, like {@link #write}.
   *
   * @param value the value
   * @param style how to write it
   * @throws IllegalArgumentException if the value cannot be written
   */
  default byte[] writeBytes(@Nullable Object value, WriteOptions style) {
    return Utf8.bytes(write(value, style));
  }

  /**
   * Removes cached information about types, so that their classes can be unloaded. The default
   * implementation does nothing.
   */
  default void clearCaches() {}

  /**
   * Returns the validation of the types that this codec reads, for processes without another one;
   * see {@link Validation}. Default: none.
   *
   * @return null if there is none, for example because no Jakarta Validation provider is present
   */
  default @Nullable Validation validation() {
    return null;
  }

  /**
   * Returns the codec of this process: the only one on the class path, or the one that the system
   * property {@code percolate.json} names, such as {@code -Dpercolate.json=json} for {@code
   * dev.percolate.json.JacksonCodec}. An application can use another codec: {@link
   * Settings#JSON_CODEC}.
   *
   * @throws IllegalStateException if there is none, or more than one
   */
  static JsonCodec find() {
    return Found.codec();
  }

  /**
   * Options for reading plain values.
   *
   * @param depth the maximum nesting depth, at least 1
   * @param exactNumbers whether numbers keep all their digits. Integers are then {@link Integer},
   *     {@link Long} or {@link java.math.BigInteger}, other numbers {@link java.math.BigDecimal};
   *     numbers with more than 1000 digits or an exponent beyond 1000 are rejected. Otherwise
   *     numbers have the precision of a double
   */
  record ReadOptions(int depth, boolean exactNumbers) {

    /** Unlimited depth, and numbers with the precision of a double. */
    public static final ReadOptions DEFAULT = new ReadOptions(Integer.MAX_VALUE, false);

    /**
     * Checks the depth.
     *
     * @throws IllegalArgumentException if the depth is less than 1
     */
    public ReadOptions {
      int unused = Quantity.atLeast("depth", 1, depth);
    }
  }

  /**
   * Options for writing JSON.
   *
   * @param indent the indentation of each level; empty to write one line without spaces
   * @param replacer changes values before they are written; null for none
   * @param names the only names that maps keep, in this order; null for all
   */
  record WriteOptions(String indent, @Nullable Replacer replacer, @Nullable List<String> names) {

    /** One line without spaces. */
    public static final WriteOptions COMPACT = new WriteOptions("", null, null);
  }

  /** Changes a value before it is written. */
  @FunctionalInterface
  interface Replacer {

    /**
     * Returns the value to write instead.
     *
     * @param key the name of the value, or its index in a list; empty for the top-level value
     * @param value the value
     * @return the value to write; {@link #ABSENT} removes the entry
     */
    @Nullable Object replace(String key, @Nullable Object value);
  }

  /** Holds the codec of this process after the first lookup. */
  final class Found {

    // Not looked up in a class initializer, so that each failure names what is missing.
    private static volatile @Nullable JsonCodec codec;

    private Found() {}

    private static JsonCodec codec() {
      JsonCodec known = codec;
      if (known == null) {
        known =
            Providers.one(
                JsonCodec.class,
                ServiceLoader.load(JsonCodec.class),
                "add percolate-json, or set Settings.JSON_CODEC",
                "percolate.json");
        codec = known;
      }
      return known;
    }
  }
}
