package dev.percolate.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the header lines of one message in their order, with names that are equal whatever their
 * letter case and kept as they were given (RFC 9110 section 5).
 *
 * <p>Not thread-safe: one thread at a time may use an instance, any number once it is {@linkplain
 * #freeze frozen}. What changes headers throws an {@link IllegalStateException} then.
 */
public final class Headers {
  private static final int INITIAL_LINES = 6;

  /** Name of line {@code i} at {@code 2 * i}, its value behind it. */
  private String[] lines;

  private int size;
  private boolean frozen;

  /** Creates an empty list of header lines. */
  public Headers() {
    this(new String[2 * INITIAL_LINES], 0);
  }

  /**
   * Creates an empty list with room for some lines; more make it grow.
   *
   * @param lines how many are expected, nothing or more
   */
  public Headers(int lines) {
    this(new String[2 * Math.max(INITIAL_LINES, lines)], 0);
  }

  private Headers(String[] lines, int size) {
    this.lines = lines;
    this.size = size;
  }

  /**
   * Creates headers from names and values in turn.
   *
   * @param namesAndValues a name, its value, the next name, and so on
   * @return new headers with these lines
   * @throws IllegalArgumentException when the number of texts is odd, or as {@link #add} does
   */
  public static Headers of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "Headers.of(…): " + namesAndValues.length + " texts are no pairs of names and values");
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
   * @param name the header's name, in any letter case
   * @return the value, or null when the header is absent
   */
  public @Nullable String get(String name) {
    int line = find(name, 0);
    return line < 0 ? null : lines[2 * line + 1];
  }

  /**
   * Returns all values of a header.
   *
   * @param name the header's name, in any letter case
   * @return an unmodifiable list in order of the lines, empty when the header is absent
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
   * Tells whether a header is there.
   *
   * @param name the header's name, in any letter case
   * @return true when at least one line has the name
   */
  public boolean contains(String name) {
    return find(name, 0) >= 0;
  }

  /**
   * Sets a header to one value, replacing all its lines; it stands where the first of them stood.
   *
   * @param name the header's name, a token
   * @param value the value: visible characters, blanks, tabs and U+0080 to U+00FF
   * @return these headers
   * @throws IllegalArgumentException when name or value are not allowed; nothing is changed then
   */
  public Headers set(String name, String value) {
    HeaderText.checkName(name);
    HeaderText.checkValue(name, value);
    return setUnchecked(name, value);
  }

  /**
   * Sets a header as {@link #set(String, String)} does, without checking it. For lines that are not
   * made of what others say, such as a length that was counted; all else belongs into {@code set}.
   *
   * @param name the header's name, a token
   * @param value the value, known to be well-formed
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
   * Sets a header to one line for each value, replacing all its lines; the first stands where the
   * first of them stood. An empty list removes the header.
   *
   * @param name the header's name, a token
   * @param values the values, as in {@link #set(String, String)}
   * @return these headers
   * @throws IllegalArgumentException when name or a value are not allowed; nothing is changed then
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
   * @param name the header's name, a token
   * @param value the value, as in {@link #set(String, String)}
   * @return these headers
   * @throws IllegalArgumentException when name or value are not allowed; nothing is changed then
   */
  public Headers add(String name, String value) {
    HeaderText.checkName(name);
    HeaderText.checkValue(name, value);
    return addReceived(name, value);
  }

  /**
   * Adds a line at the end without checking it. For engines, which pass on what a peer sent after
   * their own checks; a line that is to be sent belongs into {@link #add}.
   *
   * @param name the header's name as received
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
   * Removes all lines of a header; nothing happens when it is absent.
   *
   * @param name the header's name, in any letter case
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

  /**
   * Returns the number of lines.
   *
   * @return the number of lines, repeated names counted each time
   */
  public int size() {
    return size;
  }

  /**
   * Returns the name of a line.
   *
   * @param i the line's position, from 0
   * @return the name as it was given
   * @throws IndexOutOfBoundsException when there is no such line
   */
  public String name(int i) {
    return lines[2 * checkIndex(i)];
  }

  /**
   * Returns the value of a line.
   *
   * @param i the line's position, from 0
   * @return the value as it was given
   * @throws IndexOutOfBoundsException when there is no such line
   */
  public String value(int i) {
    return lines[2 * checkIndex(i) + 1];
  }

  /**
   * Calls an action with name and value of each line, in order.
   *
   * @param action receives name and value
   */
  public void forEach(BiConsumer<? super String, ? super String> action) {
    for (int i = 0; i < size; i++) {
      action.accept(lines[2 * i], lines[2 * i + 1]);
    }
  }

  /**
   * Makes these headers unchangeable; those of an answer are once it has started.
   *
   * @return these headers
   */
  public Headers freeze() {
    frozen = true;
    return this;
  }

  /**
   * Copies these headers; later changes of one do not show in the other.
   *
   * @return new headers with the same lines, which can be changed
   */
  public Headers copy() {
    return new Headers(lines.clone(), size);
  }

  /** Lists the lines as {@code name: value}, each ended by a line feed. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
    return text.toString();
  }

  private void checkChangeable() {
    if (frozen) {
      throw new IllegalStateException("these headers cannot be changed any more");
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
    // What stays behind the end would otherwise keep large values alive; it is never read.
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
