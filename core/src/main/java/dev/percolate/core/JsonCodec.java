package dev.percolate.core;

import dev.percolate.engine.Providers;
import dev.percolate.http.HttpError;
import dev.percolate.http.Utf8;
import java.lang.reflect.Type;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON; the module {@code json} has one, found by {@link java.util.ServiceLoader}.
 *
 * <p>It is shared by all threads.
 */
public interface JsonCodec {

  /** Stands for "no value": a replacer or reviver that returns it drops the entry. */
  Object ABSENT = new Object();

  /**
   * Reads a text to maps (in the order of the text), lists, texts, numbers, booleans and null.
   *
   * @param text JSON, exactly as RFC 8259 has it
   * @return the value, or null for JSON's null
   * @throws IllegalArgumentException if it is none; the message says where
   */
  default @Nullable Object read(String text) {
    return read(text, Reading.PLAIN);
  }

  /**
   * Reads a text to plain values, as {@link #read(String)} does but for what {@code reading} says.
   *
   * @param text JSON, exactly as RFC 8259 has it
   * @param reading how to read it
   * @return the value, or null for JSON's null
   * @throws IllegalArgumentException if it is none, or beyond a limit; the message says where
   */
  @Nullable Object read(String text, Reading reading);

  /**
   * Parses a text once, to read it as plain values, as a type, or both. Plain values are those of
   * {@link #read(String, Reading)}. The default implementation parses the text a second time to
   * read a type.
   *
   * @param text JSON (RFC 8259)
   * @param reading how to read plain values
   * @throws IllegalArgumentException if the text is not JSON or exceeds a limit; the message names
   *     line and column
   */
  default JsonDocument parse(String text, Reading reading) {
    return new ReadTwice(text, read(text, reading), (type, faults) -> read(text, type, faults));
  }

  /**
   * Parses UTF-8; see {@link #parse(String, Reading)}.
   *
   * @param utf8 JSON; do not change the bytes while the document is in use
   * @param reading how to read plain values
   * @throws IllegalArgumentException if the text is not JSON or exceeds a limit; the message names
   *     line and column
   */
  default JsonDocument parse(byte[] utf8, Reading reading) {
    return parse(Utf8.text(utf8), reading);
  }

  /**
   * Reads a text to a Java type, numbers straight from the text.
   *
   * @param text JSON
   * @param type the type
   * @return the value, or null for JSON's null
   * @throws IllegalArgumentException if it is no JSON, or does not fit the type; the message is for
   *     the client: it says where and why, and names no class
   * @throws IllegalStateException if no text can be read to the type, or if code of the type fails
   *     otherwise than by refusing what it is given
   * @throws HttpError as code of the type throws it
   */
  @Nullable Object read(String text, Type type);

  /**
   * Reads JSON of a client as a Java type; see {@link JsonDocument#read}. The default
   * implementation reads leniently, and throws an exception for a value that does not fit.
   *
   * @param text JSON
   * @param type the type
   * @param faults gets what does not fit, by pointers of RFC 6901
   * @return the value, or null for JSON's null; of no account if there are faults
   * @throws IllegalArgumentException if it is no JSON
   * @throws IllegalStateException if the type or its code is at fault
   * @throws HttpError as code of the type throws it
   */
  default @Nullable Object read(String text, Type type, InputFaults faults) {
    return read(text, type);
  }

  /**
   * Reads UTF-8 to plain values, as {@link #read(String, Reading)} does its {@linkplain Utf8#text
   * text}.
   *
   * @param utf8 JSON, which is not changed
   * @param reading how to read it
   * @return the value, or null for JSON's null
   * @throws IllegalArgumentException if it is none, or beyond a limit
   */
  default @Nullable Object read(byte[] utf8, Reading reading) {
    return read(Utf8.text(utf8), reading);
  }

  /**
   * Reads UTF-8 to a Java type, as {@link #read(String, Type)} does its {@linkplain Utf8#text
   * text}. Of what does not fit, code of the type may be called twice.
   *
   * @param utf8 JSON, which is not changed
   * @param type the type
   * @return the value, or null for JSON's null
   * @throws IllegalArgumentException if it is no JSON, or does not fit the type
   * @throws IllegalStateException if the type or its code is at fault
   * @throws HttpError as code of the type throws it
   */
  default @Nullable Object read(byte[] utf8, Type type) {
    return read(Utf8.text(utf8), type);
  }

  /**
   * Writes a value.
   *
   * @param value what to write: a map, list, text, number, boolean, null, record, bean
   * @param style how to write it
   * @throws IllegalArgumentException if the value cannot be written
   */
  String write(@Nullable Object value, Style style);

  /**
   * Writes a value, as {@link #write} does, to UTF-8.
   *
   * @param value what to write
   * @param style how to write it
   * @throws IllegalArgumentException if the value cannot be written
   */
  default byte[] writeBytes(@Nullable Object value, Style style) {
    return Utf8.bytes(write(value, style));
  }

  /**
   * Returns the codec of this process, the only one on the class path or the one that the system
   * property {@code percolate.json} names, such as {@code -Dpercolate.json=json} for {@code
   * dev.percolate.json.JacksonCodec}. An application may have another: {@link Settings#JSON_CODEC}.
   *
   * @throws IllegalStateException if there is none, or more than one
   */
  static JsonCodec find() {
    return Found.codec();
  }

  /**
   * Says how JSON is read to plain values.
   *
   * @param depth how many levels may nest, at least 1
   * @param exactNumbers whether numbers keep all their digits: whole ones are {@link Integer},
   *     {@link Long} or {@link java.math.BigInteger}, others {@link java.math.BigDecimal}. Numbers
   *     of more than 1000 digits, or with an exponent beyond 1000, are then refused. Otherwise a
   *     number counts by its value as a double
   */
  record Reading(int depth, boolean exactNumbers) {

    /** Any number of levels, and numbers as doubles. */
    public static final Reading PLAIN = new Reading(Integer.MAX_VALUE, false);

    /**
     * Checks the depth.
     *
     * @throws IllegalArgumentException if the depth is less than 1
     */
    public Reading {
      if (depth < 1) {
        throw new IllegalArgumentException("depth must be at least 1, was " + depth);
      }
    }
  }

  /**
   * Says how JSON is written.
   *
   * @param indent what each level is indented by; empty for one line without blanks
   * @param replacer changes values on the way; null for none
   * @param names the only names that maps keep, in this order; null for all
   */
  record Style(String indent, @Nullable Replacer replacer, @Nullable List<String> names) {

    /** One line without blanks. */
    public static final Style COMPACT = new Style("", null, null);
  }

  /** Changes a value before it is written. */
  @FunctionalInterface
  interface Replacer {

    /**
     * Returns what is written instead.
     *
     * @param key the value's name, or its index in a list; empty for the whole
     * @param value the value
     * @return what is written; {@link #ABSENT} drops the entry
     */
    @Nullable Object replace(String key, @Nullable Object value);
  }

  /** Holds the codec of this process, once it is needed. */
  final class Found {

    // Not found while a class is initialized: each failure has to say what is missing.
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
