package dev.percolate.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The header lines of a message, in order. Names are case-insensitive and keep the letter case that
 * they were set with (RFC 9110 section 5).
 *
 * <p>Not thread-safe until the headers are {@linkplain #freeze frozen}. After that, methods that
 * change them throw an {@link IllegalStateException}.
 */
public final class Headers {
  private static final int INITIAL_LINES = 6;

  /** The name of line {@code i} at {@code 2 * i}, followed by its value. */
  private String[] lines;

  private int size;
  private boolean frozen;

  /** Creates empty headers. */
  public Headers() {
    this(new String[2 * INITIAL_LINES], 0);
  }

  /**
   * Creates empty headers with an initial capacity.
   *
   * @param lines the expected number of lines, 0 or more
   */
  public Headers(int lines) {
    this(new String[2 * Math.max(INITIAL_LINES, lines)], 0);
  }

  private Headers(String[] lines, int size) {
    this.lines = lines;
    this.size = size;
  }

  /**
   * Creates headers from names and values.
   *
   * @param namesAndValues a name, its value, the next name, and so on
   * @return new headers with these lines
   * @throws IllegalArgumentException if the number of strings is odd, or a name or value is invalid
   */
  public static Headers of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "Headers.of needs name/value pairs, got " + namesAndValues.length + " strings");
    }
    Headers headers = new Headers();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1]);
    }
    return headers;
  }

  /**
   * Returns the first value of a header.
   *
   * @param name the name of the header, in any letter case
   * @return the value; null if the header is absent
   */
  public @Nullable String get(String name) {
    int line = find(name, 0);
    return line < 0 ? null : lines[2 * line + 1];
  }

  /**
   * Returns all values of a header.
   *
   * @param name the name of the header, in any letter case
   * @return an unmodifiable list in order of the lines; empty if the header is absent
   */
  public List<String> all(String name) {
    int line = find(name, 0);
    if (line < 0) {
      return List.of();
    }
    List<String> values = new ArrayList<>(1);
    for (; line >= 0; line = find(name, line + 1)) {
      values.add(lines[2 * line + 1]);
    }
    return Collections.unmodifiableList(values);
  }

  /**
   * Returns true if a header is present.
   *
   * @param name the name of the header, in any letter case
   */
  public boolean contains(String name) {
    return find(name, 0) >= 0;
  }

  /**
   * Sets a header to one value. It replaces all lines of the header, at the position of the first.
   *
   * @param name the name of the header, a token
   * @param value the value: visible ASCII characters, spaces, tabs and U+0080 to U+00FF
   * @return these headers
   * @throws IllegalArgumentException if the name or value is invalid; the headers do not change
   */
  public Headers set(String name, String value) {
    HeaderText.checkName(name);
    HeaderText.checkValue(name, value);
    return setUnchecked(name, value);
  }

  /**
   * Sets a header like {@link #set(String, String)}, without checking it. Use it only for values
   * that cannot contain external input, such as a computed length.
   *
   * @param name the name of the header, a token
   * @param value a valid value
   * @return these headers
   */
  public Headers setUnchecked(String name, String value) {
    checkChangeable();
    int line = find(name, 0);
    if (line < 0) {
      return addReceived(name, value);
    }
    lines[2 * line] = name;
    lines[2 * line + 1] = value;
    if (find(name, line + 1) >= 0) {
      removeFrom(name, line + 1);
    }
    return this;
  }

  /**
   * Sets a header to a list of values, one line for each. They replace all lines of the header, at
   * the position of the first. An empty list removes the header.
   *
   * @param name the name of the header, a token
   * @param values the values, as in {@link #set(String, String)}
   * @return these headers
   * @throws IllegalArgumentException if the name or a value is invalid; the headers do not change
   */
  public Headers set(String name, List<String> values) {
    HeaderText.checkName(name);
    List<String> checked = List.copyOf(values);
    for (String value : checked) {
      HeaderText.checkValue(name, value);
    }
    checkChangeable();
    replace(name, checked);
    return this;
  }

  /**
   * Adds a line at the end.
   *
   * @param name the name of the header, a token
   * @param value the value, as in {@link #set(String, String)}
   * @return these headers
   * @throws IllegalArgumentException if the name or value is invalid; the headers do not change
   */
  public Headers add(String name, String value) {
    HeaderText.checkName(name);
    HeaderText.checkValue(name, value);
    return addReceived(name, value);
  }

  /**
   * Adds a line at the end without checking it. Engines use it for received headers, which they
   * have checked. To send a header, use {@link #add}.
   *
   * @param name the name as received
   * @param value the value as received
   * @return these headers
   */
  public Headers addReceived(String name, String value) {
    checkChangeable();
    if (2 * size == lines.length) {
      lines = Arrays.copyOf(lines, Math.max(2 * INITIAL_LINES, 2 * lines.length));
    }
    lines[2 * size] = name;
    lines[2 * size + 1] = value;
    size++;
    return this;
  }

  /**
   * Removes all lines of a header; does nothing if it is absent.
   *
   * @param name the name of the header, in any letter case
   * @return these headers
   */
  public Headers remove(String name) {
    checkChangeable();
    int first = find(name, 0);
    if (first >= 0) {
      removeFrom(name, first);
    }
    return this;
  }

  /** Returns the number of lines. Repeated names count each time. */
  public int size() {
    return size;
  }

  /**
   * Returns the name of a line.
   *
   * @param i the index of the line, from 0
   * @return the name as it was set
   * @throws IndexOutOfBoundsException if there is no such line
   */
  public String name(int i) {
    return lines[2 * checkIndex(i)];
  }

  /**
   * Returns the value of a line.
   *
   * @param i the index of the line, from 0
   * @return the value as it was set
   * @throws IndexOutOfBoundsException if there is no such line
   */
  public String value(int i) {
    return lines[2 * checkIndex(i) + 1];
  }

  /**
   * Calls an action with the name and value of each line, in order.
   *
   * @param action receives a name and a value
   */
  public void forEach(BiConsumer<? super String, ? super String> action) {
    for (int i = 0; i < size; i++) {
      action.accept(lines[2 * i], lines[2 * i + 1]);
    }
  }

  /**
   * Makes these headers immutable. The headers of a response are frozen when it starts.
   *
   * @return these headers
   */
  public Headers freeze() {
    frozen = true;
    return this;
  }

  /**
   * Returns a mutable copy, which is independent of these headers.
   *
   * @return new headers with the same lines
   */
  public Headers copy() {
    return new Headers(lines.clone(), size);
  }

  /** Returns the lines as {@code name: value}, each followed by a line feed. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
    return text.toString();
  }

  private void checkChangeable() {
    if (frozen) {
      throw new IllegalStateException("headers cannot change after the response has started");
    }
  }

  private int find(String name, int from) {
    for (int i = from; i < size; i++) {
      if (HeaderText.sameName(name, lines[2 * i])) {
        return i;
      }
    }
    return -1;
  }

  private void replace(String name, List<String> values) {
    int first = find(name, 0);
    if (first < 0 || values.isEmpty()) {
      remove(name);
      values.forEach(value -> addReceived(name, value));
      return;
    }
    removeFrom(name, first + 1);
    insertLines(first + 1, values.size() - 1);
    for (int i = 0; i < values.size(); i++) {
      lines[2 * (first + i)] = name;
      lines[2 * (first + i) + 1] = values.get(i);
    }
  }

  private void removeFrom(String name, int from) {
    int kept = from;
    for (int i = from; i < size; i++) {
      if (!HeaderText.sameName(name, lines[2 * i])) {
        lines[2 * kept] = lines[2 * i];
        lines[2 * kept + 1] = lines[2 * i + 1];
        kept++;
      }
    }
    // Lines after the end would keep large values alive.
    Arrays.fill(lines, 2 * kept, 2 * size, "");
    size = kept;
  }

  private void insertLines(int at, int count) {
    int needed = 2 * (size + count);
    if (needed > lines.length) {
      lines = Arrays.copyOf(lines, Math.max(needed, 2 * lines.length));
    }
    System.arraycopy(lines, 2 * at, lines, 2 * (at + count), 2 * (size - at));
    size += count;
  }

  private int checkIndex(int i) {
    return Objects.checkIndex(i, size);
  }
}
